"""The oracle's belief planes, and which closes, retractions and withdrawals have an effect."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import attrs

from loreweave.events.model import Event, FactInvalidated, FactRetracted, ValueWithdrawn
from oracle import (
    OPEN,
    Reach,
    Slot,
    SubSlot,
    alive,
    asserted,
    claims_of,
    closed,
    closes_of,
    hits,
    on_record,
    order,
    priority,
    reach,
    reaches,
    slot_of,
    sub_slots,
    unsays,
    winner,
)


@attrs.frozen
class Belief:
    """One rectangle of the belief plane; open ends are None."""

    event_id: str
    valid_from: int
    valid_until: int | None
    known_from: int
    known_until: int | None
    ended_by: str | None
    many: bool


def timeline(e: list[Event], sub: SubSlot) -> list[tuple[Event, float, float, str | None]]:
    """The maximal valid intervals on which one event wins: (event, from, until, ended_by)."""
    reached = reaches(e, sub)
    cuts = sorted({r.start for r in reached} | {r.end for r in reached} | {OPEN})
    joined: list[tuple[Event, float, float]] = []
    for start, end in pairwise(cuts):
        won = winner(reached, start)
        if won is not None and joined and joined[-1][0] == won and joined[-1][2] == start:
            joined[-1] = (won, joined[-1][1], end)
        elif won is not None:
            joined.append((won, start, end))
    return [(won, start, end, ended_by(won, end, reached, e)) for won, start, end in joined]


def ended_by(claim: Event, end: float, reached: list[Reach], e: list[Event]) -> str | None:
    """The event that set the end; None where the claim's own valid_until did or it is open; of several the first."""
    if end in (OPEN, claim.valid_until):
        return None
    starting = [r.claim for r in reached if r.start == end]
    causes = [close for close in closes_of(e) if close.valid_until == end and hits(close, claim, e)]
    causes += [c for c in starting if _bounds(c, claim) or (c == winner(reached, end) and _above(c, claim))]
    silencing = [c for c in starting if asserted(c)]
    return min(causes or silencing, key=order).event_id


def _bounds(later: Event, claim: Event) -> bool:
    """Whether the start of a later claim is as far as this open one reaches, be it believed or not."""
    return claim.valid_until is None and asserted(later) == asserted(claim)


def _above(later: Event, claim: Event) -> bool:
    """Whether the one takes over from the other where both hold."""
    return (asserted(later), priority(later)) > (asserted(claim), priority(claim))


def plane(events: Iterable[Event], slot: Slot) -> set[Belief]:
    """Every belief of the slot: each interval over its longest run of record instants."""
    events = list(events)
    instants = sorted({event.recorded_at for event in on_record(events, slot, OPEN)})
    found: set[Belief] = set()
    for sub in sub_slots(events, slot):
        running: dict[tuple[Event, float, float, str | None], int] = {}
        for k in instants:
            now = timeline(on_record(events, slot, k), sub)
            found |= {_belief(row, running[row], k) for row in running if row not in now}
            running = {row: running.get(row, k) for row in now}
        found |= {_belief(row, since, None) for row, since in running.items()}
    return found


def _belief(row: tuple[Event, float, float, str | None], since: int, until: int | None) -> Belief:
    claim, start, end, by = row
    return Belief(claim.event_id, int(start), None if end == OPEN else int(end), since, until, by, claim.many)


def effective(x: Event, events: Iterable[Event]) -> bool:
    """Whether a close, retraction or withdrawal does anything at its own record instant, at its turn in order.

    A withdrawal of what was retracted before does: the note has stopped saying it.
    """
    e = on_record(events, slot_of(x), x.recorded_at)
    if isinstance(x, FactInvalidated):
        return any(_lowers(x, reached, e) for sub in sub_slots(e, slot_of(x)) for reached in _open_reaches(e, sub))
    earlier = [y for y in e if order(y) < order(x) and (isinstance(x, FactRetracted) or isinstance(y, ValueWithdrawn))]
    return any(unsays(x, claim, e) and not any(unsays(y, claim, e) for y in earlier) for claim in claims_of(e))


def _open_reaches(e: list[Event], sub: SubSlot) -> list[Reach]:
    living = alive(e, sub)
    return [reach(claim, living) for claim in living]


def _lowers(close: Event, reached: Reach, e: list[Event]) -> bool:
    """Closes of one slot are taken in order: does this one still lower the end at its turn?"""
    earlier = [c for c in closes_of(e) if order(c) < order(close)]
    return closed(reached, [*earlier, close], e).end < closed(reached, earlier, e).end


def ineffective(events: Iterable[Event]) -> set[str]:
    """The ids of the closes, retractions and withdrawals that do nothing at their own record instant."""
    events = list(events)
    acts = (FactInvalidated, FactRetracted, ValueWithdrawn)
    recorded = [x for slot in {slot_of(x) for x in events} for x in on_record(events, slot, OPEN)]
    return {x.event_id for x in recorded if isinstance(x, acts) and not effective(x, events)}
