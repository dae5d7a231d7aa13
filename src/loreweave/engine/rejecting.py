"""Rejecting: what was proposed will not be written, and why, in the name of whoever decides.

Several are rejected in one append and at one record instant, or none is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.engine.asking import refuse_unwritable
from loreweave.engine.chosen import chosen, joined, refuse_decided, refuse_none
from loreweave.engine.write import foresee, journal_of, record_time, rendered
from loreweave.errors import Refused
from loreweave.events.model import DEFAULT_SCOPE, Event, Line, event_of
from loreweave.events.proposals import FACT
from loreweave.events.render import as_read
from loreweave.events.slots import key
from loreweave.notes.visible import is_blank, reveal
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.engine.deciding import Decision
    from loreweave.store.draft import Draft


@attrs.frozen
class RejectedProposal:
    """A proposal that was rejected, and where that is written."""

    proposal_id: str
    kind: str
    scope: str
    subject: str
    predicate: str
    object: str | None
    path: str
    line_number: int


@attrs.frozen
class Rejected:
    """What was rejected, by whom and why; all or none, at one record instant."""

    rejected: tuple[RejectedProposal, ...]
    rejected_by: str
    because: str
    recorded_at: datetime


def reject(engine: Engine, ids: Sequence[str], because: str, decision: Decision) -> Rejected:
    """Write that proposals are rejected, and why, all or none; raise Refused, naming each that is decided already."""
    refuse_none(ids)
    if is_blank(because):
        raise Refused(f"The reason {reveal(because)} is blank.", "say in because why it is rejected")
    now = clock.now()

    def work(draft: Draft) -> Rejected:
        found, faults = chosen(draft.ask, key(decision.scope), ids, refuse_decided)
        if faults:
            raise joined(faults, len(set(ids)), "rejected")
        recorded_at = record_time(draft, now)
        pairs = [(one.event, _rejection(one.event, because, decision.by, recorded_at)) for one in found]
        made = _written(engine, draft, pairs, recorded_at)
        return Rejected(made, decision.by, pairs[0][1].because or "", to_datetime(recorded_at))

    return engine.on_draft(work)


def _written(
    engine: Engine, draft: Draft, pairs: Sequence[tuple[Event, Line]], recorded_at: Instant
) -> tuple[RejectedProposal, ...]:
    """Append the lines by which proposals are rejected; tell where each stands."""
    for _, line in pairs:
        refuse_unwritable(line)
    path, texts = journal_of(recorded_at), [rendered(line) for _, line in pairs]
    foreseen = foresee(engine.root, draft, path, texts)
    engine.append(draft, path, texts)
    return tuple(_rejected(one, event_of(row)) for (one, _), row in zip(pairs, foreseen, strict=True))


def _rejection(proposal: Event, because: str, by: str, recorded_at: Instant) -> Line:
    scope = None if proposal.scope_key == DEFAULT_SCOPE else proposal.scope
    line = Line("rejected", object=proposal.event_id, recorded_at=recorded_at, scope=scope, by=by)
    return as_read(line._replace(because=because))


def _rejected(proposal: Event, line: Event) -> RejectedProposal:
    slot = proposal.scope, proposal.subject or "", proposal.predicate or "", proposal.object
    return RejectedProposal(proposal.event_id, proposal.detail or FACT, *slot, line.path, line.line)
