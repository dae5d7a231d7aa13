"""Writes `transcript.md`: a session of an agent with a vault, and the next day, by a client of the protocol's own kit.

``python docs/transcript.py [--into FOLDER]``; a test compares what it writes with what is committed. Nothing in it is
made up: each question is asked of a server that runs, each command is run, and what they answer is what is written.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.types import Implementation

DOCS = Path(__file__).resolve().parent
SCOUT = Implementation(name="scout", version="1.0")
MONDAY, EVENING, TUESDAY = "2026-03-02T09:00:00Z", "2026-03-02T17:00:00Z", "2026-03-03T09:00:00Z"

FILES = {
    "vendors/vendor.md": (
        "# Vendor\n\nThe vendor delivers exchange rates before nine.\n\n## Contract\n\n- Contact: Marta Silva\n"
    ),
    "projects/atlas.md": "# Atlas\n\nowner:: Priya\n\nAtlas reads the rates of the [[Vendor]] every morning.\n",
    "lore/journal/2026-01-12.md": (
        "- [fact] Vendor :: reliability :: good"
        ' {valid_from=2026-01-01, by=priya, because="on time all month", recorded_at=2026-01-12T10:00:00Z}\n'
    ),
}

HEAD = """# A session from beginning to end

Written by `make docs`, which runs all of it and writes down what comes back.
The calls are those of the Python client of the Model Context Protocol.
"""


class Page:
    """The page as it grows, and the vault that it is about."""

    def __init__(self, vault: Path) -> None:
        self.vault = vault
        self.lines = [HEAD]

    def say(self, *sentences: str) -> None:
        self.lines.append("\n".join(sentences) + "\n")

    def show(self, kind: str, text: str) -> None:
        self.lines.append(f"```{kind}\n{text.rstrip()}\n```\n")

    def file(self, path: str) -> None:
        self.say(f"`{path}`")
        self.show("markdown", (self.vault / path).read_text("utf-8"))

    def run(self, at: str, *words: str, by: str = "priya") -> str:
        """Run a command as a person would, and show it with what it prints."""
        command = [sys.executable, "-m", "loreweave", "--vault", str(self.vault), *words]
        done = subprocess.run(
            command, env=environment(at) | {"LORE_BY": by}, capture_output=True, text=True, check=False
        )
        ending = f"[exit {done.returncode}]\n" if done.returncode else ""
        self.show("console", f"$ {shlex.join(['lore', *words])}\n{done.stdout}{done.stderr}{ending}")
        return done.stdout

    async def call(self, client: Client, tool: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool, and show the call with its answer."""
        given = dict(arguments or {})
        told = await client.call_tool(tool, given)
        self.show("python", f"await client.call_tool({json.dumps(tool)}, {_python(given)})")
        if told.is_error:
            self.show("text", "".join(getattr(part, "text", "") for part in told.content))
            return {}
        answer: dict[str, Any] = told.structured_content or {}
        self.show("json", json.dumps(answer, ensure_ascii=False, indent=2))
        return answer


def _python(given: Mapping[str, Any]) -> str:
    """Write arguments as Python has them."""
    written = (
        f"{json.dumps(name)}: {value if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)}"
        for name, value in given.items()
    )
    return "{" + ", ".join(written) + "}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write docs/transcript.md.")
    parser.add_argument("--into", type=Path, default=DOCS, help="the folder to write into")
    into = parser.parse_args().into
    with tempfile.TemporaryDirectory() as folder:
        page = Page(Path(folder))
        for path, text in FILES.items():
            (page.vault / path).parent.mkdir(parents=True, exist_ok=True)
            (page.vault / path).write_text(text, "utf-8")
        anyio.run(write, page)
    (into / "transcript.md").write_text("\n".join(page.lines), "utf-8")


async def write(page: Page) -> None:
    vault(page)
    await monday(page)
    evening(page)
    await tuesday(page)


# ------------------------------------------------------------------------------------------ the story


def vault(page: Page) -> None:
    page.say("## The vault", "", "Two notes, and one line that Priya stated in January.")
    for path in FILES:
        page.file(path)
    page.say("What the notes state is recorded, as of the morning of Monday, 2 March 2026.")
    page.run(MONDAY, "index")


async def monday(page: Page) -> None:
    page.say(
        "## Monday, nine o'clock",
        "",
        "An agent that calls itself `scout` connects over standard input and output, and begins with a context pack.",
    )
    async with over_stdio(page.vault, MONDAY) as client:
        await page.call(client, "lore_context_pack", {"topic": "the vendor of exchange rates", "budget": 4000})
        page.say("It asks what changed since last time; on first contact that is the last seven days.")
        await page.call(client, "lore_resume")
        page.say(
            'Priya says: "The rates have been late since the middle of February."',
            "It writes that down, and quotes her.",
        )
        await page.call(client, "lore_assert_fact", LATE)
        page.say(
            "Both answers to one question are right.",
            "What was so on 20 February, as it is known now, and as it was known at the end of that month?",
        )
        about = {"subject": "Vendor", "predicate": "reliability", "as_of": "2026-02-20"}
        await page.call(client, "lore_query_facts", about)
        await page.call(client, "lore_query_facts", {**about, "as_known_at": "2026-02-28"})
        page.say("A label in a note is no fact yet.", "It proposes what the note says, for a person to decide on.")
        await page.call(client, "lore_propose_facts", {"note": "vendors/vendor.md", "submit": True})
        page.say("It has no means to approve that.")
        await page.call(client, "lore_approve", {"id": "1"})


LATE = {
    "subject": "Vendor",
    "predicate": "reliability",
    "object": "late",
    "valid_from": "2026-02-15",
    "source": "stated",
    "because": 'Priya: "The rates have been late since the middle of February."',
}


def evening(page: Page) -> None:
    page.say("## Monday, five o'clock", "", "Priya looks at what waits, and at what her approval would do.")
    page.run(EVENING, "proposals")
    (proposal_id,) = [each["proposal_id"] for each in proposals(page.vault)]
    page.say("Whoever proposed cannot approve, under whatever command.")
    page.run(EVENING, "approve", proposal_id[:8], by=SCOUT.name)
    page.say("She approves.")
    page.run(EVENING, "approve", proposal_id[:8])
    page.say("She also hands Atlas over: in the note she writes `owner:: Tom`, and records it.")
    note = page.vault / "projects" / "atlas.md"
    note.write_text(note.read_text("utf-8").replace("owner:: Priya", "owner:: Tom"), "utf-8")
    page.run(EVENING, "index")


def proposals(vault: Path) -> list[dict[str, Any]]:
    import loreweave

    with loreweave.open(vault) as lore:
        return [{"proposal_id": each.proposal_id} for each in lore.proposals().proposals]


async def tuesday(page: Page) -> None:
    page.say(
        "## Tuesday, nine o'clock",
        "",
        "The agent comes back, this time over HTTP, and remembers nothing.",
        "It asks what changed, and is told the difference since it last asked.",
        "That is its own line, the line that Priya approved, and the note that she changed.",
    )
    async with over_http(page.vault, TUESDAY) as client:
        await page.call(client, "lore_resume")
        page.say("Asked again, nothing is new.")
        await page.call(client, "lore_resume")
        page.say("And what it is told of the contact says on whose word that is: inferred, and approved by Priya.")
        await page.call(client, "lore_why", {"subject": "Vendor", "predicate": "contact"})


# ------------------------------------------------------------------------------------------ connections


@asynccontextmanager
async def over_stdio(vault: Path, at: str) -> AsyncIterator[Client]:
    arguments = ["-m", "loreweave", "serve", "--mcp", "--vault", str(vault)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment(at))
    async with Client(server, client_info=SCOUT) as client:
        yield client


@asynccontextmanager
async def over_http(vault: Path, at: str) -> AsyncIterator[Client]:
    command = [sys.executable, "-m", "loreweave", "serve", "--mcp", "--http", "0", "--vault", str(vault)]
    server = subprocess.Popen(command, env=environment(at), stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        address = server.stderr.readline().split()[-1]
        async with Client(address, client_info=SCOUT) as client:
            yield client
    finally:
        server.terminate()
        server.communicate(timeout=10)


def environment(at: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    return {**kept, "LORE_NOW": at}


if __name__ == "__main__":
    main()
