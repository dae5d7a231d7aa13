"""What changed last: the slots that the latest record instants changed, and the notes that were used last."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from loreweave.reports.answer import aware
from loreweave.reports.changes import HELD, Change
from loreweave.reports.diff import SlotChange, slot_changes

if TYPE_CHECKING:
    from loreweave.store.session import Session

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
    groups: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    of = 0
    for row in session.rows(_CHANGED, {"scope_key": scope_key, "limit": limit}):
        at, subject_key, predicate_key, *rest, of = aware(row)
        groups[at, subject_key, predicate_key].append(rest)
    return [_told(change) for change in slot_changes(session, scope_key, groups)], of


def latest_used(session: Session, scope_key: str, limit: int) -> tuple[list[dict[str, Any]], int]:
    """Give the notes that were used last, each with when and how often; and how many were used at all."""
    rows = [aware(row) for row in session.rows(_USED, {"scope_key": scope_key, "limit": limit})]
    names = ("path", "title", "used_at", "times")
    return [dict(zip(names, row[:4], strict=True)) for row in rows], rows[0][4] if rows else 0


def _told(changed: SlotChange) -> dict[str, Any]:
    """Tell what one slot lost and gained, and the line that did it: that of the first change, else the first."""
    said = {change.event_id for change in changed.changes}
    line = next((line for line in changed.lines if line.event_id in said), next(iter(changed.lines), None))
    return {
        "recorded_at": changed.recorded_at,
        "subject": changed.subject,
        "predicate": changed.predicate,
        "changes": [_change(change) for change in changed.changes],
        "by": line.recorded_by if line else None,
        "because": line.because if line else None,
        "origin": f"{line.path}:{line.line}" if line else None,
    }


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
