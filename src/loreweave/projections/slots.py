"""One slot: its rows parted into sub-slots, each folded on a plane of its own, and what they say together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import chain, groupby
from typing import NamedTuple

from loreweave.projections.conflicts import Conflict, conflicts
from loreweave.projections.plane import Plane, Rectangle
from loreweave.projections.quick import fold_simple
from loreweave.projections.rows import ASSERTED, CLOSE, INF, NOTED, STATED_AS_NOTED, WITHDRAW, Rows

SINGLE = -1
"""The sub-slot of the single claims; the others are named by the number of their object."""


class Agreement(NamedTuple):
    """Where two sub-slots hold equal objects: the rectangle in which the lesser row is not shown."""

    row: int
    start: int
    end: int
    known_from: int
    known_until: int


class Folded(NamedTuple):
    """What the rows of any number of slots come to, as lists of rows by number."""

    beliefs: list[Rectangle]
    agreements: list[Agreement]
    conflicts: list[Conflict]
    ineffective: list[int]
    twins: list[tuple[int, int]]


def fold_slot(rows: Rows, low: int, high: int, into: Folded) -> None:
    """Fold rows [low, high), which are one slot in order, and add what comes of it to ``into``."""
    quick = fold_simple(rows, low, high, into.ineffective)
    if quick is not None:
        into.beliefs.extend(sorted(quick))
        return
    planes = _planes(rows, low, high)
    beliefs = {name: plane.finish() for name, plane in planes.items()}
    effective = set[int]().union(*(plane.effective for plane in planes.values()))
    into.beliefs.extend(
        sorted(chain(*beliefs.values()), key=lambda b: (b.known_from, b.start, rows.many[b.row], rows.object[b.row]))
    )
    into.conflicts.extend(chain(*(conflicts(plane) for plane in planes.values())))
    into.agreements.extend(_agreements(planes, beliefs))
    into.ineffective.extend(row for row in range(low, high) if rows.kind[row] > NOTED and row not in effective)
    into.twins.extend(_twins(rows, low, high))


def alive_claims(rows: Rows, low: int, high: int) -> list[int]:
    """Give the alive claims of one slot at its latest record instant, of both layers and all sub-slots."""
    planes = _planes(rows, low, high).values()
    return [row for plane in planes for layer in plane.claims.layers for row in layer.alive.values()]


def _planes(rows: Rows, low: int, high: int) -> dict[int, Plane]:
    """Fold every sub-slot on a plane of its own, the single one first."""
    first = _first_sightings(rows, low, high)
    planes = {}
    for name, own in sorted(_sub_slots(rows, low, high, first).items()):
        planes[name] = plane = Plane(rows, first)
        for _, batch in groupby(own, rows.recorded.__getitem__):
            plane.apply(list(batch))
    return planes


def _first_sightings(rows: Rows, low: int, high: int) -> dict[int, int]:
    """Give for each observation the first of the slot with the same object and times."""
    seen: dict[tuple[int, int, int], int] = {}
    return {
        row: seen.setdefault((rows.object[row], rows.start[row], rows.until[row]), row)
        for row in range(low, high)
        if rows.kind[row] == NOTED and rows.note[row] != STATED_AS_NOTED
    }


def _sub_slots(rows: Rows, low: int, high: int, first: dict[int, int]) -> dict[int, list[int]]:
    """Part the rows by the sub-slots that have claims; what names no object goes to all it can bear on."""
    claims: dict[int, list[int]] = {}
    named: dict[int, list[int]] = {}
    everywhere = []
    for row in range(low, high):
        kind, wanted = rows.kind[row], rows.object[row]
        sub_slot = wanted if rows.many[row] else SINGLE
        if kind <= NOTED:
            claims.setdefault(sub_slot, []).append(row)
        elif kind == WITHDRAW:
            named.setdefault(sub_slot, []).append(row)
        elif wanted < 0:
            everywhere.append(row)
        else:
            named.setdefault(SINGLE, []).append(row)
            named.setdefault(wanted, []).append(row)
    for name, own in claims.items():
        earliest = rows.recorded[min(first.get(row, row) for row in own)]
        later = everywhere[bisect_left(everywhere, earliest, key=rows.recorded.__getitem__) :]
        bearing = later if name == SINGLE else _bearing(rows, later, own + named.get(name, []))
        claims[name] = sorted(own + named.get(name, []) + bearing)
    return claims


def _bearing(rows: Rows, later: list[int], own: list[int]) -> list[int]:
    """Leave out closes of the whole slot that follow an earlier-dated one and can move nothing after it.

    Such a close comes alone at its record instant, and no claim of the sub-slot starts between the two.
    """
    instants = {rows.recorded[row] for row in own}
    starts = sorted(rows.start[row] for row in own if rows.kind[row] <= NOTED)
    turns = sorted(instants)
    bearing, least, turn = [], INF, -1
    for row in later:
        recorded, instant = rows.recorded[row], rows.until[row]
        if recorded in instants or rows.kind[row] != CLOSE:
            bearing.append(row)
            least = INF
            continue
        if (now := bisect_right(turns, recorded)) != turn:
            least, turn = INF, now
        if instant < least or bisect_right(starts, least) < bisect_right(starts, instant):
            bearing.append(row)
            least = min(least, instant)
    return bearing


def _agreements(planes: dict[int, Plane], beliefs: dict[int, list[Rectangle]]) -> Iterator[Agreement]:
    """Find where a single and a many-valued belief of one object meet, and which of the two is the lesser."""
    if SINGLE not in planes or len(planes) == 1:
        return
    claims = planes[SINGLE].claims
    singles: dict[int, list[Rectangle]] = {}
    for belief in beliefs[SINGLE]:
        singles.setdefault(claims.rows.object[belief.row], []).append(belief)
    for name in sorted(singles.keys() & beliefs.keys()):
        for one, other in _meeting(singles[name], beliefs[name]):
            lesser = min(one.row, other.row, key=claims.priority)
            known = max(one.known_from, other.known_from), min(one.known_until, other.known_until)
            if known[0] < known[1]:
                yield Agreement(lesser, max(one.start, other.start), min(one.end, other.end), *known)


def _meeting(these: list[Rectangle], those: list[Rectangle]) -> Iterator[tuple[Rectangle, Rectangle]]:
    """Pair beliefs of two sub-slots whose valid times meet, in one sweep over valid time."""
    active: tuple[list[Rectangle], list[Rectangle]] = [], []
    begun = sorted([(b.start, 0, b) for b in these] + [(b.start, 1, b) for b in those])
    for start, side, belief in begun:
        others = active[1 - side]
        others[:] = [other for other in others if other.end > start]
        for other in others:
            yield (belief, other) if side == 0 else (other, belief)
        active[side].append(belief)


def _twins(rows: Rows, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Give pairs of single assertions alike in start and record time; who wrote them is not known here."""
    seen: dict[tuple[int, int], int] = {}
    for row in range(low, high):
        if (rows.kind[row] == ASSERTED or rows.note[row] == STATED_AS_NOTED) and not rows.many[row]:
            other = seen.setdefault((rows.recorded[row], rows.start[row]), row)
            if other != row:
                yield other, row
