"""Closes left behind: a note was given another title, and what was said against its values is about the old one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from loreweave.events.model import DEFAULT_SCOPE
from loreweave.events.slots import key
from loreweave.reports.question import word
from loreweave.times import from_datetime, show_day

if TYPE_CHECKING:
    from loreweave.store.session import Session

SHOWN = 10

_SQL = """
    with moved as (
        select gone.subject as was, gone.subject_key as was_key, seen.*
        from events gone join events seen using (scope_key, note, recorded_at, predicate_key)
        where gone.kind = 'ValueWithdrawn' and seen.kind = 'ValueObserved' and gone.subject_key != seen.subject_key
            and (gone.object_key is null or gone.object_key = seen.object_key)
    )
    select moved.was, moved.subject, moved.predicate, moved.object, moved.note, moved.scope, ending.kind,
        ending.valid_until, ending.path, ending.line, belief.valid_from, count(*) over ()
    from moved
    join events ending on ending.scope_key = moved.scope_key and ending.subject_key = moved.was_key
        and ending.predicate_key = moved.predicate_key and ending.recorded_at <= moved.recorded_at
        and (ending.object_key is null or ending.object_key = moved.object_key)
    join beliefs belief on belief.event_id = moved.event_id
    where ending.kind in ('FactInvalidated', 'FactRetracted') and belief.known_until is null
        and belief.valid_until is null
        and exists (
            from events claim where claim.kind = 'ValueObserved' and claim.note = moved.note
                and claim.scope_key = moved.scope_key and claim.subject_key = moved.was_key
                and claim.predicate_key = moved.predicate_key and claim.object_key = moved.object_key
                and claim.recorded_at < ending.recorded_at
        )
    qualify row_number() over (
        partition by moved.event_id order by ending.recorded_at desc, ending.path, ending.line
    ) = 1
    order by moved.note, moved.subject_key, moved.predicate_key, moved.object_key
"""


@attrs.frozen
class Left:
    """A close or retraction that was said of a note's old title, and the command that would say it of the new one."""

    note: str
    place: str
    told: str
    command: str


def closes_left_behind(session: Session, limit: int = SHOWN) -> tuple[tuple[Left, ...], int]:
    """Give the first closes that a new title left behind, while the value is believed under it; and how many there are.

    What began before the close is to be closed at the same instant; what begins after it is to be retracted.
    """
    rows = session.ask(f"{_SQL} limit {int(limit)}").fetchall()
    return tuple(_left(row[:-1]) for row in rows), rows[0][-1] if rows else 0


def _left(row: tuple[Any, ...]) -> Left:
    was, subject, predicate, value, note, scope, kind, end, path, line, start = row
    slot = f"{word(subject)} {word(predicate)}"
    within = "" if key(scope) == DEFAULT_SCOPE else f" --scope {word(scope)}"
    if kind == "FactInvalidated" and start < end:
        told = f"{was} :: {predicate} was closed"
        command = f"lore{within} invalidate {slot} --valid-until {show_day(from_datetime(end))}"
    else:
        told = f"{was} :: {predicate} was {'closed' if kind == 'FactInvalidated' else 'retracted'}"
        command = f"lore{within} retract {slot} {word(value)}"
    return Left(note, f"{path}:{line}", f'{told}, and {note} now says "{value}" of {subject}', command)
