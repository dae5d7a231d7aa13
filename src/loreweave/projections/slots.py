"""One slot: its rows parted into sub-slots, each folded on a plane of its own, and what they say together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from loreweave.projections.conflicts import Conflict, conflicts
from loreweave.projections.plane import Plane, Rectangle
from loreweave.projections.quick import fold_simple
from loreweave.projections.rows import ASSERTED, NOTED, STATED_AS_NOTED, WITHDRAW, Rows

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
    first = _first_sightings(rows, low, high)
    beliefs: list[Rectangle] = []
    effective: set[int] = set()
    planes = {name: _folded(rows, first, range(low, high), name) for name in _names(rows, low, high)}
    for plane in planes.values():
        beliefs += plane.finish()
        effective |= plane.effective
        into.conflicts.extend(conflicts(plane))
    into.beliefs.extend(sorted(beliefs, key=lambda b: (b.known_from, b.start, rows.many[b.row], rows.object[b.row])))
    if len(planes) > 1 and SINGLE in planes:
        into.agreements.extend(_agreements(planes.pop(SINGLE), planes))
    into.ineffective.extend(row for row in range(low, high) if rows.kind[row] > NOTED and row not in effective)
    into.twins.extend(_twins(rows, low, high))


def alive_claims(rows: Rows, low: int, high: int) -> list[int]:
    """Give the alive claims of one slot at its latest record instant, of both layers and all sub-slots."""
    first = _first_sightings(rows, low, high)
    return [
        row
        for name in _names(rows, low, high)
        for layer in _folded(rows, first, range(low, high), name).claims.layers
        for row in layer.alive.values()
    ]


def _folded(rows: Rows, first: dict[int, int], slot: range, name: int) -> Plane:
    """Fold one sub-slot on a plane of its own."""
    plane = Plane(rows, first)
    for _, batch in groupby(_reaching(rows, slot, name), rows.recorded.__getitem__):
        plane.apply(list(batch))
    return plane


def _first_sightings(rows: Rows, low: int, high: int) -> dict[int, int]:
    """Give for each observation the first of the slot with the same object and times."""
    seen: dict[tuple[int, int, int], int] = {}
    return {
        row: seen.setdefault((rows.object[row], rows.start[row], rows.until[row]), row)
        for row in range(low, high)
        if rows.kind[row] == NOTED and rows.note[row] != STATED_AS_NOTED
    }


def _names(rows: Rows, low: int, high: int) -> list[int]:
    """Give the sub-slots that have claims, the single one first."""
    names = {rows.object[row] if rows.many[row] else SINGLE for row in range(low, high) if rows.kind[row] <= NOTED}
    return sorted(names)


def _reaching(rows: Rows, slot: range, name: int) -> Iterator[int]:
    """Give the rows that bear on a sub-slot: its claims, and what closes, retracts or withdraws in it."""
    for row in slot:
        kind, wanted, many = rows.kind[row], rows.object[row], rows.many[row]
        if kind <= NOTED or kind == WITHDRAW:
            reaches = (wanted if many else SINGLE) == name
        else:
            reaches = name == SINGLE or wanted in (-1, name)
        if reaches:
            yield row


def _agreements(single: Plane, others: dict[int, Plane]) -> Iterator[Agreement]:
    rows = single.claims.rows
    by_object: dict[int, list[Rectangle]] = {}
    for belief in single.finish():
        by_object.setdefault(rows.object[belief.row], []).append(belief)
    for name, plane in others.items():
        for one in by_object.get(name, ()):
            for other in plane.finish():
                lesser = min(one.row, other.row, key=single.claims.priority)
                met = Agreement(
                    lesser,
                    max(one.start, other.start),
                    min(one.end, other.end),
                    max(one.known_from, other.known_from),
                    min(one.known_until, other.known_until),
                )
                if met.start < met.end and met.known_from < met.known_until:
                    yield met


def _twins(rows: Rows, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Give pairs of single assertions alike in start and record time; who wrote them is not known here."""
    seen: dict[tuple[int, int], int] = {}
    for row in range(low, high):
        if (rows.kind[row] == ASSERTED or rows.note[row] == STATED_AS_NOTED) and not rows.many[row]:
            other = seen.setdefault((rows.recorded[row], rows.start[row]), row)
            if other != row:
                yield other, row
