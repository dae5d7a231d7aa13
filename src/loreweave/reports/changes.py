"""What one record instant did to the beliefs of a slot, claim by claim, under a name a person would give it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import attrs

from loreweave.reports.answer import FOREVER

HELD = (
    "object, object_key, source, valid_from, valid_until, known_from, known_until, event_id, ended_by, path, line, many"
)
HAPPENED = (
    "event_id, kind, object, object_key, valid_from, valid_until, recorded_at, source, confidence, many,"
    " recorded_by, because, note, path, line, detail"
)


SLOTTED = ("FactAsserted", "FactInvalidated", "FactRetracted", "ValueObserved", "ValueWithdrawn")
"""The kinds of events that bear on beliefs."""

CAUSES = f"""
    with wanted as (
        select unnest($instants::timestamp[]) as recorded_at,
            unnest($subjects::varchar[]) as subject_key, unnest($predicates::varchar[]) as predicate_key
    )
    select recorded_at, subject_key, predicate_key, {HAPPENED}
    from events semi join wanted using (recorded_at, subject_key, predicate_key)
    where scope_key = $scope_key and kind in {SLOTTED} order by recorded_at, path, line
"""
"""Gives the events of record instants and slots, in order."""

_VALID = slice(3, 5)


class Held(NamedTuple):
    """A belief of one slot, in the columns ``HELD``."""

    object: str
    object_key: str
    source: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime | None
    event_id: str
    ended_by: str | None
    path: str
    line: int
    many: bool


class Happened(NamedTuple):
    """An event of one slot, in the columns ``HAPPENED``."""

    event_id: str
    kind: str
    object: str | None
    object_key: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    recorded_at: datetime
    source: str | None
    confidence: float | None
    many: bool
    recorded_by: str | None
    because: str | None
    note: str | None
    path: str
    line: int
    detail: str | None = None


@attrs.frozen
class Interval:
    """A part of valid time; ``valid_until`` None is open. ``ended_by`` is the event that set that end."""

    valid_from: datetime
    valid_until: datetime | None
    ended_by: str | None = None


@attrs.frozen
class Change:
    """What became of one claim: where it held before, where it holds now.

    ``change`` is one of: began, returned (holds again), corrected (in place of ``previous``, from the same start),
    restated, closed, superseded, shortened, extended, reshaped, displaced, masked, unsaid, withdrawn.
    """

    change: str
    object: str
    previous: str | None
    source: str
    was: tuple[Interval, ...]
    now: tuple[Interval, ...]
    event_id: str
    path: str
    line: int


def changes(ended: Iterable[Held], began: Iterable[Held], causes: Sequence[Happened]) -> tuple[Change, ...]:
    """Pair the beliefs of one slot that ended and began at one record instant; ``causes`` are its events then.

    A claim that holds where it held, its end set by another line, is no change.
    """
    was, now = _by_event(ended), _by_event(began)
    said = {cause.event_id for cause in causes}
    found: list[Change] = []
    for old in [event for event in was if event not in now]:
        said_now = (event for event in now if event in said and event not in was)
        new = next((event for event in said_now if _replaces(now[event], was[old])), None)
        if new is not None:
            same = now[new][0].object_key == was[old][0].object_key
            found.append(_change("restated" if same else "corrected", was.pop(old), now.pop(new)))
    for event in sorted({*was, *now}, key=lambda event: _place((was.get(event) or now[event])[0])):
        before, after = was.get(event, []), now.get(event, [])
        if [row[_VALID] for row in before] != [row[_VALID] for row in after]:
            found.append(_change(_word(before, after, causes), before, after))
    return tuple(sorted(found, key=lambda change: (not change.now, change.path, change.line, change.event_id)))


def _by_event(rows: Iterable[Held]) -> dict[str, list[Held]]:
    grouped: dict[str, list[Held]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.valid_from):
        grouped[row.event_id].append(row)
    return dict(grouped)


def _replaces(new: Sequence[Held], old: Sequence[Held]) -> bool:
    """Tell whether a claim took another's place from its start on, in the same sub-slot and layer."""
    alike = new[0].valid_from == old[0].valid_from and _is_noted(new[0]) == _is_noted(old[0])
    return alike and is_rival(new[0], old[0])


def is_rival(one: Held | Happened, other: Held | Happened) -> bool:
    """Tell whether two claims of a slot can stand in each other's way: many claims of two objects never do."""
    return one.many == other.many and (not one.many or one.object_key == other.object_key)


def _word(before: Sequence[Held], after: Sequence[Held], causes: Sequence[Happened]) -> str:
    ids = {cause.event_id: cause for cause in causes}
    if not before:
        return "began" if after[0].event_id in ids else "returned"
    if not after:
        return _word_for_gone(before[0], causes)
    if len(before) != 1 or len(after) != 1 or before[0].valid_from != after[0].valid_from:
        return "reshaped"
    if _end(after[0]) >= _end(before[0]):
        return "extended" if _end(after[0]) > _end(before[0]) else "reshaped"
    ending = ids.get(after[0].ended_by or "")
    if ending is None:
        return "shortened"
    if ending.kind == "FactInvalidated":
        return "closed"
    return "masked" if _is_noted(after[0]) and ending.kind == "FactAsserted" else "superseded"


def _word_for_gone(gone: Held, causes: Sequence[Happened]) -> str:
    kinds = {cause.kind for cause in causes if _reaches(cause, gone)}
    if "FactRetracted" in kinds:
        return "unsaid"
    if _is_noted(gone):
        return "withdrawn" if "ValueWithdrawn" in kinds else "masked"
    return "closed" if "FactInvalidated" in kinds else "displaced"


def _reaches(cause: Happened, gone: Held) -> bool:
    named = cause.object_key in (None, gone.object_key)
    return named and (cause.kind != "ValueWithdrawn" or cause.many == gone.many)


def _change(word: str, before: Sequence[Held], after: Sequence[Held]) -> Change:
    claim = (after or before)[0]
    previous = before[0].object if before and after and before[0].event_id != claim.event_id else None
    was, now = _intervals(before), _intervals(after)
    return Change(word, claim.object, previous, claim.source, was, now, claim.event_id, claim.path, claim.line)


def _intervals(rows: Sequence[Held]) -> tuple[Interval, ...]:
    return tuple(Interval(row.valid_from, row.valid_until, row.ended_by) for row in rows)


def values_at(rows: Iterable[Held], about: datetime, known: datetime, *, before: bool = False) -> tuple[str, ...]:
    """Give the objects believed at a record instant, or just before it, to hold at an instant."""
    found: dict[str, str] = {}
    for row in rows:
        in_valid = row.valid_from <= about < _end(row)
        until = row.known_until or FOREVER
        in_known = row.known_from < known <= until if before else row.known_from <= known < until
        if in_valid and in_known:
            found.setdefault(row.object_key, row.object)
    return tuple(found[key] for key in sorted(found))


def grouped_by_instant(rows: Iterable[Held]) -> Mapping[datetime, tuple[list[Held], list[Held]]]:
    """Give for each record instant the beliefs that ended and those that began."""
    found: dict[datetime, tuple[list[Held], list[Held]]] = defaultdict(lambda: ([], []))
    for row in rows:
        found[row.known_from][1].append(row)
        if row.known_until is not None:
            found[row.known_until][0].append(row)
    return found


def _is_noted(row: Held) -> bool:
    return row.source == "extracted"


def _end(row: Held) -> datetime:
    return row.valid_until or FOREVER


def _place(row: Held) -> tuple[str, int, str]:
    return row.path, row.line, row.event_id
