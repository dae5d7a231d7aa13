"""What changed last: the slots that the latest record instants changed, and the notes that were used last."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from loreweave.reports.answer import aware
from loreweave.reports.changes import CAUSES, HELD, Change, Happened, Held, changes

if TYPE_CHECKING:
    from loreweave.store.session import Session

_Slot = tuple[datetime, str, str]
"""A record instant, and the keys of subject and predicate."""

_CHANGED = f"""
    with happened as (
        select known_from as recorded_at, 'began' as change, * from beliefs where scope_key = $scope_key
        union all
        select known_until, 'ended', * from beliefs where scope_key = $scope_key and known_until is not null
    ),
    latest as (
        select recorded_at, subject_key, predicate_key, count(*) over () as of
        from happened group by all order by recorded_at desc, subject_key, predicate_key limit $limit
    )
    select recorded_at, subject_key, predicate_key, subject, predicate, change, {HELD}, of
    from happened join latest using (recorded_at, subject_key, predicate_key)
    order by recorded_at desc, subject_key, predicate_key, change, valid_from, object_key, event_id
"""
_USED = """
    with used as (
        select coalesce(spans.path, uses.path) as path, recorded_at
        from uses left join spans using (span_id) where uses.scope_key = $scope_key
    )
    select path, title, max(recorded_at) as used_at, count(*) as times, count(*) over () as of
    from used join notes using (path) where notes.scope_key = $scope_key
    group by path, title order by used_at desc, path limit $limit
"""


def latest_changes(session: Session, scope_key: str, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Give what the latest lines changed, slot by slot, the latest first; and how many such changes there are."""
    groups: dict[_Slot, list[Any]] = defaultdict(list)
    of = 0
    for row in session.rows(_CHANGED, {"scope_key": scope_key, "limit": limit}):
        at, subject_key, predicate_key, *rest, of = aware(row)
        groups[at, subject_key, predicate_key].append(rest)
    causes = _causes(session, scope_key, list(groups))
    return [_told(slot[0], rows, causes[slot]) for slot, rows in groups.items()], of


def latest_used(session: Session, scope_key: str, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Give the notes that were used last, each with when and how often; and how many were used at all."""
    rows = [aware(row) for row in session.rows(_USED, {"scope_key": scope_key, "limit": limit})]
    names = ("path", "title", "used_at", "times")
    return [dict(zip(names, row[:4], strict=True)) for row in rows], rows[0][4] if rows else 0


def _causes(session: Session, scope_key: str, slots: Sequence[_Slot]) -> dict[_Slot, list[Happened]]:
    """Give the lines that were recorded of these slots at these instants."""
    found: dict[_Slot, list[Happened]] = defaultdict(list)
    given = {
        "instants": [at.replace(tzinfo=None) for at, *_ in slots],
        "subjects": [subject for _, subject, _ in slots],
        "predicates": [predicate for *_, predicate in slots],
        "scope_key": scope_key,
    }
    for row in session.rows(CAUSES, given) if slots else ():
        at, subject_key, predicate_key, *event = aware(row)
        found[at, subject_key, predicate_key].append(Happened(*event))
    return found


def _told(at: datetime, rows: Sequence[Any], causes: Sequence[Happened]) -> dict[str, Any]:
    """Tell what one slot lost and gained, and the line that did it."""
    subject, predicate = rows[-1][:2]
    ended = [Held(*held) for _, _, change, *held in rows if change == "ended"]
    began = [Held(*held) for _, _, change, *held in rows if change == "began"]
    found = changes(ended, began, causes)
    line = _cause(found, causes)
    return {
        "recorded_at": at,
        "subject": subject,
        "predicate": predicate,
        "changes": [_change(change) for change in found],
        "by": line.recorded_by if line else None,
        "because": line.because if line else None,
        "origin": f"{line.path}:{line.line}" if line else None,
    }


def _cause(found: Sequence[Change], causes: Sequence[Happened]) -> Happened | None:
    """Give the line that says the first change, else the first line of the slot."""
    said = {change.event_id for change in found}
    return next((line for line in causes if line.event_id in said), causes[0] if causes else None)


def _change(change: Change) -> dict[str, Any]:
    holds = (change.now or change.was)[0]
    return {
        "change": change.change,
        "object": change.object,
        "previous": change.previous,
        "source": change.source,
        "valid_from": holds.valid_from,
        "valid_until": holds.valid_until,
    }
