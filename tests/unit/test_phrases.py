"""The names that a passage may mention."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.events.slots import key
from loreweave.projections.phrases import MOST, phrases


def test_a_run_of_capitalised_words_gives_itself_and_the_runs_within() -> None:
    assert phrases("then Amara Osei left") == ("amara", "amara osei", "osei")


def test_a_small_word_stands_between_capitals_only() -> None:
    found = phrases("at the University of Accra and then")
    assert found == ("accra", "university", "university of accra")


def test_an_article_that_begins_a_name_is_part_of_it_and_no_name_alone() -> None:
    assert phrases("The Old Mill") == ("mill", "old", "old mill", "the old", "the old mill")
    assert phrases("The mill is old. When was that?") == ()


def test_a_number_may_end_a_name_and_begins_none() -> None:
    assert phrases("launch Apollo 11 in 1969") == ("apollo", "apollo 11")


def test_a_name_goes_on_over_the_end_of_a_line_but_not_over_an_empty_one() -> None:
    assert "amara osei" in phrases("by Amara\nOsei")
    assert "amara osei" not in phrases("by Amara\n\nOsei")


def test_a_name_keeps_its_hyphens_and_apostrophes_as_keys_do_and_loses_the_possessive() -> None:
    assert phrases("Jean-Luc’s and O'Neill's") == ("jean luc", "jean luc and o'neill", "o'neill")


def test_capitals_of_every_script_begin_a_name() -> None:
    assert phrases("mit Élodie Ångström, и Юрий") == ("ångström", "élodie", "élodie ångström", "юрий")


def test_what_may_be_initials_is_given_as_written_too() -> None:
    assert phrases("the LF, Lf, then GDPR2") == ("LF", "gdpr2", "lf")


@pytest.mark.parametrize(
    "text",
    [
        "`Amara Osei`",
        "```\nAmara Osei\n```",
        "~~~ Amara\nAmara Osei",
        "[[Amara Osei|Amara]]",
        "[she](Amara/Osei.md)",
        "<Amara>",
        "https://example.com/Amara",
        "#Amara/Osei",
        "osei@Amara.example",
        "camelCase",
    ],
)
def test_code_links_addresses_and_tags_are_passed_over(text: str) -> None:
    assert phrases(f"so\n{text}") in ((), ("she",))


def test_what_stands_after_a_fence_is_read_again() -> None:
    assert phrases("```\nAmara\n```\nby Priya") == ("priya",)


def test_of_many_names_the_first_are_kept() -> None:
    text = ". ".join(f"Name{number:04}" for number in range(2 * MOST))
    assert phrases(text) == tuple(f"name{number:04}" for number in range(MOST))


@given(st.text(alphabet="AaBbé Éſß\n-'’&12`[]()<>#@.of", max_size=200))
def test_what_is_found_are_keys_each_once_and_sorted(text: str) -> None:
    found = phrases(text)
    assert list(found) == sorted(set(found))
    assert all(key(each) == each != "" or each.isupper() for each in found)


@pytest.mark.parametrize(
    "unit", ["A", "A ", "A\n", "Aé", "A字", "A-", "A'", "A of the ", "`A", "[[A", "](A", "<A", "#A", "`a``"]
)
def test_a_text_of_one_thing_alone_is_read_in_the_time_its_length_takes(unit: str) -> None:
    def spent(length: int) -> float:
        began = time.process_time()
        phrases(unit * (length // len(unit)))
        return time.process_time() - began

    assert spent(1_600_000) < 50 * max(spent(100_000), 0.01)
