"""Laws about what is answered: one value, the oracle's value, tiled, joined, and nothing invented."""

from __future__ import annotations

from hypothesis import given

from answers import Answers, ineffective, known_instants
from histories import GRID, MANY, SINGLE, Placed, events_of, histories
from loreweave.events.model import Event
from oracle import OPEN, asking, on_record, shown, slot_of
from oracle_planes import ineffective as without_effect
from oracle_planes import plane


def slots_of(events: list[Event]) -> list[tuple[str, str, str]]:
    return sorted({slot_of(event) for event in events})


@given(histories(SINGLE))
def test_law_01_one_value(history: list[Placed]) -> None:
    events = events_of(history)
    answers = Answers(events)
    for slot in slots_of(events):
        for k in known_instants(events):
            for v in GRID:
                assert len(answers._held(slot, v, k)) <= 1


@given(histories())
def test_law_05_oracle(history: list[Placed]) -> None:
    events = events_of(history)
    answers = Answers(events)
    for slot in slots_of(events):
        for k in known_instants(events):
            at = asking(events, slot, k)
            for v in GRID:
                won = at(v)
                assert answers.winners(slot, v, k) == {sub: claim.event_id for sub, claim in won.items()}
                assert answers.shown(slot, v, k) == {claim.event_id for claim in shown(won)}


@given(histories())
def test_law_06_tiling(history: list[Placed]) -> None:
    events = events_of(history)
    answers = Answers(events)
    for slot in slots_of(events):
        believed = answers.plane(slot)
        assert len(believed) == len(set(believed))
        assert set(believed) == plane(events, slot)
        for belief in believed:
            assert belief.valid_until is None or belief.valid_from < belief.valid_until
            assert belief.known_until is None or belief.known_from < belief.known_until
        for k in known_instants(events):
            for v in GRID:
                held = answers._held(slot, v, k)
                assert len(held) == len(answers.winners(slot, v, k))


@given(histories())
def test_law_11_no_invention_and_never_known_before_recorded(history: list[Placed]) -> None:
    events = events_of(history)
    recorded = {e.event_id: e for slot in slots_of(events) for e in on_record(events, slot, OPEN)}
    instants = {event.recorded_at for event in events}
    said = (
        "scope subject predicate object scope_key subject_key predicate_key object_key source confidence many "
        "recorded_by path line"
    ).split()
    for row in Answers(events).beliefs:
        claim = recorded[row["event_id"]]
        assert [row[name] for name in said] == [getattr(claim, name) for name in said]
        assert claim.recorded_at <= row["known_from"]
        assert {row["known_from"], row["known_until"]} <= instants | {None}
        assert claim.valid_from <= row["valid_from"]
        assert (row["valid_until"] or OPEN) <= (claim.valid_until or OPEN)
        assert row["ended_by"] is None or row["ended_by"] in recorded


@given(histories(MANY))
def test_law_19_a_many_valued_predicate_answers_the_union_of_its_sub_slots(history: list[Placed]) -> None:
    events = events_of(history)
    answers = Answers(events)
    for slot in slots_of(events):
        of_slot = [event for event in events if slot_of(event) == slot]
        members = {event.object_key for event in of_slot if event.object_key is not None}
        alone = [Answers(e for e in of_slot if e.object_key in (None, member)) for member in members]
        for k in known_instants(of_slot):
            for v in GRID:
                union = set().union(*(each.shown(slot, v, k) for each in alone))
                assert answers.shown(slot, v, k) == union


@given(histories())
def test_closes_retractions_and_withdrawals_without_effect_are_listed(history: list[Placed]) -> None:
    events = events_of(history)
    silent = without_effect(events)
    recorded = [e for slot in slots_of(events) for e in on_record(events, slot, OPEN)]
    assert ineffective(Answers(events).tables) == {(e.path, e.line) for e in recorded if e.event_id in silent}
