"""Vectors from the settings to the answer, made by a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from embedded import ALONE, NOTES, paths, said, searched, told
from embedding_server import Server, fails, hangs, serving
from loreweave.library import Lore
from loreweave.search import dense
from typed import answer as json_of
from typed import typed, vault

SENT = [
    "Tower\n# Tower\n\nA lighthouse far out.",
    "Boats\n# Boats\n\nThe ship leaves at noon.",
    "Boats: Harbour\n## Harbour\n\nNobody is there.",
    "Vendor\n# Vendor\n\nThe supplier delivers every day.",
]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as made:
        yield made


@pytest.fixture
def notes(tmp_path: Path, server: Server) -> Path:
    return told(vault(tmp_path, NOTES), server)


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


@pytest.mark.parametrize("live", [False, True])
def test_an_open_library_sees_vectors_made_meanwhile(live: bool, notes: Path) -> None:
    with Lore(notes, live=live) as lore:
        lore.index()
        assert lore.search("ship").degraded
        assert lore.embed() is not None
        assert lore.search("ship").degraded is None
        vault(notes, {"new.md": "# New\n\nSoup and broth.\n"})
        if live:
            lore.index()
        else:
            assert lore.search("soup").degraded == (
                "1 of 5 passages has no vector yet: words alone find them (`lore index` makes it).",
            )
        made = lore.embed()
        assert made is not None
        assert (made.made, made.left) == (1, 0)
        assert lore.search("soup").degraded is None
