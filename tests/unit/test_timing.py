"""What the time that a question asks about does to scores."""

from __future__ import annotations

from datetime import datetime

import pytest

from loreweave.search.timing import IN_WINDOW, OLDER, Timed, factors
from loreweave.search.window import Window, window_of

SPRING, SUMMER, AUTUMN = (datetime(2024, month, 2) for month in (4, 7, 10))  # noqa: DTZ001 - as the index gives them


def window(question: str) -> Window:
    read = window_of((question,), None)
    assert read is not None
    return read


def inside(*spans: int) -> dict[int, Timed]:
    return {span: Timed(SPRING, inside=span in spans) for span in range(10)}


def raised(question: str, scores: dict[int, float], times: dict[int, Timed]) -> list[int]:
    """The spans in the order of their scores as the time asked about leaves them."""
    by = factors(window(question), scores, times)
    return sorted(scores, key=lambda span: (-scores[span] * by.get(span, 1), span))


def test_what_is_in_the_window_gains_and_the_rest_keeps_its_score() -> None:
    by = factors(window("in April 2024"), dict.fromkeys(range(10), 5.0), inside(3))
    assert by == {3: pytest.approx(1 + IN_WINDOW * 0.9)}


def test_the_more_are_in_the_window_the_less_each_gains() -> None:
    scores = dict.fromkeys(range(10), 5.0)
    gains = [factors(window("in April 2024"), scores, inside(*range(count)))[0] for count in range(1, 11)]
    assert gains == sorted(gains, reverse=True)
    assert (gains[-1], len(set(gains))) == (1, 10)


def test_the_best_in_the_window_comes_before_a_page_without_a_date_that_answers_better() -> None:
    assert raised("in April 2024", {0: 10.0, 1: 4.0, 2: 3.0}, inside(1))[0] == 1


def test_a_page_without_a_date_is_not_buried_below_all_that_is_in_the_window() -> None:
    scores = {0: 10.0, **dict.fromkeys(range(1, 10), 5.0), **dict.fromkeys(range(10, 40), 1.0)}
    assert raised("in April 2024", scores, inside(*range(1, 10))).index(0) <= 2


def test_the_order_of_what_is_in_the_window_stays_that_of_its_scores() -> None:
    scores = {number: float(number % 7) for number in range(10)}
    order = [span for span in raised("in April 2024", scores, inside(1, 3, 4, 6, 8)) if span in {1, 3, 4, 6, 8}]
    assert order == [6, 4, 3, 1, 8]


def test_a_window_in_which_nothing_is_changes_nothing() -> None:
    assert factors(window("in 1999"), {1: 5.0, 2: 4.0}, inside()) == {}
    assert factors(window("in 1999"), {}, {}) == {}
    assert factors(window("the latest"), {}, {}) == {}


def test_a_question_for_the_newest_puts_the_newest_of_equals_first() -> None:
    times = {1: Timed(SPRING, inside=False), 2: Timed(AUTUMN, inside=False), 3: Timed(SUMMER, inside=False)}
    assert raised("the latest figures", {1: 5.2, 2: 5.0, 3: 5.1}, times) == [2, 3, 1]
    assert raised("the figures of May 2024", {1: 5.2, 2: 5.0, 3: 5.1}, times) == [1, 3, 2]


def test_a_lone_dated_note_is_not_lifted_above_a_page_without_a_date() -> None:
    times = {1: Timed(SPRING, inside=False), 2: Timed(None, inside=False)}
    assert raised("the latest figures", {1: 4.9, 2: 5.0}, times) == [2, 1]
    assert factors(window("the latest figures"), {1: 4.9, 2: 5.0}, times) == {1: 1}


def test_of_two_dated_notes_the_older_falls_below_a_page_without_a_date() -> None:
    times = {1: Timed(SPRING, inside=False), 2: Timed(None, inside=False), 3: Timed(AUTUMN, inside=False)}
    assert raised("the latest figures", {1: 5.1, 2: 5.0, 3: 4.9}, times) == [2, 3, 1]
    assert factors(window("the latest figures"), {1: 5.1, 2: 5.0, 3: 4.9}, times) == {1: 1 - OLDER, 3: 1}


def test_a_weak_match_that_is_new_takes_nothing_from_a_strong_one_that_is_old() -> None:
    times = {1: Timed(SPRING, inside=False), 2: Timed(AUTUMN, inside=False)}
    assert factors(window("the latest figures"), {1: 5.0, 2: 1.0}, times) == {1: 1}


def test_a_page_without_a_date_hides_no_order_of_age_below_it() -> None:
    times = {1: Timed(SPRING, inside=False), 2: Timed(AUTUMN, inside=False), 3: Timed(None, inside=False)}
    assert raised("the latest figures", {1: 2.1, 2: 2.0, 3: 9.0}, times) == [3, 2, 1]
