"""Kills a command at chosen points and looks at what is left: a program that forks once a kill and prints JSON lines.

A point is a call that the interpreter makes or returns from. The command is run once to list them all, and then again
and again in a fresh vault, each time with a SIGKILL at one of them. Most points are calls that touch something outside.
A few kills come from a timer instead, at any instant of the command, in the middle of the database's work too.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType

import attrs

import loreweave.engine.closing
import loreweave.engine.importing
import loreweave.engine.sharing
import loreweave.projections.tables  # noqa: F401 - imported here, so that no fork makes the calls of importing
from loreweave.library import Lore
from loreweave.store.digest import digest

OUTSIDE = {
    "open",
    "write",
    "fsync",
    "replace",
    "unlink",
    "truncate",
    "ftruncate",
    "sendfile",
    "mkdir",
    "close",
    "flock",
}
DOORS = ("posix", "fcntl", "_io")
ROWS = [{"subject": f"Row {number}", "predicate": "number", "object": number} for number in range(300)]
BEFORE = "- [fact] Vendor :: reliability :: good {{valid_from=2024-01-{0:02}, recorded_at=2024-01-{0:02}T09:00:00Z}}\n"
BY_HAND = "- [fact] Vendor :: contact :: Bo {recorded_at=2025-03-05T13:30:00Z}\n"
TODAY = "lore/journal/2025-03-05.md"

NEVER = 1_000_000
"""Calls after the last at which a kill comes too late."""

Hook = Callable[[FrameType, str, object], None]


def asserted(lore: Lore) -> None:
    lore.assert_fact("Vendor", "contact", "Ana", valid_from="2024-06-01")


def imported(lore: Lore) -> None:
    lore.import_facts(ROWS)


def replayed(lore: Lore) -> None:
    lore.refresh()


def built(lore: Lore) -> None:
    lore.refresh(whole=True)


COMMANDS = {"assert": (asserted, 1), "import": (imported, 300), "replay": (replayed, 0), "build": (built, 0)}
"""What is killed, and how many lines it writes."""


@attrs.frozen
class Left:
    """What a kill left.

    ``point`` is negative for a timer: microseconds. ``told``: the command had said that it was done. ``added``: lines
    it left in today's journal. ``whole``: every line of it is one of those that were written. ``works``: the next
    command works, and its index is the one that a build from the files gives. ``drafts``: files left beside the index.
    """

    point: int
    call: str
    told: bool
    added: int
    whole: bool
    works: bool
    drafts: int


def main(name: str, folder: Path, kills: int) -> None:
    """Kill a command at some points and print what each kill left."""
    command, _ = COMMANDS[name]
    stored = new_vault(folder.with_suffix(".new"))
    calls = listed(command, copied(stored, folder))
    took = timed(command, copied(stored, folder))
    timers = [-round(took * share * 1e6 / (kills // 3 + 1)) for share in range(1, kills // 3 + 1)]
    for point in points(calls, kills - len(timers)) + timers:
        vault = copied(stored, folder)
        stood = (vault / TODAY).read_text("utf-8").splitlines()
        told = child(lambda: killed(command, vault, point))  # noqa: B023 - used before the loop goes on
        works = child(lambda: goes_on(vault))  # noqa: B023 - see above
        lines = (vault / TODAY).read_text("utf-8").splitlines()
        whole = lines[: len(stood)] == stood and all(line.startswith("- [") and line[-1] == "}" for line in lines)
        drafts = len([path for path in (vault / ".lore").iterdir() if ".tmp" in path.name])
        call = calls[point - 1] if 0 < point <= len(calls) else ""
        left = Left(point, call, told, len(lines) - len(stood) - 1, whole, works, drafts)
        print(json.dumps(attrs.asdict(left)), flush=True)


def new_vault(folder: Path) -> Path:
    """Make a vault with an index, an acknowledged line in today's journal, and one that was added by hand since."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lore" / "journal").mkdir(parents=True)
    for day in (8, 9, 10):
        (folder / "lore" / "journal" / f"2024-01-{day:02}.md").write_text(BEFORE.format(day), "utf-8")
    assert child(lambda: Lore(folder).assert_fact("Atlas", "owner", "Priya").written)
    with (folder / TODAY).open("a", encoding="utf-8") as file:
        file.write(BY_HAND)
    return folder


def copied(stored: Path, folder: Path) -> Path:
    """Give a copy of a vault, index and all."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(stored, folder)
    return folder


def points(calls: list[str], kills: int) -> list[int]:
    """Choose points, from 1: three in four before or after a call that touches something outside, spread evenly."""
    chance = Random(kills)
    outside = [number for number, call in enumerate(calls, 1) if _is_outside(call)]
    near = chance.sample(outside, min(3 * kills // 4, len(outside)))
    anywhere = chance.sample(range(1, len(calls) + 1), kills - len(near))
    return sorted({*near, *anywhere, len(calls) + NEVER})


def _is_outside(call: str) -> bool:
    module, _, name = call.rpartition(".")
    return module.startswith("_duckdb") or (module in DOORS and name in OUTSIDE)


def listed(command: Callable[[Lore], None], vault: Path) -> list[str]:
    """Run a command in a fork and give the name of each thing it calls."""
    kept = vault.with_suffix(".json")

    def work() -> bool:
        seen: list[str] = []
        run(command, vault, lambda frame, event, called: seen.append(_name(frame, event, called)))
        kept.write_text(json.dumps(seen), "utf-8")
        return True

    assert child(work)
    names: list[str] = json.loads(kept.read_text("utf-8"))
    return names


def timed(command: Callable[[Lore], None], vault: Path) -> float:
    """Run a command in a fork and give the seconds it takes."""
    began = time.monotonic()
    assert child(lambda: bool(run(command, vault, None)))
    return time.monotonic() - began


def killed(command: Callable[[Lore], None], vault: Path, point: int) -> bool:
    """Run a command and die at a point."""
    if point < 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, -point / 1e6)
        return run(command, vault, None)
    left = point

    def hook(frame: FrameType, event: str, called: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return run(command, vault, hook)


def run(command: Callable[[Lore], None], vault: Path, hook: Hook | None) -> bool:
    """Run a command with a hook on every call, those of other threads too."""
    lore = Lore(vault)
    threading.setprofile(hook)  # type: ignore[arg-type]
    sys.setprofile(hook)
    command(lore)
    sys.setprofile(None)
    return True


def goes_on(vault: Path) -> bool:
    """Write another line, and compare the index with one built from the files."""
    with Lore(vault) as lore:
        made = lore.assert_fact("Atlas", "status", "final")
        with lore.asking() as session:
            first = digest(session)
        lore.refresh(whole=True)
        with lore.asking() as session:
            return made.written and digest(session) == first


def child(work: Callable[[], bool]) -> bool:
    """Do work in a fork, which opens a database of its own; tell whether it came to its end."""
    process = os.fork()
    if process == 0:
        done = False
        try:
            done = work()
        finally:
            os._exit(0 if done else 1)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def _name(frame: FrameType, event: str, called: object) -> str:
    """Name what is called, after the module that it belongs to or that its object is of."""
    if not event.startswith("c_"):
        return frame.f_code.co_name
    owner = getattr(called, "__module__", None) or type(getattr(called, "__self__", None)).__module__
    return f"{owner}.{getattr(called, '__name__', '')}"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
