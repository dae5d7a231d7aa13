"""Which names are predicates, which describe the file, and which hold a time."""

from __future__ import annotations

import pytest

from loreweave.events.predicates import describes_the_file, is_of_time, is_plain, is_predicate, is_short


@pytest.mark.parametrize("name", ["owner", "next review on", "状态", "x1", "é", "C++", "a" * 40])
def test_a_predicate_has_a_letter_and_few_words(name: str) -> None:
    assert is_predicate(name)


@pytest.mark.parametrize(
    "name", ["", "2024", "---", "🚀", "a" * 41, "one two three four", "Really?", "Yes!", "etc.", "为什么？"]
)
def test_what_is_no_name_of_a_property_is_no_predicate(name: str) -> None:
    assert not is_predicate(name)


@pytest.mark.parametrize("name", ["owner", "due-date", "first_name", "Ana's role", "समय", "can't do"])
def test_a_plain_name_is_made_of_words(name: str) -> None:
    assert is_plain(name)


@pytest.mark.parametrize("name", ["a  b", "a—b", "(a", "“a”", "a、b", "a.b", "a/b"])
def test_a_name_with_punctuation_or_a_gap_is_not_plain(name: str) -> None:
    assert not is_plain(name)


def test_a_short_name_has_two_words_or_eight_signs_of_chinese() -> None:
    names = ["Owner", "Site shell", "负责人", "默认的编辑模式一", "One two three", "默认的编辑模式一二"]
    assert [is_short(name) for name in names] == [True, True, True, True, False, False]


@pytest.mark.parametrize(
    "name",
    [
        *("title", "Tags", "cssClass", "valid_from", "Valid-Until", "event date", "URL", "desc", "CREATED"),
        *("date created", "created_at", "createdAt", "last-modified", "Last updated on", "creation date", "createTime"),
        *("kanban-plugin", "excalidraw-plugin"),
    ],
)
def test_a_name_that_describes_the_file_is_known_by_its_words(name: str) -> None:
    assert describes_the_file(name)


@pytest.mark.parametrize("name", ["status", "published", "start date", "update", "created by", "editor", "plugins"])
def test_other_names_do_not_describe_the_file(name: str) -> None:
    assert not describes_the_file(name)


@pytest.mark.parametrize("name", ["due", "closed_at", "start date", "deployed", "startedAt", "deadline", "valid until"])
def test_a_name_says_that_it_holds_a_time(name: str) -> None:
    assert is_of_time(name)


@pytest.mark.parametrize("name", ["phone", "isbn", "seed", "at risk", "dateline", "order number", "", "red"])
def test_other_names_hold_no_time(name: str) -> None:
    assert not is_of_time(name)
