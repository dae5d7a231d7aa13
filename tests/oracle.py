"""The oracle: what is believed at (V, K), rebuilt from nothing for every question, with no cleverness and no speed.

It follows the law's own order: visible claims, same start, reach, closes, value. It shares no code
with the fold but the events themselves, so that the two can only agree by both being right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from loreweave.events.model import (
    RANKS,
    Event,
    FactAsserted,
    FactInvalidated,
    FactRetracted,
    ValueObserved,
    ValueWithdrawn,
)

Slot = tuple[str, str | None, str | None]
SubSlot = str | None
"""None is the sub-slot of the single claims; each object of many claims has one of its own."""

OPEN = float("inf")
NEVER = float("-inf")


@attrs.frozen
class Reach:
    """An alive claim and the valid interval [start, end) it reaches; empty after a close at its start."""

    claim: Event
    start: float
    end: float

    def holds(self, v: float) -> bool:
        return self.start <= v < self.end


# Order, priority, layers ---------------------------------------------------------------------------------


def order(event: Event) -> tuple[int, str, int]:
    return (event.recorded_at, event.path, event.line)


def rank(claim: Event) -> int:
    return RANKS.get(claim.source or "", 1)


def priority(claim: Event) -> tuple[int, int, int, str, int, str]:
    return (claim.recorded_at, claim.valid_from, rank(claim), claim.path, claim.line, claim.object)


def asserted(claim: Event) -> bool:
    return claim.source in ("stated", "inferred")


def slot_of(event: Event) -> Slot:
    return (event.scope_key, event.subject_key, event.predicate_key)


def sub_slot_of(claim: Event) -> SubSlot:
    return claim.object_key if claim.many else None


def on_record(events: Iterable[Event], slot: Slot, k: float) -> list[Event]:
    """E: the events of the slot with rec <= K; equal ids are one event, at its first origin."""
    first: dict[str, Event] = {}
    for event in sorted(events, key=lambda e: (e.path, e.line)):
        if slot_of(event) == slot and event.recorded_at <= k:
            first.setdefault(event.event_id, event)
    return sorted(first.values(), key=order)


def claims_of(e: list[Event]) -> list[Event]:
    return [claim for claim in e if isinstance(claim, (FactAsserted, ValueObserved))]


def first_sight(claim: Event, e: list[Event]) -> Event:
    """For an observation, the first one in the whole slot with the same object and times; else the claim."""
    if not isinstance(claim, ValueObserved):
        return claim
    return min((o for o in e if isinstance(o, ValueObserved) and _says(o) == _says(claim)), key=order)


def _says(claim: Event) -> tuple[object, ...]:
    return (claim.object_key, claim.valid_from, claim.valid_until)


# 3.1 Visible claims --------------------------------------------------------------------------------------


def guard_fits(guarded: Event, claim: Event) -> bool:
    return guarded.object_key is None or guarded.object_key == claim.object_key


def retracts(r: Event, claim: Event, e: list[Event]) -> bool:
    before = order(first_sight(claim, e)) < order(r)
    return before and guard_fits(r, claim) and r.valid_from in (None, claim.valid_from)


def withdraws(w: Event, claim: Event) -> bool:
    """A withdrawal reaches observations of its own note: those in the single sub-slot, or with `many` many claims."""
    if not isinstance(claim, ValueObserved) or claim.note != w.note or claim.many != w.many:
        return False
    return order(claim) < order(w) and guard_fits(w, claim)


def unsays(x: Event, claim: Event, e: list[Event]) -> bool:
    if isinstance(x, FactRetracted):
        return retracts(x, claim, e)
    return isinstance(x, ValueWithdrawn) and withdraws(x, claim)


def unsaid(claim: Event, e: list[Event]) -> bool:
    return any(unsays(x, claim, e) for x in e)


# 3.2 Same start, 3.3 Reach, 3.4 Closes -------------------------------------------------------------------


def alive(e: list[Event], sub: SubSlot) -> list[Event]:
    """The claims of a sub-slot that are visible and the greatest of their start within their layer."""
    seen = [claim for claim in claims_of(e) if sub_slot_of(claim) == sub and not unsaid(claim, e)]
    return [claim for claim in seen if claim == max((c for c in seen if _same_start(c, claim)), key=priority)]


def _same_start(a: Event, b: Event) -> bool:
    return a.valid_from == b.valid_from and asserted(a) == asserted(b)


def reach(claim: Event, living: list[Event]) -> Reach:
    start: float = claim.valid_from
    if claim.valid_until is not None:
        return Reach(claim, start, claim.valid_until)
    later = [c.valid_from for c in living if asserted(c) == asserted(claim) and c.valid_from > start]
    return Reach(claim, start, min(later, default=OPEN))


def hits(close: Event, claim: Event, e: list[Event]) -> bool:
    t, start, seen = close.valid_until, claim.valid_from, first_sight(claim, e)
    if not guard_fits(close, claim):
        return False
    if seen.recorded_at < close.recorded_at:
        return start <= t
    if seen.recorded_at == close.recorded_at:
        return start < t or (start == t and order(seen) < order(close))
    return False


def closed(reached: Reach, closes: list[Event], e: list[Event]) -> Reach:
    ends = [close.valid_until for close in closes if hits(close, reached.claim, e)]
    return attrs.evolve(reached, end=max(reached.start, min([reached.end, *ends])))


def closes_of(e: list[Event]) -> list[Event]:
    return [close for close in e if isinstance(close, FactInvalidated)]


def reaches(e: list[Event], sub: SubSlot) -> list[Reach]:
    living = alive(e, sub)
    return [closed(reach(claim, living), closes_of(e), e) for claim in living]


# 3.5 Value -----------------------------------------------------------------------------------------------


def winner(reached: list[Reach], v: float) -> Event | None:
    """The one claim of a sub-slot that is believed at V, given the reaches of its alive claims."""
    stated = [r for r in reached if asserted(r.claim)]
    holding = [r.claim for r in stated if r.holds(v)]
    if not holding:
        f = max((r.end for r in stated if r.end <= v), default=NEVER)
        holding = [r.claim for r in reached if not asserted(r.claim) and r.holds(v) and r.start >= f]
    return max(holding, key=priority, default=None)


def sub_slots(events: Iterable[Event], slot: Slot) -> list[SubSlot]:
    here = {sub_slot_of(c) for c in claims_of(on_record(events, slot, OPEN))}
    return sorted(here, key=lambda sub: (sub is not None, sub or ""))


def winners(events: Iterable[Event], slot: Slot, v: float, k: float) -> dict[SubSlot, Event]:
    """The winning claim of each sub-slot that has a value at (V, K)."""
    return asking(events, slot, k)(v)


def asking(events: Iterable[Event], slot: Slot, k: float) -> Callable[[float], dict[SubSlot, Event]]:
    """The same for one K and many V: the state at K is rebuilt once."""
    events = list(events)
    e = on_record(events, slot, k)
    state = {sub: reaches(e, sub) for sub in sub_slots(events, slot)}

    def at(v: float) -> dict[SubSlot, Event]:
        found = {sub: winner(reached, v) for sub, reached in state.items()}
        return {sub: claim for sub, claim in found.items() if claim is not None}

    return at


def shown(won: dict[SubSlot, Event]) -> list[Event]:
    """What belief_at shows: where sub-slots agree on an object, the row of greatest priority only."""
    rows = list(won.values())
    return [row for row in rows if row == max((o for o in rows if o.object_key == row.object_key), key=priority)]


def values(events: Iterable[Event], slot: Slot, v: float, k: float) -> set[str | None]:
    """The set of objects, as written, believed in the slot at (V, K)."""
    return {claim.object for claim in shown(winners(events, slot, v, k))}
