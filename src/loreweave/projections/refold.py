"""The fold of a few slots on plain rows: what a small change needs, without Arrow and its start-up cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from loreweave.errors import Finding
from loreweave.events.model import COLUMNS, RANKS, EventRow
from loreweave.projections import findings
from loreweave.projections.rows import ASSERTED, INF, Rows, layered
from loreweave.projections.slots import Folded, alive_claims, fold_slot

KINDS = ("FactAsserted", "ValueObserved", "FactInvalidated", "FactRetracted", "ValueWithdrawn")
"""The events that bear on beliefs, in the order of their numbers in the fold."""

BELIEF_COLUMNS = (
    *("scope", "subject", "predicate", "object", "scope_key", "subject_key", "predicate_key", "object_key"),
    *("valid_from", "valid_until", "known_from", "known_until", "source", "confidence", "many"),
    *("event_id", "ended_by", "recorded_by", "path", "line"),
)

_AT = {name: position for position, name in enumerate(COLUMNS)}
_ID, _KIND, _RECORDED, _PATH, _LINE = (_AT[n] for n in ("event_id", "kind", "recorded_at", "path", "line"))
_SLOT = slice(_AT["scope_key"], _AT["predicate_key"] + 1)
_TAKEN = {name: _AT[name] for name in BELIEF_COLUMNS if name in _AT and not name.startswith("valid")}


class Refold(NamedTuple):
    """The rows of every table for the slots folded, instants in microseconds, columns as in the tables."""

    events: list[EventRow]
    repeats: list[EventRow]
    beliefs: list[EventRow]
    agreements: list[EventRow]
    conflicts: list[EventRow]
    findings: list[Finding]


def refold(lines: Iterable[EventRow]) -> Refold:
    """Fold event rows of whole slots, given in any order and with repeats."""
    events, repeats = _arrange(lines)
    made = Refold(events, repeats, [], [], [], [])
    slotted = [event for event in events if event[_KIND] in KINDS]
    rows, folded = numbered(slotted), Folded([], [], [], [], [])
    for low, high in _slots(slotted):
        fold_slot(rows, low, high, folded)
    made.beliefs.extend(_belief(slotted, b) for b in folded.beliefs)
    for row, *rectangle in folded.agreements:
        made.agreements.append((slotted[row][_AT["scope_key"]], slotted[row][_ID], *map(_open, rectangle)))
    for kind, row, other, start, end in folded.conflicts:
        ids = slotted[row][_ID], slotted[other][_ID]
        made.conflicts.append((slotted[row][_AT["scope_key"]], kind, *ids, start, _open(end)))
    named = [dict(zip(COLUMNS, event, strict=True)) for event in slotted]
    made.findings.extend(findings.ineffective(named[row]) for row in folded.ineffective)
    made.findings.extend(findings.twins((named[one], named[other]) for one, other in folded.twins))
    return made


def alive(lines: Iterable[EventRow]) -> list[EventRow]:
    """Give the asserted claims of one slot that are alive at the latest record time."""
    events = [event for event in _arrange(lines)[0] if event[_KIND] in KINDS]
    rows = numbered(events)
    return [events[row] for row in alive_claims(rows, 0, len(events)) if rows.kind[row] == ASSERTED]


def numbered(events: Sequence[EventRow]) -> Rows:
    """Turn event rows of the five kinds into the columns of the fold."""
    columns: dict[str, list[Any]] = {name: [event[at] for event in events] for name, at in _AT.items()}
    objects = {key: n for n, key in enumerate(sorted({k for k in columns["object_key"] if k is not None}))}
    notes = {note: n for n, note in enumerate(sorted({n for n in columns["note"] if n is not None}))}
    return layered(
        Rows(
            recorded=columns["recorded_at"],
            start=[-INF if t is None else t for t in columns["valid_from"]],
            until=[INF if t is None else t for t in columns["valid_until"]],
            kind=[KINDS.index(kind) for kind in columns["kind"]],
            object=[objects.get(key, -1) for key in columns["object_key"]],
            rank=[RANKS.get(source, 0) for source in columns["source"]],
            many=columns["many"],
            note=[notes.get(note, -1) for note in columns["note"]],
        )
    )


def _arrange(lines: Iterable[EventRow]) -> tuple[list[EventRow], list[EventRow]]:
    """Give the events in order, each at its first origin, and the repeats."""
    events: dict[object, EventRow] = {}
    ordered = sorted(lines, key=_order)
    repeats = [row for row in ordered if events.setdefault(row[_ID], row) is not row]
    return list(events.values()), repeats


def _order(row: EventRow) -> tuple[Any, ...]:
    slot = tuple((part is None, part or "") for part in row[_SLOT])
    return (*slot, row[_RECORDED], row[_PATH], row[_LINE])


def _slots(events: Sequence[EventRow]) -> list[tuple[int, int]]:
    ranges, low = [], 0
    for _, group in groupby(events, lambda event: event[_SLOT]):
        high = low + sum(1 for _ in group)
        ranges.append((low, high))
        low = high
    return ranges


def _belief(events: Sequence[EventRow], belief: tuple[int, ...]) -> EventRow:
    known_from, start, end, row, ended_by, known_until = belief
    made: dict[str, object] = {name: events[row][at] for name, at in _TAKEN.items()}
    made.update(valid_from=start, valid_until=_open(end), known_from=known_from, known_until=_open(known_until))
    made["ended_by"] = None if ended_by < 0 else events[ended_by][_ID]
    return tuple(made[name] for name in BELIEF_COLUMNS)


def _open(instant: int) -> int | None:
    return None if instant == INF else instant
