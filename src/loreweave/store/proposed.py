"""What an index holds of proposals: each as the event that it is, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from loreweave.events.model import COLUMNS, Event, EventRow, event_of
from loreweave.times import Instant

Ask = Callable[[str, Sequence[object]], list[tuple[Any, ...]]]
"""Gives all rows of one question: that of a draft or of a session."""

Slot = tuple[str, str | None, str | None]
"""scope_key, subject_key, predicate_key"""

STATUSES = PENDING, APPROVED, REJECTED = ("pending", "approved", "rejected")

_WIDTH = len(COLUMNS)
_EVENT = ", ".join(
    f"epoch_us(events.{name})" if name in ("valid_from", "valid_until", "recorded_at") else f"events.{name}"
    for name in COLUMNS
)
_PROPOSED = f"select {_EVENT}, status, epoch_us(decided_at), decided_by from proposals join events"
_PROPOSED += (
    " on events.event_id = proposal_id and events.scope_key = proposals.scope_key where proposals.scope_key = ?"
)
_ORDER = " order by events.recorded_at, events.path, events.line, events.event_id"
_OF_SLOTS = f"select {_EVENT} from events where (scope_key, subject_key, predicate_key) in"


class Proposed(NamedTuple):
    """A proposal as its event, and what became of it: its status, when that was decided, and by whom."""

    event: Event
    status: str
    decided_at: Instant | None
    decided_by: str | None

    @property
    def slot(self) -> Slot:
        """The slot that it is about."""
        return self.event.scope_key, self.event.subject_key, self.event.predicate_key


class Rejection(NamedTuple):
    """A line that rejects a proposal: when, by whom, why, and where it stands."""

    recorded_at: Instant
    by: str | None
    because: str | None
    path: str
    line: int


def of_scope(ask: Ask, scope_key: str, status: str | None = None) -> list[Proposed]:
    """Give the proposals of a scope, all or those of one status, in the order in which they were recorded."""
    if status is None:
        return _read(ask(_PROPOSED + _ORDER, [scope_key]))
    return _read(ask(f"{_PROPOSED} and status = ?{_ORDER}", [scope_key, status]))


def of_slot(ask: Ask, slot: Slot, status: str) -> list[Proposed]:
    """Give the proposals about one slot that are of one status."""
    where = " and proposals.subject_key = ? and proposals.predicate_key = ? and status = ?"
    return _read(ask(_PROPOSED + where + _ORDER, [*slot, status]))


def slots_rejected(ask: Ask, scope_key: str) -> list[tuple[str, str, str]]:
    """Give the ids of the proposals of a scope that were rejected, each with the keys of its subject and predicate."""
    if not ask("select 1 from events where kind = 'ProposalRejected' and scope_key = ? limit 1", [scope_key]):
        return []
    sql = "select proposal_id, subject_key, predicate_key from proposals where scope_key = ? and status = ?"
    return ask(sql, [scope_key, REJECTED])


def beginning(ask: Ask, scope_key: str, prefixes: Sequence[str]) -> list[Proposed]:
    """Give the proposals of a scope whose ids begin with one of these."""
    named = "exists (select 1 from (select unnest(?::varchar[]) as prefix) where starts_with(proposal_id, prefix))"
    return _read(ask(f"{_PROPOSED} and {named}{_ORDER}", [scope_key, list(prefixes)]))


def rejections(ask: Ask, scope_key: str, event_ids: Sequence[str]) -> dict[str, Rejection]:
    """Give the first line that rejects each of some proposals of a scope, by their ids."""
    found = ask(
        "select object, epoch_us(recorded_at), recorded_by, because, path, line from events"
        " where kind = 'ProposalRejected' and scope_key = ? and object in (select unnest(?::varchar[]))"
        " order by recorded_at desc, path desc, line desc",
        [scope_key, list(event_ids)],
    )
    return {event_id: Rejection(*line) for event_id, *line in found}


def rows_of_slots(ask: Ask, event_ids: Collection[str]) -> dict[Slot, list[EventRow]]:
    """Give the event rows of the slots that these events are about, instants in microseconds, by slot."""
    if not event_ids:
        return {}
    slots = "select scope_key, subject_key, predicate_key from events where event_id in (select unnest(?::varchar[]))"
    return _by_slot(ask(f"{_OF_SLOTS} ({slots})", [list(event_ids)]))


def rows_in(ask: Ask, slots: Collection[Slot]) -> dict[Slot, list[EventRow]]:
    """Give the event rows of some slots, by slot."""
    if not slots:
        return {}
    columns = [list(column) for column in zip(*sorted(slots, key=str), strict=True)]
    given = "select unnest(?::varchar[]), unnest(?::varchar[]), unnest(?::varchar[])"
    return _by_slot(
        ask(f"select {_EVENT} from events where (scope_key, subject_key, predicate_key) in ({given})", columns)
    )


def sightings(ask: Ask, note: str) -> list[EventRow]:
    """Give what the ledger has seen in a note."""
    kinds = "('ValueObserved', 'ValueWithdrawn')"
    return ask(f"select {_EVENT} from events where kind in {kinds} and note = ?", [note])


def _by_slot(rows: list[tuple[Any, ...]]) -> dict[Slot, list[EventRow]]:
    found: dict[Slot, list[EventRow]] = {}
    at = COLUMNS.index("scope_key")
    for row in rows:
        found.setdefault(row[at : at + 3], []).append(row)
    return found


def _read(rows: list[tuple[Any, ...]]) -> list[Proposed]:
    return [Proposed(event_of(row[:_WIDTH]), *row[_WIDTH:]) for row in rows]
