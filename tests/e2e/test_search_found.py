"""What a search finds, from the notes to the answer: words, order of words, facets, copies, synonyms, hostile texts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from house.tree import PACKAGE
from loreweave.library import Lore
from loreweave.search.found import Found
from typed import vault

STRONG = 120
"""More strong matches than are fused."""

NOTES = {
    "projects/atlas.md": "---\ntags: [project/open, Ledger]\n---\n# Atlas\n\nThe rates of the vendor, each morning.\n",
    "projects-old/atlas.md": "# Atlas of old\n\nThe rates of the vendor, each week.\n",
    "order/b-phrase.md": "# One\n\nNow the night train leaves, and the fare and the seat are paid.\n",
    "order/a-scattered.md": "# Two\n\nNow the train leaves, and the fare and the night are paid.\n",
    "code/a-drawing.md": "```\nkettle to tap\npan to lid\n```\n",
    "code/b-prose.md": "Here the kettle stands.\nAnd sings.\n",
    "people/donor.md": "# Amara\n\nShe is the main funder of the library.\n",
    "script/river.md": "# 河\n\n冰川的流量每年都在变化。\n",
    "script/learn.md": "# 学\n\n机器学习的方法很多。\n",
    "script/hindi.md": "# भाषा\n\nयह एक परीक्षण है और पुस्तक यहाँ है।\n",
    "script/cafe.md": "# Corner\n\nThe café by the lock, called gla\ufeffcier by some.\n",
    "copies/one.md": "# Rules\n\nWhoever comes last puts the lights out and shuts the windows on the court.\n",
    "copies/two.md": "# Rules\n\nWhoever comes last puts the lights out and shuts the windows on the court.\n",
    "heads/only.md": "# Turnstile\n",
    "heads/front.md": "---\nabout: Sextant\n---\n",
    "kept/weak.md": "---\ntags: [kept]\n---\n# Kept\n\nOnce, among many words of no weight, stands pebble here.\n",
} | {f"strong/{number:03}.md": f"# Pebble {number}\n\nPebble, pebble, pebble {number}.\n" for number in range(STRONG)}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("notes"), NOTES)


@pytest.fixture(scope="module")
def lore(notes: Path) -> Iterator[Lore]:
    with Lore(notes) as opened, opened.settled():
        yield opened


def paths(lore: Lore, *wordings: str, **facets: Any) -> list[str]:
    return [result.path for result in lore.search(*wordings, **facets).results]


# ----------------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("冰川", "script/river.md"),
        ("流量", "script/river.md"),
        ("机器学习", "script/learn.md"),
        ("पुस्तक", "script/hindi.md"),
        ("cafe", "script/cafe.md"),
        ("CAFÉ", "script/cafe.md"),
        ("glacier", "script/cafe.md"),
        ("turnstiles", "heads/only.md"),
        ("sextant", "heads/front.md"),
    ],
)
def test_words_of_any_script_are_found(lore: Lore, question: str, first: str) -> None:
    assert paths(lore, question)[0] == first


def test_a_pair_turned_round_is_not_found(lore: Lore) -> None:
    assert paths(lore, "学机") == []


def test_words_side_by_side_come_before_scattered_ones(lore: Lore) -> None:
    assert paths(lore, "night train")[:2] == ["order/b-phrase.md", "order/a-scattered.md"]


def test_between_equals_prose_comes_before_a_drawing(lore: Lore) -> None:
    assert paths(lore, "kettle")[:2] == ["code/b-prose.md", "code/a-drawing.md"]


def test_a_word_that_is_nowhere_is_asked_for_by_its_synonyms_and_the_answer_says_so(lore: Lore) -> None:
    (result,) = lore.search("benefactor").results
    assert (result.path, result.why) == ("people/donor.md", ("matches funder (for benefactor)",))


def test_a_word_that_is_there_is_never_widened(lore: Lore) -> None:
    assert paths(lore, "vendor seller", folder="people") == []
    assert "people/donor.md" not in paths(lore, "funder vendor", folder="projects")


def test_the_fortieth_word_of_a_question_counts(lore: Lore) -> None:
    assert paths(lore, " ".join([*(f"nowhere{number}" for number in range(40)), "turnstile"])) == ["heads/only.md"]


def test_a_question_of_stop_words_alone_is_asked_as_it_is(lore: Lore) -> None:
    assert paths(lore, "and the of")


def test_what_is_found_says_which_words_it_has_and_where(lore: Lore) -> None:
    (result, *_) = lore.search("rates in the open project", "vendor each morning", limit=1).results
    assert result.path == "projects/atlas.md"
    assert result.why[0] == "matches rates, vendor, morning"
    assert result.why[1] == "title, headings, tags or folder match open, project"
    assert result.why[-1] == "found by 2 of 2 wordings"
    assert {"rates", "vendor", "morning"} <= set(result.words)


@pytest.mark.parametrize(
    "question",
    [
        '"unbalanced',
        "NEAR(a b) OR *",
        "'; drop table spans; --",
        "$1 ? %s {} \\",
        "\x00\x1b[31m",
        "🔥",
        "(((((",
        "-kettle",
        "kettle*",
        "\u202e\u200f",
        "a" * 100_000,
        "kettle " * 5_000 + " ".join(f"w{number}" for number in range(5_000)),
    ],
)
def test_hostile_questions_are_words_like_any_other(lore: Lore, question: str) -> None:
    found = paths(lore, question)
    assert ("kettle" not in question) or found[0].startswith("code/")


def test_terms_count_the_passages_that_have_a_word(lore: Lore) -> None:
    rows = lore.sql("select field, df, scope_key from terms where term = 'turnstil' order by all").to_pylist()
    assert [tuple(row.values()) for row in rows] == [("metadata", 1, "default"), ("text", 1, "default")]


# ---------------------------------------------------------------------------------------------------- facets


def test_a_weak_match_with_the_tag_is_found_under_any_number_of_strong_ones_without(lore: Lore) -> None:
    assert "kept/weak.md" not in paths(lore, "pebble", limit=50)
    assert paths(lore, "pebble", tags=["kept"]) == ["kept/weak.md"]
    assert paths(lore, "pebble", folder="kept") == ["kept/weak.md"]


@pytest.mark.parametrize(
    "tags", [["ledger"], ["#LEDGER"], ["project"], ["project/open"], ["ledger", "#project"], ["-kept"]]
)
def test_a_tag_is_known_without_its_mark_in_any_case_and_by_the_one_above_it(lore: Lore, tags: list[str]) -> None:
    assert "projects/atlas.md" in paths(lore, "rates", tags=tags)


@pytest.mark.parametrize(
    "tags", [["-ledger"], ["-#Project"], ["ledger", "kept"], ["proj"], ["open"], ["ledger", "-project"]]
)
def test_a_note_without_all_the_tags_or_with_one_left_out_is_not_found(lore: Lore, tags: list[str]) -> None:
    assert "projects/atlas.md" not in paths(lore, "rates", tags=tags)


@pytest.mark.parametrize("folder", ["projects", "projects/", "/projects", "./projects/", "Projects", "projects\\"])
def test_a_folder_is_no_beginning_of_another_name(lore: Lore, folder: str) -> None:
    assert paths(lore, "rates of the vendor", folder=folder) == ["projects/atlas.md"]


def test_too_many_conditions_find_nothing(lore: Lore) -> None:
    assert paths(lore, "rates", tags=["ledger"], folder="people") == []


# ---------------------------------------------------------------------------------------------------- answers


def test_copies_are_one_result_that_names_the_other(lore: Lore) -> None:
    (result,) = lore.search("puts the lights out").results
    assert (result.address, result.also) == ("copies/one.md#Rules:1-3", ("copies/two.md#Rules:1-3",))


def test_where_copies_fill_the_lists_other_notes_are_still_found(tmp_path: Path) -> None:
    template = "# Day\n\n## Tasks\n\nWater the plants, and water them well.\n"
    days = {f"days/{number:04}.md": template for number in range(400)}
    with Lore(vault(tmp_path, days | {"plants.md": "# Fern\n\nNeeds water now and then, says the seller.\n"})) as lore:
        found = lore.search("water")
    assert [result.path for result in found.results] == ["days/0000.md", "plants.md"]
    assert len(found.results[0].also) == 399


def test_a_file_that_cannot_be_read_leaves_the_search_unfinished(tmp_path: Path) -> None:
    notes = vault(tmp_path, {"a.md": "# Kettle\n"})
    with Lore(notes) as lore:
        assert not lore.search("kettle").exhausted
        (notes / "gone.md").symlink_to("nowhere.md")
        assert lore.search("kettle").exhausted


ASK = """
import sys
from loreweave.library import Lore
with Lore(sys.argv[1], refresh=False) as lore:
    print([lore.search(*wordings, limit=50) for wordings in eval(sys.argv[2])])
"""
QUESTIONS = [("pebble",), ("rates of the vendor", "night train", "kettle"), ("the", "pebble 7"), ("冰川 kettle",)]


def test_the_seed_of_hashes_shows_nowhere(lore: Lore, notes: Path) -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", ASK, str(notes), repr(QUESTIONS)],
            env=os.environ | {"PYTHONPATH": str(PACKAGE.parent), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(told) == 1


def asked(notes: Path) -> list[Found]:
    with Lore(notes) as lore, lore.settled():
        return [lore.search(*wordings, limit=50) for wordings in QUESTIONS]


def test_an_index_that_grew_and_shrank_answers_as_one_that_was_built_at_once(tmp_path: Path) -> None:
    one, other = tmp_path / "one", vault(tmp_path / "other", NOTES)
    for number, (path, text) in enumerate(reversed(NOTES.items())):
        vault(one, {path: text, f"gone/{number}.md": f"# Pebble\n\nrates kettle pebble {number}\n"})
        if number % 17 == 0:
            with Lore(one) as lore:
                lore.refresh()
    for left in (one / "gone").iterdir():
        left.unlink()
    assert asked(one) == asked(other)
