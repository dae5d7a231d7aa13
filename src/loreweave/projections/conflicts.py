"""What a slot's record holds against itself, as best known: listed, and changing no answer."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from loreweave.projections.plane import Plane, Segment
from loreweave.projections.rows import ASSERTED, INF, NOTED

INTERVAL_OVERRIDDEN = "interval-overridden"
NOTED_AGAINST_ASSERTED = "noted-against-asserted"
INFERRED_OVER_STATED = "inferred-over-stated"

_INFERRED, _STATED = 2, 3


class Conflict(NamedTuple):
    """A claim that is not believed over [start, end) because another row with another object is."""

    kind: str
    row: int
    other: int
    start: int
    end: int


def conflicts(plane: Plane) -> list[Conflict]:
    """Give the conflicts of a sub-slot at the latest record instant, in order of valid time and row."""
    found = [*_overridden(plane), *_displaced(plane)]
    return sorted(found, key=lambda c: (c.start, c.row, c.other))


def _overridden(plane: Plane) -> Iterator[Conflict]:
    """Find explicit intervals and noted claims whose reach another object's claim wins in part."""
    claims = plane.claims
    start, rank = claims.rows.start, claims.rows.rank
    asserted, noted = claims.layers
    said = [row for _, row in asserted.bounded] + [row for _, row in noted.ends]
    for row in said:
        for segment in _meeting(plane, start[row], claims.end[row]):
            other = segment.row
            if claims.rows.object[other] == claims.rows.object[row]:
                continue
            if claims.rows.kind[row] == NOTED and claims.rows.kind[other] == ASSERTED:
                kind = NOTED_AGAINST_ASSERTED
            elif claims.rows.until[row] == INF:
                continue
            else:
                inferred = rank[other] == _INFERRED and rank[row] == _STATED
                kind = INFERRED_OVER_STATED if inferred else INTERVAL_OVERRIDDEN
            yield Conflict(kind, row, other, max(segment.start, start[row]), min(segment.end, claims.end[row]))


def _displaced(plane: Plane) -> Iterator[Conflict]:
    """Find stated values that an inferred one with another object ended, or took the start of."""
    claims = plane.claims
    rows, layer = claims.rows, claims.layers[ASSERTED]
    for segment in plane.segments:
        begins = rows.start[segment.row]
        if rows.rank[segment.row] != _INFERRED or begins != segment.start:
            continue
        before = layer.previous(begins)
        rivals = [row for row in layer.visible[begins] if row != segment.row]
        if before >= 0 and rows.until[before] == INF and claims.end[before] == begins:
            rivals.append(before)
        stated = [r for r in rivals if rows.rank[r] == _STATED and rows.object[r] != rows.object[segment.row]]
        for row in stated:
            yield Conflict(INFERRED_OVER_STATED, row, segment.row, segment.start, segment.end)


def _meeting(plane: Plane, low: int, high: int) -> list[Segment]:
    first = max(bisect_right(plane.starts, low) - 1, 0)
    after = bisect_left(plane.starts, high)
    return [segment for segment in plane.segments[first:after] if segment.end > low]
