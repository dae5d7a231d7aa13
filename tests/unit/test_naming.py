"""What a question or a passage may name."""

from __future__ import annotations

import time

import pytest

from loreweave.search.naming import Named, asked_names, named_in, whole_names, written_names


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who keeps the Glacier Dataset?", "glacier dataset"),
        ("who keeps the glacier dataset", "glacier dataset"),
        ("where is amara's flat", "amara"),
        ("is Dr. Osei in?", "dr. osei"),
        ("“Amara-Osei”, or whom?", "amara osei"),
        ("meet at the Old Mill, then", "the old mill"),
        ("山口站的报告由谁写", "山口站"),
        ("센서담당자는", "센서"),
        ("Who is Jürgen Straße", "jürgen strasse"),
    ],
)
def test_a_question_names_by_any_run_of_its_words_or_signs(question: str, name: str) -> None:
    assert name in asked_names(question).keys


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Embed File in to Note - File to Embed", "embed file in to note file to embed"),
        ("“Glacier: the Dataset”?", "glacier: the dataset"),
        ("Who goes there?", "who goes there?"),
        ("神探夏洛克：最后的誓言", "神探夏洛克:最后的誓言"),
        ("notes.md", "notes"),
    ],
)
def test_a_question_may_be_nothing_but_a_name(question: str, name: str) -> None:
    assert name in whole_names(question)
    assert name in asked_names(question).keys


def test_a_word_that_tells_nothing_names_nothing_alone() -> None:
    assert asked_names("who was it then").keys == (
        "who was it then",
        "who was",
        "who was it",
        "was it",
        "was it then",
        "it then",
    )


def test_a_name_ends_where_a_sentence_does() -> None:
    assert "amara osei" not in asked_names("who is Amara? Osei is here.").keys


def test_initials_are_words_in_capitals_where_not_all_is() -> None:
    assert asked_names("what does the RWB want of Tom").initials == ("RWB",)
    assert asked_names("WHAT DOES THE RWB WANT").initials == ()


def test_a_passage_names_by_capitals_and_read_closely_by_several_words_in_any_case() -> None:
    text = "the glacier dataset of Amara"
    assert written_names(text, closely=False).keys == ("amara",)
    assert {"amara", "glacier dataset"} <= set(written_names(text, closely=True).keys)
    assert "glacier" not in written_names(text, closely=True).keys


def test_within_a_longer_name_a_shorter_one_names_nothing() -> None:
    known = {each: Named(f"{each}.md", each, "title") for each in ("mill", "the old mill", "山", "山口站", "osei")}
    assert set(named_in(asked_names("the old mill of Osei"), known)) == {"the old mill", "osei"}
    assert set(named_in(asked_names("山口站"), known)) == {"山口站"}


@pytest.mark.parametrize("unit", ["a ", "A ", "山", "'", ". ", "a'", "é ", "RWB "])
def test_a_long_question_is_read_in_the_time_of_its_beginning(unit: str) -> None:
    began = time.process_time()
    names = asked_names(unit * 500_000)
    written_names(unit * 500_000, closely=True)
    assert time.process_time() - began < 1
    assert len(names.keys) < 20_000
