"""Making vectors where the server fails, the run is killed, or somebody else is at it; and while watching."""

from __future__ import annotations

import json
import os
import pty
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from embedded import NOTES, paths, said, searched, told
from embedding_server import Server, answer, fails, hangs, serving
from loreweave.engine.embedding import Embedded
from loreweave.library import Lore
from typed import process, typed, vault


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def notes(tmp_path: Path, server: Server) -> Path:
    return told(vault(tmp_path, NOTES), server)


def test_a_server_that_fails_leaves_the_index_as_good_as_without_it(notes: Path, server: Server) -> None:
    server.always = fails(500, Retry_After="0")
    made, beside = said(notes)
    assert made == []
    assert beside[:2] == [
        f'warning: The embedding server at "{server.url}/api/embed" answered 500. It is asked again in 0 s (1 of 2).',
        f'warning: The embedding server at "{server.url}/api/embed" answered 500. It is asked again in 0 s (2 of 2).',
    ]
    assert beside[2].startswith("warning: 4 passages left without a vector: The embedding server at ")
    assert beside[3].startswith("hint: ")
    assert set(paths(searched(notes, "ship"))) == {"boats.md"}


def test_what_was_made_before_a_failure_is_kept_and_the_rest_is_made_next_time(notes: Path, server: Server) -> None:
    told(notes, server, batch_size=1, retries=0)
    server.deeds.extend([answer, answer, fails(500)])
    made, beside = said(notes)
    assert made == ["embedded 2 passages by ollama m"]
    assert beside[0].startswith("warning: 2 passages left without a vector: ")
    assert said(notes) == (["embedded 2 passages by ollama m"], [])
    assert len(server.texts) == 5, "the one that failed is sent twice"


def refuses_long(handler: Any, body: Any) -> None:
    """Take texts of up to 300 characters, like a model with a narrow window."""
    if any(len(text) > 300 for text in body["input"]):
        handler.say(400, b'{"error": "the input length exceeds the context length"}')
    else:
        answer(handler, body)


def test_a_text_that_is_too_long_for_the_model_is_cut_and_does_not_stop_the_others(notes: Path, server: Server) -> None:
    vault(notes, {"long.md": f"# Long\n\n{'A lighthouse. ' * 80}\n"})
    server.always = refuses_long
    assert said(notes) == (["embedded 5 passages by ollama m"], [])
    assert paths(searched(notes, "tower"))[:2] == ["tower.md", "long.md"]


def test_a_passage_that_is_refused_at_any_length_is_named(notes: Path, server: Server) -> None:
    def refuses_ships(handler: Any, body: Any) -> None:
        refused = any("ship" in text for text in body["input"])
        (fails(400, b"no ships") if refused else answer)(handler, body)

    server.always = refuses_ships
    made, beside = said(notes)
    assert made == ["embedded 3 passages by ollama m"]
    assert beside == ["warning: 1 passage left without a vector, which the model would not take: boats.md:1"]
    assert json_of_quietly(notes)["embedded"]["refused"] == ["boats.md:1"]


def json_of_quietly(root: Path) -> Any:
    return json.loads(typed(root, "index", "--json").stdout)


def test_a_model_that_takes_nothing_is_not_asked_for_every_passage(notes: Path, server: Server) -> None:
    vault(notes, {f"n{number}.md": f"# N{number}\n\nSoup {number}.\n" for number in range(60)})
    server.always = fails(400, b"this model does not make embeddings")
    _, beside = said(notes)
    assert beside[0].startswith("warning: 64 passages left without a vector: The embedding server at")
    assert "this model does not make embeddings" in beside[0]
    assert len(server.requests) < 50


def test_a_key_that_is_not_set_is_said_and_nothing_is_sent(
    notes: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    told(notes, server, api_key_env="NO_SUCH_KEY")
    _, beside = said(notes)
    assert beside[0].startswith("warning: no vectors were made: [embedding] api_key_env names the environment variable")
    assert server.requests == []


@pytest.mark.parametrize("name", [signal.SIGKILL, signal.SIGINT], ids=str)
def test_a_run_that_is_ended_is_gone_on_with_where_it_was(name: signal.Signals, notes: Path, server: Server) -> None:
    told(notes, server, batch_size=1)
    reached = threading.Event()

    def stop_here(handler: Any, body: Any) -> None:
        reached.set()
        hangs(handler, body)

    server.deeds.extend([answer, answer, stop_here])
    with process(notes, "index") as running:
        assert reached.wait(60)
        running.send_signal(name)
        running.communicate(timeout=60)
    assert said(notes) == (["embedded 2 passages by ollama m"], [])
    assert len(server.texts) == 5, "only the one under way is sent twice"


def test_one_program_makes_vectors_at_a_time(notes: Path, server: Server) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def wait(handler: Any, body: Any) -> None:
        reached.set()
        go_on.wait()
        answer(handler, body)

    server.deeds.append(wait)
    with process(notes, "index") as running:
        assert reached.wait(60)
        made, beside = said(notes)
        go_on.set()
        told_by_the_first, _ = running.communicate(timeout=60)
    assert made == []
    assert beside[0] == "warning: no vectors were made: Another program is making vectors for this vault."
    assert "embedded 4 passages by ollama m" in told_by_the_first
    assert len(server.texts) == 4


def test_a_bar_is_shown_on_a_terminal_alone(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    master, terminal = pty.openpty()
    monkeypatch.setenv("TERM", "xterm")
    with process(notes, "index", stderr=terminal) as running:
        os.close(terminal)
        running.wait(60)
    shown = b""
    try:
        while chunk := os.read(master, 4096):
            shown += chunk
    except OSError:
        pass
    finally:
        os.close(master)
    assert b"Embedding passages" in shown
    assert b"4/4" in shown


@pytest.mark.parametrize("name", ["vectors.duckdb", "vectors.duckdb.next", "vectors.lock"])
def test_no_file_of_vectors_leads_out_of_the_vault(
    name: str, notes: Path, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "file"
    outside.write_bytes(b"mine")
    (notes / ".lore").mkdir()
    (notes / ".lore" / name).symlink_to(outside)
    for command in ("index", "search"):
        result = typed(notes, command, *["ship"][: command == "search"])
        assert (result.exit_code, "leads out of the vault" in result.stderr) == (2, True)
    assert (outside.read_bytes(), server.requests) == (b"mine", [])


# Watching ------------------------------------------------------------------------------------------------


def lines_of(root: Path, stop: threading.Event, until: Callable[[object], bool]) -> list[object]:
    seen: list[object] = []
    with Lore(root) as lore:
        for each in lore.watch(stop, poll=True):
            seen.append(each)
            if until(each):
                stop.set()
    return seen


def test_watching_makes_the_vectors_of_what_changes(notes: Path, server: Server) -> None:
    made: list[Embedded] = []

    def until(each: object) -> bool:
        if isinstance(each, Embedded):
            made.append(each)
            vault(notes, {"new.md": "# New\n\nSoup.\n"})
        return len(made) == 2

    lines_of(notes, threading.Event(), until)
    assert [each.made for each in made] == [4, 1]
    assert server.texts[4:] == ["New\n# New\n\nSoup."]


def test_watching_tells_a_line_for_vectors_that_were_made(notes: Path) -> None:
    with process(notes, "watch", "--poll") as watching:
        assert watching.stdout is not None
        lines = [watching.stdout.readline(), watching.stdout.readline()]
        watching.send_signal(signal.SIGINT)
        watching.communicate(timeout=60)
    assert lines[1] == "2025-12-01T00:00:00Z embedded 4 passages by ollama m\n"
    assert watching.returncode == 0
