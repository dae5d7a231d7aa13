"""What stands where in an answer: the note asked for by its name, who speaks of it, what links reach, other times."""

from __future__ import annotations

from pathlib import Path

import pytest

from loreweave.library import Lore
from loreweave.search.found import Result
from typed import vault

SECTIONS = "".join(f"## {part}\n\nThe vendor and its {part}.\n\n" for part in ("papers", "prices", "people", "past"))
NOTES = {
    "vendor.md": f"# Vendor\n\nSends the rates.\n\n{SECTIONS}",
    "atlas.md": "# Atlas\n\nReads the rates of the [[Vendor]] each morning, and who knows what else besides them.\n",
    "ledger.md": "# Ledger\n\nWhat the vendor is paid stands here, month by month, with what was held back.\n",
    "meeting.md": "# Meeting\n\nTom spoke with the vendor, at length, and of the weather and of the trains too.\n",
    "prices.md": "# Prices\n\nApples and pears.\n",
    "days/one.md": "[[Vendor]]\n",
}


def search(at: Path, *wordings: str, **facets: object) -> tuple[Result, ...]:
    with Lore(at) as lore:
        return lore.search(*wordings, **facets).results  # type: ignore[arg-type]


def paths(at: Path, *wordings: str, **facets: object) -> list[str]:
    return [result.path for result in search(at, *wordings, **facets)]


# ----------------------------------------------------------------------------------------------------- names


def test_who_asks_for_a_note_by_its_name_finds_it_first_and_then_who_speaks_of_it(tmp_path: Path) -> None:
    results = search(vault(tmp_path, NOTES), "Vendor", limit=9)
    found = [result.path for result in results]
    assert (found[0], results[0].why[0]) == ("vendor.md", "called vendor")
    assert {"atlas.md", "ledger.md", "meeting.md"} <= set(found[:5])
    assert found.count("vendor.md") == 5
    scores = [result.score for result in results]
    assert scores == sorted(scores, reverse=True)


def test_a_note_named_in_a_question_gives_way_to_none_that_says_less(tmp_path: Path) -> None:
    assert paths(vault(tmp_path, NOTES), "papers and prices of the Vendor")[:2] == ["vendor.md", "vendor.md"]


@pytest.mark.parametrize(
    ("path", "note", "question"),
    [
        ("a/old rates.md", "Nothing yet.\n", "old rates"),
        ("a/old-rates.md", "![[rates.png]]\n", "Old Rates?"),
        (
            "a/1.md",
            "---\ntitle: Who pays the vendor - and who does not\n---\n",
            "who pays the vendor - and who does not",
        ),
        ("a/2.md", "---\naliases: [Rates]\n---\n\nNothing yet.\n", "rates"),
        ("a/3.md", "# vendor: the rates of\n\nNothing yet.\n", "vendor: the rates of"),
        ("a/供应商：下.md", "暂无。\n", "供应商：下"),
    ],
)
def test_the_note_of_the_whole_name_comes_before_all_that_say_its_words(
    tmp_path: Path, path: str, note: str, question: str
) -> None:
    many = {
        f"many/{number}.md": f"# Talk {number}\n\n{question}: rates, old rates {number}.\n" for number in range(120)
    }
    at = vault(tmp_path, {**NOTES, **many, path: note})
    assert paths(at, question)[0] == path
    assert paths(at, question, limit=60)[0] == path


def test_of_notes_of_one_name_the_one_that_words_find_best_comes_first(tmp_path: Path) -> None:
    at = vault(tmp_path, {**NOTES, "a/rates.md": "Of apples.\n", "b/rates.md": "Rates, and rates again.\n"})
    assert paths(at, "rates")[0] == "b/rates.md"


def test_of_several_wordings_each_may_be_a_name(tmp_path: Path) -> None:
    assert set(paths(vault(tmp_path, NOTES), "atlas", "prices")[:2]) == {"atlas.md", "prices.md"}


def test_a_note_of_the_name_that_may_not_be_found_is_not(tmp_path: Path) -> None:
    assert "vendor.md" not in paths(vault(tmp_path, NOTES), "Vendor", folder="days")


# ----------------------------------------------------------------------------------------------------- links


def test_what_links_reach_takes_the_last_places_of_five(tmp_path: Path) -> None:
    said = {f"said/{number}.md": f"# Said {number}\n\nThe harvest {'was late ' * number}.\n" for number in range(8)}
    fields = {name: f"# {name[0]}\n\nFour acres.\n" for name in ("N.md", "S.md", "W.md")}
    harvest = {"harvest.md": "# Corn\n\nThe harvest of [[N]], [[S]] and [[W]] was a harvest.\n"}
    results = search(vault(tmp_path, {**said, **fields, **harvest}), "how was the harvest", limit=10)
    assert [bool(result.score) for result in results[:8]] == [True, True, True, False, False, True, True, True]


@pytest.mark.parametrize("empty", ["![a picture](s.png)\n", "# S\n\n- [[Corn]]\n", "```\nwheat\n```\n"])
def test_what_says_nothing_is_reached_by_no_link(tmp_path: Path, empty: str) -> None:
    notes = {"corn.md": "# Corn\n\nThe harvest of [[S]] was late.\n", "S.md": empty, "T.md": "[[Corn]] in May.\n"}
    assert paths(vault(tmp_path, notes), "harvest") == ["corn.md", "T.md"]


def test_a_frequent_word_in_small_letters_names_no_note(tmp_path: Path) -> None:
    days = {f"tasks/{number}.md": f"# Day {number}\n\nThe tasks of day {number}.\n" for number in range(40)}
    at = vault(
        tmp_path,
        {**days, "tasks.md": f"{'Wood and wire. ' * 60}[[Bench]]\n", "bench.md": "# Bench\n\nBelow the oak.\n"},
    )
    assert "bench.md" not in paths(at, "which tasks were overdue")
    assert "bench.md" in paths(at, "which Tasks were overdue")
    assert paths(at, "tasks")[0] == "tasks.md"


# ----------------------------------------------------------------------------------------------------- times


def test_the_same_text_of_other_dates_is_several_results(tmp_path: Path) -> None:
    text = "The boiler was looked after, and nothing was amiss with it.\n"
    notes = {"a.md": f"---\ndate: 2023-11-02\n---\n{text}", "b.md": f"---\ndate: 2024-11-05\n---\n{text}"}
    at = vault(tmp_path, {**notes, "2022-11-09.md": text, "copy/a.md": notes["a.md"]})
    results = search(at, "boiler")
    assert sorted(result.path for result in results) == ["2022-11-09.md", "a.md", "b.md"]
    assert [result.also for result in results if result.path == "a.md"] == [("copy/a.md:4-4",)]


def test_a_text_of_very_many_days_leaves_room_for_others(tmp_path: Path) -> None:
    days = {
        f"days/2024-{month:02}-{day:02}.md": "Water the plants.\n" for month in range(1, 13) for day in range(1, 29)
    }
    found = paths(
        vault(tmp_path, {**days, "fern.md": "# Fern\n\nNeeds water now and then, says the seller.\n"}), "water"
    )
    assert (len(found), found[-1]) == (4, "fern.md")
