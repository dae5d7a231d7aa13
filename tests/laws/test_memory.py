"""Laws of what fades, for every decay, stability and order of uses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loreweave.projections.memory import FIRST, FLATTEST, LONGEST, STEEPEST, fit, fold, retrievability, strengthened
from loreweave.times import DAY

DECAYS = st.floats(FLATTEST, STEEPEST)
STABILITIES = st.floats(FIRST, LONGEST)
DAYS = st.floats(0, 40_000)
USES = st.lists(st.integers(0, 5_000 * DAY) | st.sampled_from([0, DAY, 2 * DAY]), min_size=1, max_size=12)


@given(STABILITIES, DECAYS)
def test_nine_tenths_are_left_after_as_many_days_as_the_stability_has(stability: float, decay: float) -> None:
    assert abs(retrievability(stability, stability, decay) - 0.9) < 1e-12


@given(DAYS, DAYS, STABILITIES, DECAYS)
def test_what_is_left_falls_with_time_and_never_to_nothing(
    one: float, other: float, stability: float, decay: float
) -> None:
    sooner, later = sorted((one, other))
    first, then = retrievability(sooner, stability, decay), retrievability(later, stability, decay)
    assert 0 < then <= first <= 1
    if later - sooner > 0.001:
        assert then < first


@given(STABILITIES, DAYS, DECAYS)
def test_a_use_never_makes_a_memory_shorter(stability: float, elapsed: float, decay: float) -> None:
    assert stability <= strengthened(stability, retrievability(elapsed, stability, decay)) <= LONGEST


@given(STABILITIES, st.floats(0, 1), st.floats(0, 1))
def test_the_more_was_forgotten_the_more_a_use_gives(stability: float, one: float, other: float) -> None:
    less, more = sorted((one, other))
    assert strengthened(stability, less) >= strengthened(stability, more)


@given(USES, st.randoms(use_true_random=False), DECAYS)
def test_the_order_in_which_uses_are_read_does_not_show(uses: list[int], random: object, decay: float) -> None:
    shuffled = [*uses, uses[0]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fold(shuffled, decay) == fold(uses, decay)


@given(USES, st.integers(0, 5_000 * DAY), DECAYS)
def test_one_more_use_never_leaves_less(uses: list[int], more: int, decay: float) -> None:
    before, after = fold(uses, decay), fold([*uses, more], decay)
    assert before is not None
    assert after is not None
    now = max(before.last, after.last) + 100 * DAY
    if more >= before.last:
        assert after.left(now, decay) >= before.left(now, decay)


@given(st.lists(USES, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_passages_does_not_show_in_the_decay(passages: list[list[int]], random: object) -> None:
    many = passages * 50
    shuffled = list(many)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert fit(shuffled, 6_000 * DAY) == fit(many, 6_000 * DAY)
