"""Vectors from the settings to the answer, made by a real server on loopback that works, fails and is killed."""

from __future__ import annotations

import json
import os
import pty
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from embedding_server import Server, answer, fails, hangs, serving
from loreweave.library import Lore
from loreweave.search import dense
from typed import answer as json_of
from typed import process, typed, vault

NOTES = {
    "boats.md": "# Boats\n\nThe ship leaves at noon.\n\n## Harbour\n\nNobody is there.\n",
    "tower.md": "# Tower\n\nA lighthouse far out.\n",
    "vendor.md": "# Vendor\n\nThe supplier delivers every day.\n",
    "empty.md": "# Empty\n",
}
SENT = [
    "Tower\n# Tower\n\nA lighthouse far out.",
    "Boats\n# Boats\n\nThe ship leaves at noon.",
    "Boats: Harbour\n## Harbour\n\nNobody is there.",
    "Vendor\n# Vendor\n\nThe supplier delivers every day.",
]
ALONE = "Ranked by words alone. "


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def notes(tmp_path: Path, server: Server) -> Path:
    return told(vault(tmp_path, NOTES), server)


def told(root: Path, server: Server, **settings: object) -> Path:
    """Write the settings that name the server."""
    lines = {"provider": "ollama", "url": server.url, "model": "m", **settings}
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in lines.items())
    return vault(root, {"lore/config.toml": f"[embedding]\n{text}"})


def searched(root: Path, *words: str) -> Any:
    return json_of(root, "search", *words)


def paths(found: Any) -> list[str]:
    return [result["path"] for result in found["results"]]


def said(root: Path) -> tuple[list[str], list[str]]:
    """Run ``lore index``; give the lines of its answer about vectors, and what it said beside."""
    result = typed(root, "index")
    assert result.exit_code == 0
    return [line for line in result.stdout.splitlines() if line.startswith("embedded")], result.stderr.splitlines()


# Making vectors ------------------------------------------------------------------------------------------


def test_indexing_sends_each_passage_once_below_its_title_and_headings(notes: Path, server: Server) -> None:
    assert said(notes) == (["embedded 4 passages by ollama m"], [])
    assert sorted(server.texts) == sorted(SENT), "a note that says nothing but its title is not sent"
    assert said(notes) == ([], [])
    assert len(server.texts) == 4


def test_a_change_sends_what_changed(notes: Path, server: Server) -> None:
    said(notes)
    vault(notes, {"boats.md": NOTES["boats.md"].replace("Nobody", "A broth")})
    assert said(notes) == (["embedded 1 passage by ollama m"], [])
    assert server.texts[4:] == ["Boats: Harbour\n## Harbour\n\nA broth is there."]


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_both_ways_of_asking_find_by_meaning(provider: str, notes: Path, server: Server) -> None:
    told(notes, server, provider=provider, batch_size=3)
    said(notes)
    assert paths(searched(notes, "boat"))[0] == "boats.md"
    assert [len(request.body["input"]) for request in server.requests] == [3, 1, 1]


def test_json_tells_what_was_made(notes: Path) -> None:
    made = json_of(notes, "index")["embedded"]
    assert made == {"made": 4, "left": 0, "model": "ollama m", "refused": [], "failed": "", "hint": "", "notes": []}


def test_without_a_provider_nothing_is_made_and_nothing_is_said(tmp_path: Path) -> None:
    vault(tmp_path, NOTES)
    assert "embedded" not in json_of(tmp_path, "index")
    assert searched(tmp_path, "boat")["degraded"] is None
    assert not list((tmp_path / ".lore").glob("vectors*"))


def test_answering_sends_the_question_and_no_passage(notes: Path, server: Server) -> None:
    for command in (["facts"], ["search", "ship"], ["replay"], ["query", "from spans"], ["doctor"]):
        typed(notes, *command)
    assert server.texts == []
    said(notes)
    searched(notes, "ship", "boat out at sea")
    assert server.texts[4:] == ["ship", "boat out at sea"]


def test_vectors_survive_an_index_built_anew_and_deleting_all_costs_only_time(notes: Path, server: Server) -> None:
    said(notes)
    before = searched(notes, "boat")
    typed(notes, "replay", "--cold")
    assert (said(notes), searched(notes, "boat")) == (([], []), before)
    for file in sorted((notes / ".lore").iterdir()):
        file.unlink()
    assert said(notes) == (["embedded 4 passages by ollama m"], [])
    assert searched(notes, "boat") == before


def test_another_model_makes_every_vector_anew(notes: Path, server: Server) -> None:
    said(notes)
    told(notes, server, model="n")
    found = searched(notes, "ship")
    assert found["degraded"] == [
        f"{ALONE}The vectors that are kept are of another model (`lore index` makes them for this one)."
    ]
    made, beside = said(notes)
    assert made == ["embedded 4 passages by ollama n"]
    assert beside == ['warning: The vectors in "vectors.duckdb" are of another model, and are made anew.']
    assert searched(notes, "ship")["degraded"] is None


# Finding by meaning --------------------------------------------------------------------------------------


def test_what_shares_no_word_with_the_question_is_found_and_says_why(notes: Path) -> None:
    assert paths(searched(notes, "vessel")) == []
    said(notes)
    found = searched(notes, "vessel")
    assert (found["results"][0]["path"], found["results"][0]["why"]) == ("boats.md", ["near in meaning"])
    assert found["degraded"] is None


def test_facets_hold_for_what_is_near_in_meaning_too(notes: Path) -> None:
    vault(notes, {"apart/sea.md": "---\ntags: [sea]\n---\n# Sea\n\nShips, ships.\n"})
    said(notes)
    assert set(paths(searched(notes, "vessel", "--folder", "apart"))) == {"apart/sea.md"}
    assert set(paths(searched(notes, "vessel", "--tag", "sea"))) == {"apart/sea.md"}
    assert "apart/sea.md" not in paths(searched(notes, "vessel", "--tag", "-sea"))


def test_a_scope_hears_of_no_passage_of_another(notes: Path) -> None:
    settings = (notes / "lore/config.toml").read_text("utf-8")
    vault(notes, {"apart/sea.md": "# Sea\n\nShips, ships.\n", "apart/soup.md": "# Soup\n\nA broth.\n"})
    vault(notes, {"lore/config.toml": f'{settings}[scopes]\n"apart" = "apart"\n'})
    said(notes)
    assert "apart/sea.md" not in paths(searched(notes, "vessel"))
    assert paths(json_of(notes, "--scope", "apart", "search", "vessel")) == ["apart/sea.md"]


def test_what_has_no_vector_yet_is_counted(notes: Path, server: Server) -> None:
    found = searched(notes, "ship")
    assert found["degraded"] == [f"{ALONE}No passage has a vector yet (`lore index` makes them)."]
    assert set(paths(found)) == {"boats.md"}
    said(notes)
    vault(notes, {"boats.md": NOTES["boats.md"].replace("Nobody", "Somebody")})
    assert searched(notes, "ship")["degraded"] == [
        "1 of 4 passages has no vector yet: words alone find them (`lore index` makes it)."
    ]


def test_a_server_that_is_gone_is_said_and_words_are_ranked_without_it(notes: Path, server: Server) -> None:
    said(notes)
    server.always = fails(500, b"out of memory")
    found = searched(notes, "ship")
    assert set(paths(found)) == {"boats.md"}
    (why,) = found["degraded"]
    assert why.startswith(f'{ALONE}The embedding server at "{server.url}/api/embed" answered 500: "out of memory"')
    assert len(server.requests) == 2, "a question is asked once"


def test_a_server_that_hangs_is_waited_for_briefly(
    notes: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said(notes)
    server.always = hangs
    monkeypatch.setattr(dense, "QUERY_SECONDS", 0.1)
    found = searched(notes, "ship")
    assert set(paths(found)) == {"boats.md"}
    assert "did not answer within 0.1 s" in found["degraded"][0]


def test_a_model_that_now_gives_other_numbers_is_said(notes: Path, server: Server) -> None:
    said(notes)
    server.always = lambda handler, body: handler.say(200, b'{"embeddings": [[1, 2]]}')
    (why,) = searched(notes, "ship")["degraded"]
    assert why.startswith(f"{ALONE}The model now gives 2 numbers a passage, and 6 are kept of each")


def test_questions_may_be_asked_from_several_threads(notes: Path) -> None:
    said(notes)
    with Lore(notes) as lore, ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda _: lore.search("boat").results[0].path, range(8)))
        assert found == ["boats.md"] * 8


def test_an_open_library_sees_vectors_made_meanwhile(notes: Path) -> None:
    with Lore(notes) as lore:
        lore.index()
        assert lore.search("ship").degraded
        assert lore.embed() is not None
        assert lore.search("ship").degraded is None
        vault(notes, {"new.md": "# New\n\nSoup and broth.\n"})
        assert lore.search("soup").degraded == (
            "1 of 5 passages has no vector yet: words alone find them (`lore index` makes it).",
        )


# What goes wrong while they are made ---------------------------------------------------------------------


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


def lines_of(root: Path, stop: threading.Event, until: Any, *, poll: bool = True) -> list[object]:
    seen: list[object] = []
    with Lore(root) as lore:
        for each in lore.watch(stop, poll=poll):
            seen.append(each)
            if until(each):
                stop.set()
    return seen


def test_watching_makes_the_vectors_of_what_changes(notes: Path, server: Server) -> None:
    from loreweave.engine.embedding import Embedded

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
