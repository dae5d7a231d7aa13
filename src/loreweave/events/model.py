"""Lines and events. A line is what was written; an event is what it says happened, and since when we know."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from loreweave.times import Instant

DEFAULT_SCOPE = "default"
RANKS = {"stated": 3, "inferred": 2, "extracted": 1}
"""Sources and their rank; ``extracted`` is the noted layer, the others are the asserted layer."""


class Line(NamedTuple):
    """What one line says, as written; None where nothing was written. Instants in microseconds UTC.

    ``kind`` is the word in brackets. For ``used``, ``session``, ``walked`` and ``rejected`` the object
    holds what the line names (an address, a name, a hash, a proposal's id) and the slot is None.
    """

    kind: str
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    recorded_at: Instant | None = None
    confidence: float | None = None
    source: str | None = None
    scope: str | None = None
    many: bool = False
    by: str | None = None
    because: str | None = None
    episode: str | None = None
    note: str | None = None
    hash: str | None = None
    proposal: str | None = None
    proposed: str | None = None


@attrs.frozen
class Event:
    """What a line says happened. The fields are the columns of the ``events`` table, in its order.

    ``recorded_at`` is the effective record time; ``valid_from`` of an assertion or observation is
    resolved (its record time where none was written), and so is the ``valid_until`` of a close. ``detail`` is of a
    use the hashes of the passage, of a proposal the kind of line proposed, of a line approved the proposal's id.
    """

    event_id: str
    kind: str
    scope: str
    subject: str | None
    predicate: str | None
    object: str | None
    scope_key: str
    subject_key: str | None
    predicate_key: str | None
    object_key: str | None
    valid_from: Instant | None
    valid_until: Instant | None
    recorded_at: Instant
    source: str | None
    confidence: float | None
    many: bool
    recorded_by: str | None
    because: str | None
    episode: str | None
    note: str | None
    detail: str | None
    path: str
    line: int


class FactAsserted(Event):
    """Somebody states a value of a slot from ``valid_from`` on, until ``valid_until`` if one is given."""


class FactInvalidated(Event):
    """A close: what holds in the slot, or the one object named, ended at ``valid_until``."""


class FactRetracted(Event):
    """The claims on record before, or those with the object and start named, were never right."""


class ValueObserved(Event):
    """The engine saw a note state a value of a slot."""


class ValueWithdrawn(Event):
    """The note no longer says so."""


class FactProposed(Event):
    """An agent proposes a line; no effect on beliefs."""


class ProposalRejected(Event):
    """A person declined a proposal; the object is the proposal's id."""


class SpanUsed(Event):
    """A passage was used; the object is its address."""


class SessionMarked(Event):
    """A session was resumed; the object is its name."""


class CommitWalked(Event):
    """A commit of the vault's history was read; the object is its hash."""


KINDS: dict[str, type[Event]] = {
    "fact": FactAsserted,
    "invalidate": FactInvalidated,
    "retract": FactRetracted,
    "observed": ValueObserved,
    "withdrawn": ValueWithdrawn,
    "proposed": FactProposed,
    "rejected": ProposalRejected,
    "used": SpanUsed,
    "session": SessionMarked,
    "walked": CommitWalked,
}
"""The word in brackets and the event it makes; ``Event.kind`` is the class name."""

JOURNAL_KINDS = frozenset({"fact", "invalidate", "retract", "proposed", "rejected"})
LEDGER_KINDS = frozenset({"observed", "withdrawn", "used", "session", "walked"})
SLOT_KINDS = frozenset({"fact", "invalidate", "retract", "observed", "withdrawn", "proposed"})

EventRow = tuple[object, ...]
"""The fields of an event in the order of ``COLUMNS``: how events travel in bulk."""

COLUMNS: tuple[str, ...] = tuple(field.name for field in attrs.fields(Event))


def event_of(row: EventRow) -> Event:
    """Make the event of a row."""
    return _CLASSES[row[1]](*row)  # type: ignore[index,arg-type]


_CLASSES = {cls.__name__: cls for cls in KINDS.values()}
