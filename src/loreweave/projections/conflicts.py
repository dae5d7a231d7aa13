"""What a slot's record holds against itself, as best known: listed, and changing no answer.

Of claims that overlap only those are paired of which one stands directly upon the other, so that the
list grows with the record and not with its square.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loreweave.projections.claims import Claims
from loreweave.projections.plane import Plane
from loreweave.projections.rows import ASSERTED, INF

INTERVAL_OVERRIDDEN = "interval-overridden"
NOTED_AGAINST_ASSERTED = "noted-against-asserted"
NOTED_AGAINST_NOTED = "noted-against-noted"
INFERRED_OVER_STATED = "inferred-over-stated"

_INFERRED, _STATED = 2, 3


class Conflict(NamedTuple):
    """A claim that is not believed over [start, end) because another row with another object stands upon it."""

    kind: str
    row: int
    other: int
    start: int
    end: int


class Overlap(NamedTuple):
    """A stretch over which one claim stands directly upon another; -1 for nothing below the last, or upon the first."""

    lower: int
    upper: int
    start: int
    end: int


def conflicts(plane: Plane) -> list[Conflict]:
    """Give the conflicts of a sub-slot at the latest record instant, in order of valid time and row."""
    claims = plane.claims
    asserted, noted = claims.layers
    rank = claims.rows.rank
    if not (asserted.bounded or noted.starts or any(rank[row] == _INFERRED for row in asserted.alive.values())):
        return []
    stated, seen = (_overlaps(claims, layer.alive.values()) for layer in (asserted, noted))
    found = [*_overridden(claims, stated), *_overridden(claims, seen), *_masked(plane, seen), *_displaced(claims)]
    named = claims.rows.object
    apart = {
        conflict for conflict in found if named[conflict.row] != named[conflict.other] and conflict.start < conflict.end
    }
    return sorted(apart, key=lambda conflict: (conflict.start, conflict.row, conflict.other, conflict.end))


def _overlaps(claims: Claims, rows: Iterable[int]) -> list[Overlap]:
    """Sweep over valid time and tell which claim stands directly upon which, and which stands uppermost."""
    bounds = [(claims.rows.start[row], 1, row) for row in rows if claims.end[row] > claims.rows.start[row]]
    bounds += [(claims.end[row], 0, row) for _, _, row in bounds]
    order: list[tuple[int, int, int, int]] = []
    since: dict[tuple[int, int], int] = {}
    found: list[Overlap] = []
    for instant, begins, row in sorted(bounds):
        place = claims.priority(row)
        at = bisect_left(order, place)
        lower = order[at - 1][3] if at else -1
        following = at if begins else at + 1
        upper = order[following][3] if following < len(order) else -1
        ended = [(lower, upper)] if begins else [(lower, row), (row, upper)]
        for pair in ended:
            begun = since.pop(pair, instant)
            if begun < instant:
                found.append(Overlap(*pair, begun, instant))
        for pair in [(lower, row), (row, upper)] if begins else [(lower, upper)]:
            since[pair] = instant
        if begins:
            insort(order, place)
        else:
            del order[at]
    return found


def _overridden(claims: Claims, overlaps: Iterable[Overlap]) -> Iterator[Conflict]:
    """Find explicit intervals that another claim of their layer overrides, and notes that another note does."""
    until, rank = claims.rows.until, claims.rows.rank
    for lower, upper, start, end in overlaps:
        if lower < 0 or upper < 0:
            continue
        if _of_two_notes(claims, lower, upper):
            yield Conflict(NOTED_AGAINST_NOTED, lower, upper, start, end)
        elif until[lower] < INF:
            inferred = rank[upper] == _INFERRED and rank[lower] == _STATED
            yield Conflict(INFERRED_OVER_STATED if inferred else INTERVAL_OVERRIDDEN, lower, upper, start, end)


def _of_two_notes(claims: Claims, one: int, other: int) -> bool:
    """Tell whether two claims were seen in two notes."""
    notes = claims.rows.note[one], claims.rows.note[other]
    return notes[0] != notes[1] and min(notes) >= 0


def _masked(plane: Plane, overlaps: Iterable[Overlap]) -> Iterator[Conflict]:
    """Find noted claims, the uppermost of their layer, where an asserted one is believed instead."""
    kinds = plane.claims.rows.kind
    stated = [segment for segment in plane.segments if kinds[segment.row] == ASSERTED]
    starts = [segment.start for segment in stated]
    for lower, upper, start, end in overlaps:
        if lower < 0 or upper >= 0:
            continue
        for segment in stated[max(bisect_left(starts, start) - 1, 0) : bisect_left(starts, end)]:
            if segment.end > start:
                meeting = max(segment.start, start), min(segment.end, end)
                yield Conflict(NOTED_AGAINST_ASSERTED, lower, segment.row, *meeting)


def _displaced(claims: Claims) -> Iterator[Conflict]:
    """Find values that one of another kind ended, or took the start of: inferred a stated one, a note another's."""
    rows = claims.rows
    for kind, layer in enumerate(claims.layers):
        for start, row in layer.alive.items():
            before = layer.previous(start)
            rivals = [rival for rival in layer.visible[start] if rival != row]
            if before >= 0 and rows.until[before] == INF and claims.end[before] == start:
                rivals.append(before)
            for rival in rivals:
                if _of_two_notes(claims, rival, row):
                    yield Conflict(NOTED_AGAINST_NOTED, rival, row, start, claims.end[row])
                elif kind == ASSERTED and rows.rank[rival] == _STATED and rows.rank[row] == _INFERRED:
                    yield Conflict(INFERRED_OVER_STATED, rival, row, start, claims.end[row])
