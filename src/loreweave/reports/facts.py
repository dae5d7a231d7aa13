"""What was believed at a moment, or the whole valid history as it was believed at one record instant."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.answer import FACTS, Answer, aware, moment
from loreweave.reports.question import Question, naive

if TYPE_CHECKING:
    from loreweave.store.session import Session

FIELDS = (
    "scope, subject, predicate, object, valid_from, valid_until, known_from, known_until,"
    " source, confidence, many, recorded_by, path, line, event_id"
)
_ORDER = "subject_key, predicate_key, valid_from, object_key, known_from, event_id"
_KNOWN = "known_from <= $known and (known_until is null or $known < known_until)"


@attrs.frozen
class Fact:
    """A belief: one value of a slot over an interval of valid time and one of record time; ends None are open.

    Instants are aware datetimes in UTC. ``path`` and ``line`` are where it was written.
    """

    scope: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime | None
    source: str
    confidence: float
    many: bool
    recorded_by: str | None
    path: str
    line: int
    event_id: str


def facts(session: Session, asked: Question, *, limit: int = FACTS) -> Answer[Fact]:
    """Give what was believed at the moment asked about; its ``as_of`` must be set."""
    relation = "belief_at($as_of, $as_known_at)"
    instants = {"as_of": naive(asked.moment.as_of), "as_known_at": naive(asked.moment.as_known_at)}
    return _answer(session, f"{relation} where {asked.where()}", asked, instants, limit)


def history(session: Session, asked: Question, *, limit: int = FACTS) -> Answer[Fact]:
    """Give every belief held at ``as_known_at``, whatever time it is about."""
    known = asked.moment.as_known_at
    if known is None:
        return _answer(session, f"beliefs where known_until is null and {asked.where()}", asked, {}, limit)
    return _answer(session, f"beliefs where {_KNOWN} and {asked.where()}", asked, {"known": naive(known)}, limit)


def _answer(
    session: Session, source: str, asked: Question, instants: dict[str, datetime | None], limit: int
) -> Answer[Fact]:
    sql = f"select {FIELDS}, count(*) over () from {source} order by {_ORDER} limit {int(limit)}"
    rows = session.ask(sql, {**instants, **asked.parameters()}).fetchall()
    return Answer(
        "facts",
        tuple(Fact(*aware(row[:-1])) for row in rows),
        rows[0][-1] if rows else 0,
        asked.scope,
        moment(asked.moment.as_of),
        moment(asked.moment.as_known_at),
    )
