"""Laws about the two time axes: the past does not move, and each kind of line reaches just so far."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
from hypothesis import given
from hypothesis import strategies as st

from answers import Answers, Row, known_instants, rows
from histories import (
    ANYTHING,
    GRID,
    OPEN_AND_STATED,
    SLOTS,
    Placed,
    acts,
    claims,
    day,
    event_of_line,
    events_of,
    further,
    histories,
    instants,
)
from loreweave.events.model import Event, FactAsserted, Line, ValueObserved, ValueWithdrawn
from loreweave.times import DAY
from oracle import asserted, slot_of

VALID = ("valid_from", "valid_until")
RECORD = ("recorded_at", "known_from", "known_until")


def assert_same_answers(found: Answers, expected: Answers, vs: Iterable[float], ks: Iterable[float]) -> None:
    vs = list(vs)
    for slot in {*found.slots, *expected.slots}:
        for k in ks:
            for v in vs:
                assert found.winners(slot, v, k) == expected.winners(slot, v, k)


@given(histories(least=2), st.data())
def test_law_02_the_past_is_immutable(history: list[Placed], data: st.DataObject) -> None:
    x = data.draw(st.sampled_from(history))
    before, after = Answers(events_of([p for p in history if p is not x])), Answers(events_of(history))
    r = x.event.recorded_at
    assert known_before(after.beliefs, r) == known_before(before.beliefs, r)


def known_before(beliefs: list[Row], r: int) -> list[str]:
    """What was believed at record instants before r, and what of it was not yet known to end."""
    rows = [dict(row) for row in beliefs if row["known_from"] < r]
    for row in rows:
        if row["known_until"] is not None and row["known_until"] >= r:
            row["known_until"] = None
        row.pop("path"), row.pop("line")
    return sorted(map(repr, rows))


@given(histories(), st.sampled_from([1, -3 * DAY, 400 * DAY]), st.booleans())
def test_law_10_shift(history: list[Placed], by: int, valid: bool) -> None:
    axis = VALID if valid else RECORD
    events = events_of(history)
    moved = Answers(attrs.evolve(e, **shifted(attrs.asdict(e), axis, by)) for e in events)
    still = Answers(events)
    for name in ("beliefs", "conflicts", "agreements"):
        expected = [{**row, **shifted(row, axis, by)} for row in rows(still.tables[name])]
        assert rows(moved.tables[name]) == expected


def shifted(row: Row, axis: tuple[str, ...], by: int) -> Row:
    return {name: None if row[name] is None else row[name] + by for name in axis if name in row}


@given(histories(), st.data())
def test_law_12_a_close_never_changes_what_held_before_it(history: list[Placed], data: st.DataObject) -> None:
    close = data.draw(further(acts("invalidate", ANYTHING), history)).event
    events = events_of(history)
    untouched = [v for v in GRID if v < close.valid_until]
    assert_same_answers(Answers([*events, close]), Answers(events), untouched, known_instants([*events, close]))


@given(histories(OPEN_AND_STATED), st.data())
def test_law_13_a_backfill_changes_only_up_to_the_next_known_start(history: list[Placed], data: st.DataObject) -> None:
    events = events_of(history)
    placed = data.draw(further(claims("fact", OPEN_AND_STATED), history))
    start = placed.event.valid_from + data.draw(st.sampled_from([0, DAY // 2, -DAY // 2]))
    if start in {event.valid_from for event in events}:
        start += DAY // 4
    added = event_of_line(placed.line._replace(valid_from=start), placed.path, placed.number)
    before, after = Answers(events), Answers([*events, added])
    for k in known_instants([*events, added]):
        later = [e.valid_from for e in events if e.recorded_at <= k and e.valid_from > start]
        untouched = [v for v in [*GRID, start - 1] if not start <= v < min(later, default=float("inf"))]
        assert_same_answers(after, before, untouched, [k])


@given(histories(), st.data())
def test_law_14_retract_right_after_is_never_having_asserted(history: list[Placed], data: st.DataObject) -> None:
    claim = data.draw(further(claims("fact", ANYTHING), history)).event
    when = claim.recorded_at + data.draw(st.sampled_from([0, 1]))
    events = [e for e in events_of(history) if not (says(e, claim) and e.recorded_at <= when)]
    retract = Line("retract", claim.subject, claim.predicate, claim.object, valid_from=claim.valid_from)
    retract = retract._replace(recorded_at=when, because="a slip")
    unsaid = event_of_line(retract, claim.path, claim.line + 1_000)
    ks = [k for k in known_instants([*events, unsaid]) if k >= when]
    assert_same_answers(Answers([*events, claim, unsaid]), Answers(events), GRID, ks)


def says(event: Event, claim: Event) -> bool:
    same = (event.object_key, event.valid_from) == (claim.object_key, claim.valid_from)
    return isinstance(event, (FactAsserted, ValueObserved)) and slot_of(event) == slot_of(claim) and same


@given(histories())
def test_law_15_noted_events_never_change_what_the_asserted_layer_answers(history: list[Placed]) -> None:
    events = events_of(history)
    stated = Answers(event for event in events if not noted(event))
    both = Answers(events)
    for slot in stated.slots:
        for k in known_instants(events):
            for v in GRID:
                assert stated.winners(slot, v, k).items() <= both.winners(slot, v, k).items()


def noted(event: Event) -> bool:
    extracted = isinstance(event, FactAsserted) and not asserted(event)
    return extracted or isinstance(event, (ValueObserved, ValueWithdrawn))


@given(claims("fact", ANYTHING), instants, instants, st.integers(1, 3), st.booleans())
def test_law_16_assert_close_assert_again_equals_the_single_assert(
    said: Line, recorded: int, ended: int, waited: int, guarded: bool
) -> None:
    _, subject, predicate = SLOTS[0]
    said = said._replace(subject=subject, predicate=predicate, valid_from=said.valid_from or said.recorded_at)
    closing = Line("invalidate", subject, predicate, said.object if guarded else None, valid_until=ended)
    closing = closing._replace(recorded_at=max(recorded, said.recorded_at))
    again = said._replace(recorded_at=closing.recorded_at + waited * DAY, valid_until=None)
    elsewhere = Line(
        "fact", subject, predicate, "later", valid_from=max(ended, said.valid_from) + DAY, recorded_at=day(1)
    )
    lines = [elsewhere, said, closing, again]
    events = [event_of_line(line, "lore/journal/2024-01-01.md", n) for n, line in enumerate(lines, 1)]
    ks = [k for k in known_instants(events) if k >= again.recorded_at]
    single = Answers([events[0], events[3]])
    assert_same_answers(Answers(events), single, [*GRID, day(8), day(9)], ks)
