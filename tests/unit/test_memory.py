"""What fades: the figures that are known, those of the package ``fsrs`` where both say something, and the fit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from fsrs import Card, Rating, Scheduler, State

from loreweave.projections.memory import (
    DECAY,
    ENOUGH,
    FIRST,
    FLATTEST,
    GRID,
    LONGEST,
    STEEPEST,
    fit,
    fold,
    importance,
    priority,
    retrievability,
    strengthened,
)
from loreweave.times import DAY

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
DECAYS = (0.1, 0.1542, 0.5, 0.8)


@pytest.mark.parametrize(("elapsed", "left"), [(10, 0.9), (30, 0.766), (100, 0.547), (1_000, 0.202)])
def test_what_is_left_of_a_memory_of_ten_days(elapsed: float, left: float) -> None:
    assert round(retrievability(elapsed, 10), 3) == left


@pytest.mark.parametrize(("stability", "left", "after"), [(1, 0.9, 1.353), (10, 0.3, 36.491)])
def test_how_long_a_use_makes_a_memory_last(stability: float, left: float, after: float) -> None:
    assert round(strengthened(stability, left), 3) == after


def test_the_default_decay_has_the_constants_of_the_fourth_version() -> None:
    assert retrievability(7, 3) == pytest.approx((1 + 19 / 81 * 7 / 3) ** -0.5, rel=1e-12)


def test_a_decay_out_of_bounds_is_the_nearest_allowed() -> None:
    assert retrievability(50, 2, 0.01) == retrievability(50, 2, FLATTEST)
    assert retrievability(50, 2, 7) == retrievability(50, 2, STEEPEST)


def _scheduler(decay: float) -> Scheduler:
    """The scheduler whose growth is ours: e^1.2, -0.11 and 1.01, and neither a penalty nor a bonus."""
    parameters = list(Scheduler().parameters)
    parameters[8:11], parameters[20] = [1.2, 0.11, 1.01], decay
    return Scheduler(parameters=parameters, enable_fuzzing=False)


def _card(stability: float) -> Card:
    return Card(state=State.Review, stability=stability, difficulty=10.0, due=BEGIN, last_review=BEGIN)


@pytest.mark.parametrize("decay", DECAYS)
@pytest.mark.parametrize("stability", [0.5, 1.0, 10.0, 400.0])
@pytest.mark.parametrize("elapsed", [1, 3, 30, 365, 3_000])
def test_forgetting_and_growth_are_those_of_the_package_fsrs(decay: float, stability: float, elapsed: int) -> None:
    scheduler, card, then = _scheduler(decay), _card(stability), BEGIN + timedelta(days=elapsed)
    left = retrievability(elapsed, stability, decay)
    assert left == pytest.approx(scheduler.get_card_retrievability(card, then), rel=1e-12)
    reviewed, _ = scheduler.review_card(card, Rating.Good, then)
    assert reviewed.stability is not None
    assert strengthened(stability, left) == pytest.approx(min(LONGEST, reviewed.stability), rel=1e-12)


def test_the_first_use_finds_a_day_of_which_nine_tenths_are_left() -> None:
    memory = fold([5 * DAY])
    assert memory is not None
    assert (memory.stability, memory.last) == (strengthened(FIRST, 0.9), 5 * DAY)


def test_each_use_finds_what_the_days_since_the_one_before_have_left() -> None:
    memory = fold([0, 10 * DAY, 40 * DAY])
    second = strengthened(strengthened(FIRST, 0.9), retrievability(10, strengthened(FIRST, 0.9)))
    assert memory is not None
    assert memory.stability == strengthened(second, retrievability(30, second))
    assert memory.left(140 * DAY) == retrievability(100, memory.stability)


def test_a_use_at_the_same_instant_is_the_same_use_and_no_uses_leave_no_memory() -> None:
    assert fold([DAY, DAY, DAY]) == fold([DAY])
    assert fold([]) is None


def test_no_memory_lasts_longer_than_ten_years() -> None:
    memory = fold([year * 3_650 * DAY for year in range(200)])
    assert memory is not None
    assert memory.stability == LONGEST


def _spaced(*gaps: int) -> list[int]:
    """Uses with these days between them."""
    at, uses = 0, [0]
    for gap in gaps:
        at += gap * DAY
        uses.append(at)
    return uses


def test_fewer_than_fifty_uses_are_not_fitted() -> None:
    passages = [_spaced(3) for _ in range(ENOUGH // 2)]
    assert fit(passages, 100 * DAY) is not None
    assert fit([*passages[1:], [0]], 100 * DAY) is None


def test_what_is_used_again_after_long_gives_a_flatter_decay_than_what_is_used_again_soon() -> None:
    late = fit([_spaced(400, 900) for _ in range(30)], 1_301 * DAY)
    soon = fit([_spaced(2, 3) for _ in range(30)], 6 * DAY)
    assert late is not None
    assert soon is not None
    assert late < soon


def test_the_last_gap_counts_as_one_that_may_be_longer() -> None:
    passages = [_spaced(2, 3) for _ in range(30)]
    open_long, open_short = fit(passages, 3_000 * DAY), fit(passages, 6 * DAY)
    assert open_long is not None
    assert open_short is not None
    assert open_long < open_short


@pytest.mark.parametrize("decay", [0.3, 0.5, 0.7])
def test_the_decay_found_is_the_one_by_which_the_gaps_came(decay: float) -> None:
    """Gaps at evenly spaced chances of the law itself, each after a first use; nothing is open after the second."""
    first, now = strengthened(FIRST, 0.9), 10**9 * DAY
    chances = [(number + 0.5) / 200 for number in range(200)]
    gaps = [first / (0.9 ** (-1 / decay) - 1) * (chance ** (-1 / decay) - 1) for chance in chances]
    assert fit([[now - round(gap * DAY), now] for gap in gaps], now) == pytest.approx(decay, abs=0.0501)


def test_importance_is_that_of_links_and_of_what_the_note_says_of_itself() -> None:
    assert importance(0, 0) == pytest.approx(0.15)
    assert importance(7, 3) == pytest.approx(0.15 + 0.1 * 3 + 0.05 * 2)
    assert importance(7, 3, 1.0) == pytest.approx(0.85)
    assert importance(1 << 20, 0, 1.0) == 1.0


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (0.4, 0.4), (1, 1.0), ("7", 0.7), (10, 1.0), (50, 1.0), (-3, 0.0), ("High", 0.8), (["low"], 0.2),
        ("soon", None), (None, None), (True, None), ("nan", None), ("inf", None), ({}, None), ([1, 2], None),
    ],
)  # fmt: skip
def test_a_priority_is_read_as_people_write_it(written: object, read: float | None) -> None:
    assert priority(written) == read


def test_the_decays_tried_are_those_allowed() -> None:
    assert (GRID[0], GRID[-1], len(GRID)) == (FLATTEST, STEEPEST, 15)
    assert DECAY in GRID
