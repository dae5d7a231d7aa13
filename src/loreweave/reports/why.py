"""Why a slot has its value: each line that was recorded of it, what that changed, and the answer before and after."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.reports.answer import FOREVER, STEPS, aware, moment
from loreweave.reports.changes import (
    HAPPENED,
    HELD,
    SLOTTED,
    Change,
    Happened,
    Held,
    changes,
    grouped_by_instant,
    is_rival,
    values_at,
)
from loreweave.reports.facts import Fact, facts
from loreweave.reports.question import Question, naive

if TYPE_CHECKING:
    from loreweave.store.session import Session

_UNDONE = {"FactInvalidated": "closed", "FactRetracted": "unsaid", "ValueWithdrawn": "withdrawn"}


@attrs.frozen
class Proposal:
    """The proposal that a line approves: who proposed it, and where that stands."""

    proposal_id: str
    recorded_by: str | None
    path: str
    line: int


@attrs.frozen
class Line:
    """A line of the record: what it says, where it stands, who wrote it and why.

    ``effect`` says why it changed no belief, and is empty where it did. ``proposal`` is the one that it approves.
    """

    kind: str
    object: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    source: str | None
    confidence: float | None
    many: bool
    recorded_by: str | None
    because: str | None
    note: str | None
    path: str
    line: int
    event_id: str
    effect: str = ""
    proposal: Proposal | None = None


@attrs.frozen
class Step:
    """One record instant: the lines recorded then, what they changed, and the answer before and after them."""

    recorded_at: datetime
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


@attrs.frozen
class Why:
    """The value of a slot at a moment, and the steps that made it, ``of`` in all; those that touch it come first."""

    scope: str
    subject: str
    predicate: str
    as_of: datetime
    as_known_at: datetime | None
    facts: tuple[Fact, ...]
    steps: tuple[Step, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of steps given."""
        return len(self.steps)


def why(session: Session, asked: Question, *, limit: int = STEPS) -> Why:
    """Explain one slot; subject, predicate and ``as_of`` must be set."""
    about, known = moment(asked.moment.as_of) or FOREVER, moment(asked.moment.as_known_at)
    held = [row for row in _held(session, asked) if row.known_from <= (known or FOREVER)]
    happened = [event for event in _happened(session, asked) if event.recorded_at <= (known or FOREVER)]
    by_instant = {at: list(events) for at, events in groupby(happened, lambda event: event.recorded_at)}
    rows = _Rows(held, grouped_by_instant(held), _idle(session, asked), about, _proposed(session, asked, happened))
    return Why(
        asked.scope,
        *_names(session, asked),
        about,
        known,
        facts(session, asked, limit=limit).items,
        tuple(_step(at, by_instant[at], rows) for at in _chosen(list(by_instant), rows, limit)),
        len(by_instant),
    )


class _Rows(NamedTuple):
    held: list[Held]
    by_instant: Mapping[datetime, tuple[list[Held], list[Held]]]
    idle: Mapping[tuple[str, int], str]
    about: datetime
    proposed: Mapping[str, Proposal]


def _held(session: Session, asked: Question) -> list[Held]:
    sql = f"select {HELD} from beliefs where {asked.where()} order by known_from, valid_from, object_key, event_id"
    return [Held(*aware(row)) for row in session.ask(sql, asked.parameters()).fetchall()]


def _happened(session: Session, asked: Question) -> list[Happened]:
    sql = f"select {HAPPENED} from events where {asked.where()} and kind in {SLOTTED} order by recorded_at, path, line"
    return [Happened(*aware(row)) for row in session.ask(sql, asked.parameters()).fetchall()]


def _proposed(session: Session, asked: Question, happened: list[Happened]) -> Mapping[str, Proposal]:
    """Give the proposals of the slot that lines approve, by their ids."""
    if not any(event.detail for event in happened):
        return {}
    sql = f"select event_id, recorded_by, path, line from events where {asked.where()} and kind = 'FactProposed'"
    return {row[0]: Proposal(*row) for row in session.ask(sql, asked.parameters()).fetchall()}


def _idle(session: Session, asked: Question) -> Mapping[tuple[str, int], str]:
    """Give what the fold said of lines of the slot that reached nothing."""
    sql = f"""
        select path, line, message from findings semi join (from events where {asked.where()}) using (path, line)
        where code = 'ineffective' and scope_key = $scope_key
    """
    rows = session.ask(sql, asked.parameters()).fetchall()
    return {(path, line): message for path, line, message in rows}


def _names(session: Session, asked: Question) -> tuple[str, str]:
    """Give subject and predicate as written last, as far as was known then; as asked where they never were."""
    sql = f"""
        select subject, predicate from events
        where {asked.where()} and kind in {SLOTTED} and recorded_at <= coalesce($known, 'infinity'::timestamp)
        order by recorded_at desc, path, line limit 1
    """
    row = session.ask(sql, asked.parameters() | {"known": naive(asked.moment.as_known_at)}).fetchone()
    return row or (asked.subject or "", asked.predicate or "")


def _chosen(instants: list[datetime], rows: _Rows, limit: int) -> list[datetime]:
    """Give the instants to show: those that touched the answer, then the latest of the others, in order."""
    covering = [row for row in rows.held if row.valid_from <= rows.about < (row.valid_until or FOREVER)]
    touching = {at for row in covering for at in (row.known_from, row.known_until)}
    ranked = sorted(instants, key=lambda at: (at in touching, at), reverse=True)
    return sorted(ranked[:limit])


def _step(at: datetime, events: list[Happened], rows: _Rows) -> Step:
    ended, began = rows.by_instant.get(at, ([], []))
    before, after = values_at(rows.held, rows.about, at, before=True), values_at(rows.held, rows.about, at)
    winners = {row.event_id for row in began}
    effects = ("" if event.event_id in winners else _without_effect(event, events, rows) for event in events)
    lines = tuple(_line(event, effect, rows) for event, effect in zip(events, effects, strict=True))
    return Step(at, lines, changes(ended, began, events), before, after)


def _without_effect(event: Happened, events: list[Happened], rows: _Rows) -> str:
    """Say why a line changed nothing at its record instant; empty for a close or retraction that did."""
    if event.kind not in ("FactAsserted", "ValueObserved"):
        return rows.idle.get((event.path, event.line), "")
    act = next((act for act in events if _undoes(act, event)), None)
    if act is not None:
        return f"{_UNDONE[act.kind]} at once by {act.path}:{act.line}"
    over = next((row for row in rows.held if is_rival(row, event) and _covers(row, event)), None)
    where = "" if over is None else f'"{over.object}" ({over.path}:{over.line})'
    if over is not None and event.source == "extracted" and over.source != "extracted":
        return f"masked by {where}; what a note says from before the end of a statement stays out"
    if over is not None and over.event_id in {other.event_id for other in events}:
        return f"outranked by {where}"
    return "it holds nowhere: what was closed or retracted before stays so"


def _undoes(act: Happened, claim: Happened) -> bool:
    """Tell whether a line of the same instant takes a claim away from its very start."""
    if (act.path, act.line) < (claim.path, claim.line) or act.object_key not in (None, claim.object_key):
        return False
    if act.kind == "ValueWithdrawn":
        return claim.kind == "ValueObserved" and (act.note, act.many) == (claim.note, claim.many)
    if act.kind == "FactInvalidated":
        return act.valid_until == claim.valid_from
    return act.kind == "FactRetracted" and act.valid_from in (None, claim.valid_from)


def _covers(row: Held, claim: Happened) -> bool:
    """Tell whether a belief of a claim's record instant holds where the claim starts."""
    known = row.known_from <= claim.recorded_at < (row.known_until or FOREVER)
    return known and row.valid_from <= (claim.valid_from or FOREVER) < (row.valid_until or FOREVER)


def _line(event: Happened, effect: str, rows: _Rows) -> Line:
    said = (event.kind, event.object, event.valid_from, event.valid_until, event.source, event.confidence, event.many)
    proposal = rows.proposed.get(event.detail or "")
    return Line(*said, *event[10:-1], event.event_id, effect, proposal)
