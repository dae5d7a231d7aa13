"""Approving: what was proposed is written, in the name of whoever approves it.

Several are approved in one append and at one record instant, or none is. What each does is told by the slot as it is
once those approved before it are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave import clock
from loreweave.engine import closing
from loreweave.engine.asking import name_of, refuse_unsound
from loreweave.engine.chosen import SHORT, chosen, joined, refuse_decided, refuse_none, short
from loreweave.engine.outcome import Outcome, outcome
from loreweave.engine.proposing import effect_namer
from loreweave.engine.slots import Held, held
from loreweave.engine.write import Written, foresee, journal_of, record_time, rendered
from loreweave.errors import Refused
from loreweave.events.likeness import is_alike
from loreweave.events.model import Event, EventRow, Line, event_of
from loreweave.events.proposals import FACT, approval_of
from loreweave.events.render import as_read
from loreweave.events.slots import key
from loreweave.store import proposed as stored
from loreweave.store.proposed import Proposed
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.store.draft import Draft


@attrs.frozen
class Decision:
    """Who decides, in which scope; ``force`` approves where the slot has changed, ``dry`` only tells what would be."""

    scope: str
    by: str
    force: bool = False
    dry: bool = False


@attrs.frozen
class Approved:
    """What approvals came to, each as what a write came to; all or none, at one record instant."""

    approved: tuple[Outcome, ...]
    approved_by: str
    recorded_at: datetime
    written: bool
    dry_run: bool


class _Step(NamedTuple):
    """A proposal, the line that its approval writes, and what the slot held when it was looked at."""

    proposal: Event
    line: Line
    held: Held


def approve(engine: Engine, ids: Sequence[str], decision: Decision) -> Approved:
    """Write the lines that proposals propose, all or none; raise Refused, naming each that cannot be approved."""
    refuse_none(ids)
    now = clock.now()

    def work(draft: Draft) -> Approved:
        recorded_at = record_time(draft, now)
        steps = _steps(draft, ids, decision, recorded_at)
        _refuse_contradictions(steps)
        path = journal_of(recorded_at)
        texts = [rendered(as_read(step.line)) for step in steps]
        foreseen = foresee(engine.root, draft, path, texts)
        made = tuple(_outcomes(steps, texts, foreseen, dry=decision.dry))
        if not decision.dry:
            engine.append(draft, path, texts)
        return Approved(made, decision.by, to_datetime(recorded_at), not decision.dry, decision.dry)

    return engine.on_draft(work)


def _steps(draft: Draft, ids: Sequence[str], decision: Decision, recorded_at: Instant) -> list[_Step]:
    """Give what is to be written for each proposal; raise Refused with all that cannot be."""

    def refuse(proposal: Proposed) -> None:
        refuse_decided(proposal)
        _refuse_own(proposal.event, decision.by)

    found, faults = chosen(draft.ask, key(decision.scope), ids, refuse)
    event_ids = [proposal.event.event_id for proposal in found]
    slots = {slot: held(rows) for slot, rows in stored.rows_of_slots(draft.ask, event_ids).items()}
    steps = []
    for proposal in found:
        try:
            steps.append(_step(proposal, slots[proposal.slot], decision, recorded_at))
        except Refused as wrong:
            faults.append((proposal.event.event_id[:SHORT], wrong))
    if faults:
        raise joined(faults, len(set(ids)), "approved")
    return steps


def _step(proposal: Proposed, now: Held, decision: Decision, recorded_at: Instant) -> _Step:
    event = proposal.event
    line = approval_of(event, decision.by, recorded_at)
    refuse_unsound(as_read(line), recorded_at)
    changed = None if decision.force else now.changed_since(event)
    if changed is not None:
        what = f'"{changed.object}" ' if changed.kind == "FactAsserted" else ""
        told = f"{name_of(line)} has changed since {short(event)} was proposed: {what}({changed.path}:{changed.line})."
        raise Refused(told, "`lore why` shows what changed; --force approves it all the same")
    return _Step(event, line, now)


def _outcomes(
    steps: Sequence[_Step], texts: Sequence[str], foreseen: Sequence[EventRow], *, dry: bool
) -> Iterable[Outcome]:
    """Tell what each line does to its slot, those above it being written."""
    slots: dict[tuple[object, ...], Held] = {}
    for step, text, row in zip(steps, texts, foreseen, strict=True):
        event, line = event_of(row), as_read(step.line)
        slot = event.scope_key, event.subject_key, event.predicate_key
        now = slots.get(slot, step.held)
        after = now.and_then(row)
        slots[slot] = now._replace(folded=after)
        written = Written(event.path, event.line, (text,), (row,), event.recorded_at, now.folded, after, dry)
        if line.kind != FACT:
            closing.refuse_idle(line, written)
        made = outcome(line, written, effect_namer(event, line.kind))
        yield attrs.evolve(made, proposal_id=step.proposal.event_id)


def _refuse_own(proposal: Event, by: str) -> None:
    if proposal.recorded_by is not None and is_alike(proposal.recorded_by, by):
        told = f"{short(proposal)} was proposed by {proposal.recorded_by}, who cannot approve it."
        raise Refused(told, "let somebody else approve it: --by, or LORE_BY, says who decides")


def _refuse_contradictions(steps: Sequence[_Step]) -> None:
    """Raise Refused where two proposals are of other values of one slot, from one start."""
    starts: dict[tuple[object, ...], _Step] = {}
    for step in steps:
        event = step.proposal
        if step.line.kind != FACT or step.line.many:
            continue
        place = (event.scope_key, event.subject_key, event.predicate_key, step.line.valid_from)
        other = starts.setdefault(place, step)
        if other.proposal.object_key != event.object_key:
            told = (
                f"{short(other.proposal)} and {short(event)} contradict each other: two values of {name_of(step.line)}"
            )
            raise Refused(f"{told} from one start.", "approve one of them, and reject the other")
