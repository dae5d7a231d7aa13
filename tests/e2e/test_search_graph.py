"""What links, beliefs and names reach in a search, from the notes to the answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from loreweave.library import Lore
from loreweave.search import surroundings
from loreweave.search.found import Result
from typed import vault

NOTES = {
    "house/piano.md": "# Piano\n\nIt is tuned each spring by [[Ilse Brandt]].\n",
    "people/ilse-brandt.md": "---\naliases: [Ilse, Tuner]\n---\n# Ilse Brandt\n\nFlat over the bakery, [[Mill Row]].\n",
    "town/mill-row.md": "# Mill Row\n\nCobbles, two lamps.\n\n## Parking\n\nNever on Fridays.\n",
    "house/roof.md": "# Roof\n\nSlates from Porth.\n",
}


def found(at: Path, *wordings: str, **facets: object) -> dict[str, Result]:
    with Lore(at) as lore:
        return {result.path: result for result in lore.search(*wordings, **facets).results}  # type: ignore[arg-type]


def reached(at: Path, *wordings: str, **facets: object) -> dict[str, tuple[str, ...]]:
    """Give the ways by which results were reached that no word found."""
    results = found(at, *wordings, **facets).items()
    return {path: result.why for path, result in results if any(why.startswith("via ") for why in result.why)}


def with_notes(folder: Path, changed: Mapping[str, str]) -> Path:
    return vault(folder, {**NOTES, **changed})


def test_a_note_that_shares_no_word_is_reached_over_one_link_and_over_two(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES)
    assert reached(at, "who tuned the piano last spring") == {
        "people/ilse-brandt.md": ("via Piano",),
        "town/mill-row.md": ("via Piano → Ilse Brandt",),
    }


def test_what_words_find_stands_first_and_what_links_reach_after_it(tmp_path: Path) -> None:
    others = {f"house/key-{number}.md": "# Keys\n\nA piano has keys, and so has the spring.\n" for number in range(2)}
    at = with_notes(tmp_path, {**others, "house/key-1.md": "# Tuners\n\nTuned in spring, the piano is.\n"})
    paths = list(found(at, "who tuned the piano last spring"))
    assert set(paths[:2]) <= {"house/piano.md", "house/key-0.md", "house/key-1.md"}
    assert "people/ilse-brandt.md" in paths[2:]


def test_a_link_back_shows_the_passage_that_has_it(tmp_path: Path) -> None:
    log = "# Log\n\nNothing much.\n\n## Sunday\n\nSat with [[people/ilse-brandt|her]] under the lamps.\n"
    at = with_notes(tmp_path, {"log.md": log})
    results = found(at, "flat over the bakery")
    assert (results["log.md"].anchor, results["log.md"].why) == ("Sunday", ("via Ilse Brandt",))


def test_a_link_beside_words_of_the_question_leads_nearer_than_others_of_its_passage(tmp_path: Path) -> None:
    lines = "\n".join(
        f"- [[Guest {letter}]] comes on {day}." for letter, day in zip("ABCDEF", range(2, 8), strict=True)
    )
    guests = {f"guest-{letter}.md": f"# Guest {letter}\n\nLives in number {ord(letter)}.\n" for letter in "ABCDEF"}
    supper = f"# Who eats what\n\n- [[Guest Z]] comes to supper.\n{lines}\n"
    at = vault(tmp_path, {**guests, "guest-z.md": "# Guest Z\n\nNo fish.\n", "list.md": supper})
    assert next(iter(reached(at, "whom to expect for supper"))) == "guest-z.md"


def test_a_link_by_an_alias_leads_to_its_note_and_is_not_broken(tmp_path: Path) -> None:
    at = with_notes(tmp_path, {"house/piano.md": "# Piano\n\nIt is tuned each spring by [[Ilse]].\n"})
    assert "people/ilse-brandt.md" in reached(at, "who tuned the piano")
    with Lore(at) as lore, lore.query("select code from findings") as rows:
        assert list(rows.batches()) == []


def test_a_note_that_is_named_and_not_linked_is_reached_where_there_are_links_at_all(tmp_path: Path) -> None:
    tuned = "# Piano\n\nIt is tuned each spring by Ilse Brandt.\n"
    assert "people/ilse-brandt.md" in reached(with_notes(tmp_path, {"house/piano.md": tuned}), "who tuned the piano")


def test_a_note_named_in_signs_without_blanks_is_reached(tmp_path: Path) -> None:
    notes = {"会议.md": "# 会议\n\n报告由陈立写。\n", "陈立.md": "# 陈立\n\n住在河边。\n", "河.md": "见[[会议]]。\n"}
    assert reached(vault(tmp_path, notes), "谁写报告")["陈立.md"] == ("via 会议",)


@pytest.mark.parametrize("question", ["who tuned it on 18 October 2022", "2022年10月18日 tuned"])
def test_the_note_of_the_day_that_a_question_is_about_is_reached(tmp_path: Path, question: str) -> None:
    at = with_notes(tmp_path, {"days/2022-10-18.md": "# Rain\n\nRoof leaks.\n", "days/2022-10-19.md": "Sun.\n"})
    assert reached(at, question)["days/2022-10-18.md"][0] == "via 2022-10-18"
    assert "days/2022-10-19.md" not in reached(at, question)


@pytest.mark.parametrize(
    ("added", "filled"),
    [
        ({}, False),
        ({"tagged.md": "# Other\n\n#tagged\n"}, True),
        ({"linked.md": "# Other\n\n[[Roof]]\n"}, True),
        ({"lore/journal/2024-01-01.md": "- [fact] Vendor :: reliability :: good\n"}, True),
    ],
)
def test_in_a_vault_without_link_tag_and_belief_nothing_is_reached(
    tmp_path: Path, added: dict[str, str], filled: bool
) -> None:
    notes = {
        "piano.md": "# Piano\n\nTuned each spring by Ilse Brandt.\n",
        "ilse.md": "# Ilse Brandt\n\nAbove the bakery.\n",
        "roof.md": "# Roof\n\nSlates.\n",
    }
    assert bool(reached(vault(tmp_path, {**notes, **added}), "who tuned the piano")) is filled


BOARD = {
    "work/board.md": "# Regional Water Board\n\nThird floor, ring twice.\n",
    "work/mill.md": "# The Old Mill\n\nGrinds on Tuesdays.\n\nSee [[Roof]].\n",
    "house/roof.md": "# Roof\n\nSlates.\n",
}


def test_initials_in_capitals_reach_the_one_note_whose_name_begins_so(tmp_path: Path) -> None:
    at = vault(tmp_path, BOARD)
    assert reached(at, "where does the RWB sit") == {"work/board.md": ("via RWB",)}
    assert reached(at, "where does the rwb sit") == {}


@pytest.mark.parametrize("other", ["# Rural Waste Bureau\n\nFirst floor.\n", "# RWB\n\nA brand of tea.\n"])
def test_initials_that_two_may_have_reach_neither(tmp_path: Path, other: str) -> None:
    assert "work/board.md" not in found(vault(tmp_path, {**BOARD, "work/other.md": other}), "where does the RWB sit")


@pytest.mark.parametrize("question", ["what did Tom say", "what did TOM say", "tom's flat"])
def test_tom_is_not_the_old_mill(tmp_path: Path, question: str) -> None:
    assert "work/mill.md" not in found(vault(tmp_path, BOARD), question)


def test_a_question_by_another_name_reaches_where_its_own_stands(tmp_path: Path) -> None:
    diary = "# Diary\n\nIn the lane stood Ilse Brandt with a lamp.\n"
    at = with_notes(tmp_path, {"diary.md": diary, "house/piano.md": "# Piano\n\n[[Roof]]\n"})
    assert reached(at, "what of the tuner")["diary.md"] == ("via Ilse Brandt",)


ROOMS = {
    "piano.md": "# Piano\n\nWalnut, 1890.\n",
    "attic.md": "# Attic\n\nBelow the slates.\n",
    "cellar.md": "# Cellar\n\nTwo steps down, mind the beam.\n",
}
IN_ATTIC = "- [fact] Piano :: room :: [[Attic]] {valid_from=2023-01-01, recorded_at=2023-01-01T09:00:00Z}\n"
IN_CELLAR = "- [fact] Piano :: room :: Cellar {valid_from=2024-03-01, recorded_at=2024-03-01T09:00:00Z}\n"


def test_a_belief_leads_from_its_subject_to_its_object_until_the_next_one_ends_it(tmp_path: Path) -> None:
    at = vault(tmp_path, {**ROOMS, "lore/journal/2023-01-01.md": IN_ATTIC})
    assert reached(at, "in which room is the piano") == {"attic.md": ("via Piano",)}
    vault(at, {"lore/journal/2024-03-01.md": IN_CELLAR})
    assert reached(at, "in which room is the piano") == {"cellar.md": ("via Piano",)}


def test_a_value_that_nothing_is_called_by_joins_nothing(tmp_path: Path) -> None:
    said = "".join(
        f"- [fact] {name} :: age :: unknown {{valid_from=2023-01-01}}\n" for name in ("Piano", "Attic", "Cellar")
    )
    at = vault(tmp_path, {**ROOMS, "lore/journal/2023-01-01.md": said})
    assert reached(at, "what age is the piano") == {}


def test_what_links_reach_obeys_tags_and_folder(tmp_path: Path) -> None:
    at = with_notes(tmp_path, {"town/mill-row.md": "---\ntags: [street]\n---\n# Mill Row\n\nCobbles.\n"})
    question = "who tuned the piano last spring"
    assert list(reached(at, question, tags=["-street"])) == ["people/ilse-brandt.md"]
    assert reached(at, question, folder="house") == {}
    assert reached(at, question, since="2024") == {}


def test_links_lead_into_no_other_scope_and_over_none(tmp_path: Path) -> None:
    settings = {"lore/config.toml": '[scopes]\n"people" = "north"\n'}
    at = with_notes(tmp_path, settings)
    assert reached(at, "who tuned the piano last spring") == {}


def test_the_limit_cuts_the_answer_and_changes_nothing_before_the_cut(tmp_path: Path) -> None:
    at = vault(tmp_path, NOTES)
    whole = list(found(at, "who tuned the piano last spring", limit=20))
    assert len(whole) == 3
    for limit in range(1, 4):
        assert list(found(at, "who tuned the piano last spring", limit=limit)) == whole[:limit]


def test_a_note_that_very_many_link_is_gone_past_and_read_no_further_than_need_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"day/{number:04}.md": f"Seen on day {number}: [[Piano]].\n" for number in range(600)}
    at = with_notes(tmp_path, many)
    monkeypatch.setattr(surroundings, "SHORT", 100_000)
    whole = found(at, "tuned each spring", limit=30)
    monkeypatch.setattr(surroundings, "SHORT", 300)
    assert found(at, "tuned each spring", limit=30) == whole
    assert list(whole)[:2] == ["house/piano.md", "people/ilse-brandt.md"]


def test_the_answer_hangs_on_the_notes_and_not_on_how_they_came_to_be(tmp_path: Path) -> None:
    at = vault(tmp_path / "edited", dict.fromkeys(reversed(NOTES), "# Something else\n\n[[Roof]] [[Piano]]\n"))
    with Lore(at) as lore:
        lore.refresh()
        for path, text in reversed(NOTES.items()):
            vault(at, {path: text})
            lore.refresh()
        edited = lore.search("who tuned the piano last spring", "piano")
    with Lore(vault(tmp_path / "fresh", NOTES)) as lore:
        assert lore.search("who tuned the piano last spring", "piano") == edited


@pytest.mark.parametrize(
    "question",
    ["'); drop table notes; --", '[[Piano]] "Ilse Brandt" OR *', "\x00\x07 piano", "é" * 5_000, "山" * 5_000],
)
def test_hostile_questions_reach_what_they_name_or_nothing(tmp_path: Path, question: str) -> None:
    assert set(found(vault(tmp_path, NOTES), question)) <= set(NOTES)


def test_who_asks_again_is_answered_as_at_first(tmp_path: Path) -> None:
    questions = ("who tuned the piano last spring", "flat over the bakery", "Tuner", "IB", "slates")
    log = "# Log\n\n[[Piano]] [[Piano]] and [[Ilse]], then [[Mill Row]].\n"
    with Lore(with_notes(tmp_path, {"log.md": log})) as lore:
        first = []
        for question in questions:
            with Lore(tmp_path) as fresh:
                first.append(fresh.search(question))
        assert [lore.search(question) for question in questions * 3] == first * 3
