"""The short way through simple slots: stated claims and closes, or what a note states, at record instants apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers import Answers, ineffective, rows
from histories import Kind, Placed, events_of, histories
from loreweave.projections import project, slots
from oracle import slot_of
from oracle_planes import ineffective as without_effect
from oracle_planes import plane

SIMPLE = Kind(kinds=("fact", "fact", "fact", "invalidate"), many=(False,), sources=(None,), slots=2)
NOTED = Kind(kinds=("observed",), many=(False,), sources=(None,), slots=2)


def at_instants_of_their_own(history: list[Placed]) -> list[Placed]:
    """The same lines, no two recorded at one instant."""
    return [
        Placed(placed.line._replace(recorded_at=placed.line.recorded_at + placed.number), placed.path, placed.number)
        for placed in history
    ]


simple_histories = st.builds(at_instants_of_their_own, st.one_of(histories(SIMPLE, least=2), histories(NOTED, least=1)))


@given(simple_histories)
def test_the_short_way_is_the_oracle_s(history: list[Placed]) -> None:
    events = events_of(history)
    answers = Answers(events)
    for slot in {slot_of(event) for event in events}:
        assert sorted(answers.plane(slot), key=repr) == sorted(plane(events, slot), key=repr)
    silent = without_effect(events)
    assert ineffective(answers.tables) == {(e.path, e.line) for e in events if e.event_id in silent}


@settings(max_examples=2 * settings().max_examples)
@given(simple_histories)
def test_the_short_way_and_the_plane_give_the_same_tables(history: list[Placed]) -> None:
    short = project(events_of(history))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slots, "fold_simple", lambda *_: None)
        long = project(events_of(history))
    assert all(rows(short[name]) == rows(long[name]) for name in long)
