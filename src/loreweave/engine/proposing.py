"""Proposing: a line that would be written is held to what it would be, and written as a proposal that changes nothing.

What approval would come to is told by the same fold that will judge the approval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.engine import closing
from loreweave.engine.asking import name_of, refuse_unsound, refuse_unwritable, slot_of
from loreweave.engine.barring import barring
from loreweave.engine.outcome import Change, Outcome, known, outcome
from loreweave.engine.stating import Statement, namer, on_record, stamped
from loreweave.engine.write import Before, Request, Written, prepare
from loreweave.errors import Refused
from loreweave.events.model import Event, EventRow, Line, event_of
from loreweave.events.proposals import FACT, approval_of, proposal_of
from loreweave.events.render import as_read
from loreweave.events.rows import id_of, row_of
from loreweave.events.slots import object_key
from loreweave.notes.visible import as_name, excerpt
from loreweave.projections.refold import refold
from loreweave.store import proposed as stored
from loreweave.store.proposed import REJECTED, Proposed
from loreweave.times import Instant, show_day, to_datetime
from loreweave.vault.config import read_config

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.store.draft import Draft


def propose(engine: Engine, asked: Statement | Line, *, dry: bool = False) -> Outcome:
    """Write a statement, a close or a retraction as a proposal; tell what its approval would come to now.

    Raises Refused where the line itself would be, and for what was rejected before. What is on record, or proposed
    already, is not written again.
    """
    statement = asked if isinstance(asked, Statement) else Statement(asked)
    _refuse_resumption(statement)
    line = as_read(statement.line)
    refuse_unwritable(line)
    return engine.on_draft(_Proposing(engine, attrs.evolve(statement, line=line), dry).write)


class _Proposing:
    """One thing that is to be proposed."""

    def __init__(self, engine: Engine, asked: Statement, dry: bool) -> None:
        self.engine, self.asked, self.dry = engine, asked, dry
        self.slot = slot_of(asked.line)
        self.declared = asked.many is None and self.slot[2] in read_config(engine.root).many
        self.now = clock.now()

    def write(self, draft: Draft) -> Outcome:
        """Append the proposal, unless it would say nothing new."""
        waiting: list[Event] = []

        def compose(seen: Before) -> Sequence[Line]:
            refuse_unsound(self.asked.line, seen.recorded_at)
            line, _ = self._ready(seen.rows)
            waiting.extend(_waiting(draft, line, seen))
            return [] if waiting or _on_record(line, seen.rows) else [proposal_of(line)]

        written = prepare(self.engine.root, draft, self.slot, Request(compose, lambda _: None, self.now, self.dry))
        made = self._made(written, waiting)
        if written.lines and not self.dry:
            self.engine.append(draft, written.path, written.lines)
        return made

    def _made(self, written: Written, waiting: Sequence[Event]) -> Outcome:
        """Tell what came of it, and what approval would come to; raise Refused where that would change nothing."""
        line, why = self._ready(written.before.events)
        claim = None if waiting else _on_record(line, written.before.events)
        if claim:
            return known(line, written, claim, why)
        return _told(line, written, waiting[0] if waiting else event_of(written.events[0]), why)

    def _ready(self, rows: Sequence[EventRow]) -> tuple[Line, str]:
        line = self.asked.line
        return stamped(self.asked, rows, self.declared) if line.kind == FACT else (line, "")


def proposal_event(line: Line, recorded_at: Instant) -> Event:
    """Give the event that proposing a line would be."""
    return event_of(row_of(proposal_of(line), recorded_at, "", 0, ""))


def _waiting(draft: Draft, line: Line, seen: Before) -> list[Event]:
    """Give the pending proposal of this very line, if there is one; raise Refused where a like one was rejected."""
    barred = barring(draft.ask, slot_of(line), seen.rows)
    found = barred.of(proposal_event(line, seen.recorded_at), seen.rows)
    if found is not None and found.status == REJECTED:
        raise _rejected(draft, line, found)
    return [found.event] if found else []


def _rejected(draft: Draft, line: Line, found: Proposed) -> Refused:
    """Say that what is proposed was rejected before, by whom and why."""
    named = name_of(line) if line.object is None else f"{name_of(line)} :: {as_name(line.object)}"
    by = f" by {as_name(found.decided_by)}" if found.decided_by else ""
    on = f" on {show_day(found.decided_at)}" if found.decided_at is not None else ""
    event = found.event
    line_of = stored.rejections(draft.ask, event.scope_key, [event.event_id]).get(event.event_id)
    why = f": {excerpt(line_of.because)}" if line_of and line_of.because else ""
    place = f" ({as_name(f'{line_of.path}:{line_of.line}')})" if line_of else ""
    what = "" if line.kind == FACT else f"[{line.kind}] "
    told = f"{what}{named} was proposed before{_as_before(line, event)} and rejected{by}{on}{why}{place}."
    return Refused(told, "a person who knows better may write it without a proposal")


def _as_before(line: Line, rejected: Event) -> str:
    """Give how it was written then, where a reader alone may take one for the other."""
    written = [rejected.subject, rejected.predicate, rejected.object]
    keys = (*slot_of(line)[1:], None if line.object is None else object_key(line.object))
    if (rejected.subject_key, rejected.predicate_key, rejected.object_key) == keys:
        return ""
    return f" as {excerpt(' :: '.join(field for field in written if field is not None))}"


def _approved_ahead(line: Line, written: Written, proposal: Event) -> Written:
    """Give what a write of the approval of a proposal would come to, at the record time of ``written``."""
    approval = approval_of(proposal, "", written.recorded_at)
    row = row_of(approval, written.recorded_at, written.path, written.line, id_of(approval, written.recorded_at))
    after = refold([*written.before.events, row])
    ahead = attrs.evolve(written, events=(row,), after=after)
    if line.kind != FACT:
        closing.refuse_idle(line, ahead)
    return ahead


def effect_namer(new: Event, kind: str) -> Callable[[Change], str]:
    """Name what a line of a kind did to each line of its slot."""
    return namer(new) if kind == FACT else closing.namer(kind)


def _told(line: Line, written: Written, proposal: Event, why: str) -> Outcome:
    """Tell of a proposal, new or standing already, what its approval would come to."""
    ahead = _approved_ahead(line, written, proposal)
    made = outcome(line, ahead, effect_namer(event_of(ahead.events[0]), line.kind), why)
    made = attrs.evolve(made, proposed=True, proposal_id=proposal.event_id)
    if written.lines:
        return made
    since = to_datetime(proposal.recorded_at)
    return attrs.evolve(made, path=proposal.path, line_number=proposal.line, recorded_at=since, written=False)


def _on_record(line: Line, rows: Sequence[EventRow]) -> Event | None:
    return on_record(line, rows) if line.kind == FACT else None


def _refuse_resumption(asked: Statement) -> None:
    if asked.then_resume:
        hint = "propose the value, and then what is to follow it, each with its own start"
        raise Refused("then_resume writes two lines, and a proposal is one.", hint)
