"""The server as a program on standard input and output: what stands on the wire, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from clients import NAME, SECONDS, Lines, call, over_stdio, program
from typed import NOW, typed, vault

FILES = {
    "atlas.md": "---\nstatus: pilot\n---\n# Atlas\n\n- owner:: Priya\n\nThe monthly report is due on Fridays.\n",
    "lore/journal/2024-01-05.md": "- [fact] Vendor :: reliability :: good {recorded_at=2024-01-05T09:00:00Z}\n",
}
ENDS_WITHIN = 5.0
FACT = {"subject": "Vendor", "predicate": "country", "object": "Norway"}


@pytest.fixture
def at(tmp_path: Path) -> Path:
    return vault(tmp_path / "vault", FILES)


def journal(at: Path) -> str:
    return "".join(path.read_text("utf-8") for path in sorted((at / "lore" / "journal").glob("*.md")))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_of_either_age_of_the_protocol_is_served(mode: str, at: Path) -> None:
    async def talk(client: Client) -> None:
        assert (client.server_info and client.server_info.name) == "loreweave"
        assert "lore_context_pack" in (client.instructions or "")
        made = await call(client, "lore_assert_fact", **FACT)
        assert made["written"]
        assert (await call(client, "lore_query_facts", subject="Vendor", predicate="country"))["facts"][0]["by"] == NAME

    over_stdio(program(at, LORE_NOW=NOW), talk, mode=mode)


def test_nothing_but_messages_stands_on_standard_output(tmp_path: Path) -> None:
    broken = "---\nstatus: [unclosed\n---\n# Note\n\n- owner:: \n" + "- [fact] no object {recorded_at=never}\n" * 3
    at = vault(tmp_path / "vault", FILES | {f"n{number}.md": broken for number in range(20)})
    server = Lines(at, PYTHONWARNINGS="always", PYTHONDEVMODE="1")
    server.greet()
    for tool, given in [("lore_index", {}), ("lore_search", {"queries": "note"}), ("lore_assert_fact", FACT)]:
        assert not server.call(tool, **given).get("isError")
    code, messages, told = server.leave()
    assert (code, messages) == (0, [])
    assert "ResourceWarning" not in told
    assert "Norway" in journal(at)


def test_whatever_is_printed_within_the_server_goes_to_standard_error(tmp_path: Path) -> None:
    printed = 'import os; from loreweave.mcp.wire import Wire; Wire.taken(); print(1, flush=True); os.system("echo 2")'
    server = program(tmp_path)
    told = subprocess.run([server.command, "-c", printed], env=server.env, capture_output=True, text=True, check=True)
    assert (told.stdout, told.stderr) == ("", "1\n2\n")


def test_the_end_of_its_input_ends_the_server_once_all_that_was_asked_is_answered(at: Path) -> None:
    server = Lines(at)
    server.greet()
    server.call("lore_query_facts")
    asked = {server.ask("tools/call", name="lore_assert_fact", arguments={**FACT, "object": f"{n}"}) for n in range(3)}
    asked |= {server.ask("tools/call", name="lore_query_facts", arguments={}) for _ in range(5)}
    begun = time.monotonic()
    code, messages, told = server.leave()
    assert time.monotonic() - begun < ENDS_WITHIN
    assert (code, told) == (0, "")
    assert {message["id"] for message in messages} == asked
    assert all(not message["result"].get("isError") for message in messages)
    assert journal(at).count("country") == 3


def test_a_server_to_which_nothing_is_said_ends_with_its_input(at: Path) -> None:
    assert Lines(at).leave() == (0, [], "")


NO_MESSAGES: list[tuple[bytes, int, int | None]] = [
    (b"{", -32700, None),
    (b"\xff\xfe", -32700, None),
    (b"[" * 100_000, -32700, None),
    (b"[]", -32600, None),
    (b"17", -32600, None),
    (b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}', -32600, 7),
    (b'{"jsonrpc": "2.0", "id": 8}', -32600, 8),
    (b'{"jsonrpc": "2.0", "id": 9, "method": 3}', -32600, 9),
    (b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": {"n": ' + b"9" * 5_000 + b"}}", -32600, 9),
    (b'{"jsonrpc": "2.0", "id": ' + b"9" * 5_000 + b', "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": "\\ud83d", "method": "ping"}', -32600, None),
    (b'{"jsonrpc": "2.0", "id": 10, "method": "no/such"}', -32601, 10),
    (b'{"jsonrpc": "2.0", "id": 11, "method": "tools/call", "params": {}}', -32602, 11),
    (b'{"jsonrpc": "2.0", "id": 12, "method": "tools/call", "params": []}', -32600, 12),
]
"""Lines that are no messages, each with the code and the id of its answer."""


def test_a_line_that_is_no_message_is_answered_and_the_next_one_too(at: Path) -> None:
    server = Lines(at)
    server.greet()
    for line, code, name in NO_MESSAGES:
        server.say(line)
        answer = server.hear()
        assert (line, answer["error"]["code"], answer["id"]) == (line, code, name)
        assert "Traceback" not in json.dumps(answer)
        assert not server.call("lore_query_facts").get("isError")
    assert server.leave()[0] == 0


def test_a_message_that_is_too_long_is_passed_over(at: Path) -> None:
    server = Lines(at)
    server.greet()
    server.say(b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * 17_000_000 + b'"}')
    assert server.hear()["error"]["code"] == -32600
    assert not server.call("lore_query_facts").get("isError")
    assert server.leave()[0] == 0


def test_a_client_that_never_reads_does_not_keep_the_server(at: Path) -> None:
    server = Lines(at)
    for number in range(400):
        server.ask("ping") if number else server.ask("no/such")
    for _ in range(200):
        server.ask("tools/list")
    assert server.process.stdin
    server.process.stdin.close()
    assert server.process.wait(SECONDS) == 0
    _close(server.process)


def test_a_client_that_goes_away_in_the_middle_of_a_call_leaves_nothing_behind(at: Path) -> None:
    server = Lines(at)
    server.greet()
    slow = "select count(*) from range(1000000) a, range(1000000) b"
    server.ask("tools/call", name="lore_query_sql", arguments={"sql": slow})
    server.ask("tools/call", name="lore_assert_fact", arguments=FACT)
    assert server.hear()["result"]["structuredContent"]["written"]
    for _ in range(210):  # more than are taken at once
        server.ask("tools/call", name="lore_query_sql", arguments={"sql": slow})
    assert server.process.stdin
    assert server.process.stdout
    server.process.stdout.close()
    server.process.stdin.close()
    begun = time.monotonic()
    assert server.process.wait(SECONDS) == 0
    assert time.monotonic() - begun < ENDS_WITHIN + 1
    assert server.process.stderr
    assert server.process.stderr.read() == b""
    _close(server.process)


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_what_is_being_written_is_whole(name: int, at: Path) -> None:
    server = Lines(at)
    server.greet()
    for number in range(30):
        server.ask("tools/call", name="lore_assert_fact", arguments={**FACT, "object": f"value {number}"})
    server.hear()
    server.process.send_signal(name)
    code, messages, _ = server.leave()
    assert code == 0
    written = journal(at)
    assert written.endswith("\n")
    told = [message for message in messages if "result" in message and not message["result"].get("isError")]
    assert written.count("country") >= len(told) + 1
    assert typed(at, "doctor").exit_code == 0
    assert json.loads(typed(at, "facts", "--predicate", "country", "--history", "--json").stdout)["of"] >= 1


def test_calls_that_are_cancelled_are_stopped_and_make_room_for_others(at: Path) -> None:
    server = Lines(at)
    server.greet()
    endless = {"sql": "select count(*) from range(1000000) a, range(1000000) b", "timeout": 60}
    begun = time.monotonic()
    for number in [server.ask("tools/call", name="lore_query_sql", arguments=endless) for _ in range(4)]:
        assert not server.call("lore_query_facts").get("isError")
        server.say(
            json.dumps(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
            ).encode()
        )
    assert server.call("lore_query_sql", sql="select 1")["structuredContent"]["rows"] == [[1]]
    assert time.monotonic() - begun < 50
    assert server.leave() == (0, [], "")


def test_a_vault_that_disappears_is_told_at_each_call_and_may_come_back(at: Path) -> None:
    server = Lines(at)
    server.greet()
    assert not server.call("lore_query_facts").get("isError")
    aside = at.with_name("aside")
    at.rename(aside)
    for tool, given in [("lore_query_facts", {}), ("lore_assert_fact", FACT), ("lore_query_sql", {"sql": "select 1"})]:
        result = server.call(tool, **given)
        assert result["isError"]
        assert "is gone" in result["content"][0]["text"]
    assert not at.exists()
    aside.rename(at)
    assert server.call("lore_assert_fact", **FACT)["structuredContent"]["written"]
    shutil.rmtree(at)
    assert server.call("lore_query_facts")["isError"]
    assert server.leave()[0] == 0


def test_what_others_write_is_in_the_next_answer(at: Path) -> None:
    server = Lines(at)
    server.greet()
    assert server.call("lore_query_facts", predicate="country")["structuredContent"]["of"] == 0
    typed(at, "assert", "Vendor", "country", "Norway")
    assert server.call("lore_query_facts", predicate="country")["structuredContent"]["of"] == 1
    (at / "new.md").write_text("# New\n\nA kestrel was seen.\n", "utf-8")
    results = _until(server, lambda answer: answer["results"], "lore_search", queries="kestrel")["results"]
    assert [result["address"] for result in results] == ["new.md#New:1-3"]
    assert server.leave()[0] == 0


def test_settings_that_have_no_meaning_are_told_until_they_have_one(at: Path) -> None:
    server = Lines(at)
    server.greet()
    settings = at / "lore" / "config.toml"
    settings.write_text("[vault\n", "utf-8")
    deadline = time.monotonic() + SECONDS
    while not (result := server.call("lore_query_facts")).get("isError"):
        assert time.monotonic() < deadline
    assert "config.toml" in result["content"][0]["text"]
    settings.write_text("", "utf-8")
    while server.call("lore_query_facts").get("isError"):
        assert time.monotonic() < deadline
    assert server.call("lore_assert_fact", **FACT)["structuredContent"]["written"]
    assert server.leave()[0] == 0


def test_more_requests_than_are_taken_at_once_are_all_answered(at: Path) -> None:
    server = Lines(at)
    server.greet()
    asked = {server.ask("tools/call", name="lore_query_facts", arguments={"limit": 1}) for _ in range(150)}
    asked |= {server.ask("ping") for _ in range(250)}
    assert {server.hear()["id"] for _ in asked} == asked
    assert server.leave() == (0, [], "")


def test_two_servers_on_one_vault_write_side_by_side_and_read_what_the_other_wrote(at: Path) -> None:
    first, second = Lines(at), Lines(at)
    first.greet("first")
    second.greet("second")
    for number in range(5):
        for server, name in ((first, "first"), (second, "second")):
            made = server.call(
                "lore_assert_fact", subject="Atlas", predicate="reader", object=f"{name} {number}", many=True
            )
            assert made["structuredContent"]["written"]
    for server in (first, second):
        facts = server.call("lore_query_facts", predicate="reader")["structuredContent"]["facts"]
        assert sorted((fact["object"], fact["by"]) for fact in facts) == sorted(
            (f"{name} {number}", name) for name in ("first", "second") for number in range(5)
        )
    assert first.leave()[0] == second.leave()[0] == 0


def test_what_notes_state_is_recorded_while_the_server_runs_and_saves_by_rename_are_seen(at: Path) -> None:
    server = Lines(at)
    server.greet()
    note, beside = at / "n.md", at / "n.md.tmp"
    for number in range(50):
        beside.write_text(f"---\nstage: s{number}\n---\n# N\n\nA merlin, save {number}.\n", "utf-8")
        os.replace(beside, note)
    found = _until(server, lambda answer: "save 49" in str(answer), "lore_search", queries="merlin")["results"]
    assert [result["address"].partition("#")[0] for result in found] == ["n.md"]
    note.unlink()
    note.write_text("---\nstage: last\n---\n# N\n\nA merlin, again.\n", "utf-8")
    _until(
        server, lambda answer: "last" in [each["object"] for each in answer["facts"]], "lore_query_facts", subject="N"
    )
    note.unlink()
    _until(server, lambda answer: not answer["results"], "lore_search", queries="merlin")
    assert server.leave()[0] == 0


def test_a_server_without_a_vault_or_with_a_limit_that_is_none_does_not_begin(tmp_path: Path) -> None:
    for words, told in [
        (["--vault", str(tmp_path / "nowhere"), "serve", "--mcp"], "is not a folder"),
        (["--vault", str(tmp_path), "serve"], "give --mcp"),
        (["--vault", str(tmp_path), "serve", "--mcp", "--max-result-chars", "5"], "is less than 4,000"),
        (["--vault", str(tmp_path), "serve", "--mcp", "--http", "0.0.0.0:80"], "is not this machine alone"),
        (["--vault", str(tmp_path), "serve", "--mcp", "--http", "1" * 5_000], "is not [HOST:]PORT"),
        (["--vault", str(tmp_path), "--scope", " ", "serve", "--mcp"], "normalises to nothing"),
    ]:
        started = program(tmp_path)
        command = [started.command, "-m", "loreweave", *words]
        done = subprocess.run(
            command, check=False, env=started.env, input="", capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode in (1, 2)
        assert done.stdout == ""
        assert told in done.stderr
        assert "Traceback" not in done.stderr


def _until(server: Lines, holds: Callable[[dict[str, Any]], object], tool: str, **given: Any) -> dict[str, Any]:
    """Ask again until the system has told of a change; give the answer."""
    deadline = time.monotonic() + SECONDS
    while True:
        answer: dict[str, Any] = server.call(tool, **given)["structuredContent"]
        if holds(answer):
            return answer
        assert time.monotonic() < deadline, answer


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()
