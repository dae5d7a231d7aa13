"""What is proposed for the record: each proposal with what its approval would come to now, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.engine import closing
from loreweave.engine.outcome import EFFECTS, Effect, Interval, outcome
from loreweave.engine.proposing import effect_namer
from loreweave.engine.slots import Held, held, last_recorded
from loreweave.engine.write import Written
from loreweave.errors import BadRequest, Refused
from loreweave.events.model import Event, event_of
from loreweave.events.proposals import FACT, approval_of
from loreweave.events.quarantine import fault
from loreweave.events.rows import id_of, row_of
from loreweave.events.slots import key
from loreweave.store import proposed as stored
from loreweave.store.proposed import PENDING, REJECTED, STATUSES, Proposed, Rejection
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

ALL = "all"

_AS_WRITTEN = (
    *("scope", "subject", "predicate", "object", "source", "confidence", "many"),
    *("recorded_by", "because", "episode", "path", "line"),
)
"""What a proposal has in common with the event that it is."""


@attrs.frozen
class Proposal:
    """A line that somebody proposes. ``valid_from`` and ``valid_until`` are as proposed, None where none was given.

    Of one that is pending, ``holds`` and ``effects`` are what its approval would come to now, ``changed`` tells that
    the slot has changed since, so that it takes force, and ``objection`` why it would be refused, or is empty. Of one
    that is rejected, ``rejected_because`` says why.
    """

    proposal_id: str
    kind: str
    scope: str
    subject: str
    predicate: str
    object: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    source: str | None
    confidence: float | None
    many: bool
    recorded_at: datetime
    recorded_by: str | None
    because: str | None
    episode: str | None
    path: str
    line: int
    status: str
    decided_at: datetime | None
    decided_by: str | None
    rejected_because: str | None
    changed: bool
    objection: str
    holds: tuple[Interval, ...]
    effects: Mapping[str, tuple[Effect, ...]]


@attrs.frozen
class Proposals:
    """The first proposals of a scope in the order in which they were recorded; ``of`` is how many there are."""

    scope: str
    status: str
    proposals: tuple[Proposal, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of proposals given."""
        return len(self.proposals)


@attrs.frozen
class _Ahead:
    """What an approval would come to now."""

    changed: bool = False
    objection: str = ""
    holds: tuple[Interval, ...] = ()
    effects: Mapping[str, tuple[Effect, ...]] = attrs.field(factory=lambda: dict.fromkeys(EFFECTS, ()))


def proposals(session: Session, scope: str, status: str, limit: int) -> Proposals:
    """Give the proposals of a scope that are ``pending``, ``approved`` or ``rejected``, or ``all``."""
    if status not in (*STATUSES, ALL):
        raise BadRequest(f'status: "{status}" is none of {", ".join((*STATUSES, ALL))}.', "give one of them")
    found = stored.of_scope(session.rows, key(scope), None if status == ALL else status)
    shown = found[:limit]
    slots = stored.rows_of_slots(session.rows, [one.event.event_id for one in shown if one.status == PENDING])
    rejected = [one.event.event_id for one in shown if one.status == REJECTED]
    why = stored.rejections(session.rows, key(scope), rejected) if rejected else {}
    now = {slot: (held(rows), last_recorded(rows)) for slot, rows in slots.items()}
    told = (_told(one, now.get(one.slot), why.get(one.event.event_id)) for one in shown)
    return Proposals(scope, status, tuple(told), len(found))


def _told(found: Proposed, now: tuple[Held, Instant] | None, rejection: Rejection | None) -> Proposal:
    event = found.event
    ahead = _ahead(event, *now) if found.status == PENDING and now is not None else _Ahead()
    return Proposal(
        **{name: getattr(event, name) for name in _AS_WRITTEN},
        valid_from=_moment(event.valid_from),
        valid_until=_moment(event.valid_until),
        proposal_id=event.event_id,
        kind=event.detail or FACT,
        recorded_at=to_datetime(event.recorded_at),
        status=found.status,
        decided_at=_moment(found.decided_at),
        decided_by=found.decided_by,
        rejected_because=rejection.because if rejection else None,
        **{field.name: getattr(ahead, field.name) for field in attrs.fields(_Ahead)},
    )


def _ahead(proposal: Event, now: Held, last: Instant) -> _Ahead:
    """Tell what an approval would come to, were it the next line of its slot: a function of the record alone."""
    at = last + 1
    line = approval_of(proposal, "", at)
    changed = now.changed_since(proposal) is not None
    wrong = fault(line, at)
    if wrong is not None:
        return _Ahead(changed, wrong.message)
    row = row_of(line, at, "", 0, id_of(line, at))
    written = Written("", 0, (), (row,), at, now.folded, now.and_then(row))
    try:
        if line.kind != FACT:
            closing.refuse_idle(line, written)
    except Refused as idle:
        return _Ahead(changed, idle.message)
    made = outcome(line, written, effect_namer(event_of(row), line.kind))
    return _Ahead(changed, "", made.holds, made.effects)


def _moment(instant: Instant | None) -> datetime | None:
    return None if instant is None else to_datetime(instant)
