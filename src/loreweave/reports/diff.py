"""What changed in belief between two record instants, slot by slot, in the order in which it was recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.reports.answer import CHANGES, aware
from loreweave.reports.changes import CAUSES, HELD, Change, Happened, Held, changes
from loreweave.reports.question import Question, naive
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session


@attrs.frozen
class Origin:
    """A line of the record: the event it is, where it stands, who wrote it and why."""

    event_id: str
    path: str
    line: int
    recorded_by: str | None
    because: str | None


@attrs.frozen
class SlotChange:
    """What one record instant did to one slot: the lines recorded then, and what they changed."""

    recorded_at: datetime
    subject: str
    predicate: str
    lines: tuple[Origin, ...]
    changes: tuple[Change, ...]


@attrs.frozen
class Diff:
    """The changes recorded after ``earlier`` and not after ``later``; None is open, as best known."""

    earlier: datetime
    later: datetime | None
    scope: str
    changes: tuple[SlotChange, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of changed slots given, each counted once for each record instant."""
        return len(self.changes)


Groups = Mapping[tuple[Any, ...], Sequence[Any]]
"""Rows by record instant, subject key and predicate key: subject and predicate, what happened, what is held."""


def diff(session: Session, asked: Question, earlier: Instant, later: Instant | None, *, limit: int = CHANGES) -> Diff:
    """Compare what was believed at two record instants; of many changes give the first."""
    return _diff(session, asked, (earlier, later), f"recorded_at, subject_key, predicate_key) <= {int(limit)}")


def latest(session: Session, asked: Question, earlier: Instant, later: Instant | None, *, limit: int) -> Diff:
    """Compare in the same way; of many changes give the last."""
    return _diff(session, asked, (earlier, later), f"recorded_at desc, subject_key, predicate_key) <= {int(limit)}")


def _diff(session: Session, asked: Question, bounds: tuple[Instant, Instant | None], wanted: str) -> Diff:
    earlier, later = bounds
    changed, of = _changed(session, asked, {"earlier": naive(earlier), "later": naive(later)}, wanted)
    found = slot_changes(session, asked.parameters()["scope_key"], changed)
    return Diff(to_datetime(earlier), None if later is None else to_datetime(later), asked.scope, found, of)


def _changed(session: Session, asked: Question, bounds: dict[str, Any], wanted: str) -> tuple[Groups, int]:
    """Give the rows of changes_between for the groups wanted, by their number, and how many groups there are."""
    sql = f"""
        with found as (from changes_between($earlier, $later) where {asked.where()})
        select recorded_at, subject_key, predicate_key, subject, predicate, change, {HELD},
            (select count(*) from (select distinct recorded_at, subject_key, predicate_key from found))
        from found qualify dense_rank() over (order by {wanted}
        order by recorded_at, subject_key, predicate_key, change, valid_from, object_key, event_id
    """
    groups: dict[tuple[Any, ...], list[Any]] = defaultdict(list)
    of = 0
    for row in session.ask(sql, bounds | asked.parameters()).fetchall():
        at, subject_key, predicate_key, *rest, of = aware(row)
        groups[at, subject_key, predicate_key].append(rest)
    return groups, of


def slot_changes(session: Session, scope_key: object, changed: Groups) -> tuple[SlotChange, ...]:
    """Give what each group of rows says that one record instant did to one slot, with the lines that did it."""
    causes = _causes(session, scope_key, list(changed))
    return tuple(_slot_change(group, rows, causes[group]) for group, rows in changed.items())


def _causes(session: Session, scope_key: object, groups: list[tuple[Any, ...]]) -> Mapping[Any, list[Happened]]:
    """Give the lines recorded of these groups, in order."""
    instants, subjects, predicates = (list(column) for column in zip(*groups, strict=True)) if groups else ([], [], [])
    found: dict[tuple[Any, ...], list[Happened]] = defaultdict(list)
    naive_instants = [at.replace(tzinfo=None) for at in instants]
    given = {"instants": naive_instants, "subjects": subjects, "predicates": predicates, "scope_key": scope_key}
    for row in session.rows(CAUSES, given) if groups else ():
        at, subject_key, predicate_key, *event = aware(row)
        found[at, subject_key, predicate_key].append(Happened(*event))
    return found


def _slot_change(group: tuple[Any, ...], rows: Sequence[Any], causes: list[Happened]) -> SlotChange:
    subject, predicate = rows[-1][:2]
    ended = [Held(*held) for _, _, change, *held in rows if change == "ended"]
    began = [Held(*held) for _, _, change, *held in rows if change == "began"]
    lines = tuple(Origin(cause.event_id, cause.path, cause.line, cause.recorded_by, cause.because) for cause in causes)
    return SlotChange(group[0], subject, predicate, lines, changes(ended, began, causes))
