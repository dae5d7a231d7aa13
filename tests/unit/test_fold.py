"""The promise of the fold in small: what each situation does, and which lines have no effect."""

from __future__ import annotations

import pytest

from answers import Answers, ineffective
from histories import day
from situations import SITUATIONS, belief, history, plane


@pytest.mark.parametrize(("lines", "beliefs"), SITUATIONS.values(), ids=SITUATIONS.keys())
def test_situation(lines: str, beliefs: list[str]) -> None:
    assert plane(history(lines)) == beliefs


WITHOUT_EFFECT = {
    "a close before the start": ("fact a 4 @4 | close 2 @5", [2]),
    "a close with nothing on record": ("close 4 @1 | fact a 1 @5", [1]),
    "a later close after an earlier one": ("fact a 1 @1 | close 3 @4 | close 5 @6", [3]),
    "a close naming another value": ("fact a 1 @1 | close b 3 @4", [2]),
    "a retraction of what nobody said": ("fact a 1 @1 | retract b @4", [2]),
    "a retraction before the statement": ("retract a @1 | fact a 1 @4", [1]),
    "each that has an effect": ("fact a 1 @1 | close 3 @4 | retract a @5", []),
}


@pytest.mark.parametrize(("lines", "numbers"), WITHOUT_EFFECT.values(), ids=WITHOUT_EFFECT.keys())
def test_without_effect(lines: str, numbers: list[int]) -> None:
    assert [number for _, number in sorted(ineffective(Answers(history(lines)).tables))] == numbers


ENDED_BY = {
    "the claim that takes over": ("fact a 1 @1 | fact b 3 @3", "a 1-3 @3-", 2),
    "a close": ("fact a 1 @1 | close 3 @4", "a 1-3 @4-", 2),
    "nothing where the claim gives its own end": ("fact a 1-3 @1 | close 3 @4", "a 1-3 @1-", None),
    "nothing where it is open": ("fact a 1 @1", "a 1- @1-", None),
    "of two closes at one instant the first recorded": ("fact a 1 @1 | close 3 @5 | close 3 @4", "a 1-3 @4-", 3),
    "of a close and a claim the first recorded": ("fact a 1 @1 | close 3 @4 | fact b 3 @5", "a 1-3 @4-", 2),
    "the close, not what shows from below": ("fact a 3 @1 | fact b 1-5 @2 | close b 3 @4", "b 1-3 @4-", 3),
    "a start known before, past a newer interval": ("fact b 4 @1 | fact a 1-5 @1 | fact c 2-3 @2", "a 3-4 @2-", 1),
    "the statement that masks a note": ("note a 1 @1 | fact b 3 @4", "a 1-3 @4-", 2),
}


@pytest.mark.parametrize(("lines", "ended", "number"), ENDED_BY.values(), ids=ENDED_BY.keys())
def test_ended_by(lines: str, ended: str, number: int | None) -> None:
    events = history(lines)
    row = next(row for row in Answers(events).beliefs if belief(row) == ended)
    assert row["ended_by"] == (number and events[number - 1].event_id)


def test_one_value_is_shown_where_a_single_and_a_many_claim_agree() -> None:
    events = history("fact many a 1 @1 | fact a 2 @3 | fact b 6 @6")
    answers = Answers(events)
    slot = ("default", "atlas", "owner")
    assert answers.winners(slot, day(4), day(4)) == {"a": events[0].event_id, None: events[1].event_id}
    assert answers.shown(slot, day(4), day(4)) == {events[1].event_id}
    assert answers.texts(slot, day(7), day(7)) == {"a", "b"}
