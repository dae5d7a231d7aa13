"""Asserting: what is stamped many, what is on record already, and what a new value does to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import attrs

from loreweave.engine.asking import name_of, refuse_unsound, refuse_unwritable, slot_of
from loreweave.engine.outcome import Change, Outcome, known, outcome
from loreweave.engine.resuming import NOTED, end_of, resumption
from loreweave.events.model import COLUMNS, Event, EventRow, Line, event_of
from loreweave.events.render import as_read
from loreweave.events.rows import row_of
from loreweave.projections.refold import alive
from loreweave.vault.config import read_config

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.engine.write import Before, Written

_SAID = [COLUMNS.index(name) for name in ("object_key", "valid_from", "valid_until", "source", "confidence", "many")]
_MANY, _KIND, _UNTIL = (COLUMNS.index(name) for name in ("many", "kind", "valid_until"))

Said = tuple[object, ...]
"""What a statement says of its slot."""


@attrs.frozen
class Statement:
    """A ``[fact]`` line asked for, without a record time, and how it is to be taken.

    ``many`` None leaves it to ``lore/config.toml`` and to the slot. ``then_resume`` restates, from the end of
    the line on, what is believed just before its start.
    """

    line: Line
    many: bool | None = None
    then_resume: bool = False


def assert_fact(engine: Engine, statement: Statement, *, dry: bool = False) -> Outcome:
    """State a value of a slot; raise Refused, before a byte is written, for what would mean nothing."""
    asked = attrs.evolve(statement, line=as_read(statement.line))
    refuse_unwritable(asked.line)
    slot = slot_of(asked.line)
    declared = asked.many is None and slot[2] in read_config(engine.root).many

    def compose(before: Before) -> Sequence[Line]:
        refuse_unsound(asked.line, before.recorded_at)
        line, _ = stamped(asked, before.rows, declared)
        if asked.then_resume:
            return [line, resumption(line, before)]
        return [] if on_record(line, before.rows) else [line]

    written = engine.write(slot, compose, lambda _: None, dry=dry)
    line, because = stamped(asked, written.before.events, declared)
    claim = None if written.lines else on_record(line, written.before.events)
    return known(line, written, claim, because) if claim else _made(line, written, because)


def _made(line: Line, written: Written, because: str) -> Outcome:
    new, *resumed = map(event_of, written.events)
    return outcome(line, written, namer(new, resumed), because)


def stamped(asked: Statement, rows: Sequence[EventRow], declared: bool) -> tuple[Line, str]:
    """Give the line with or without ``many``, and why it has it where nobody asked for it."""
    if asked.many is not None:
        return asked.line._replace(many=asked.many), ""
    if declared:
        return asked.line._replace(many=True), f'lore/config.toml declares "{asked.line.predicate}" many-valued'
    if any(row[_MANY] for row in rows) and (stand := alive(rows)) and all(row[_MANY] for row in stand):
        return asked.line._replace(many=True), f"every value that {name_of(asked.line)} holds is many-valued"
    return asked.line, ""


def on_record(line: Line, rows: Sequence[EventRow]) -> Event | None:
    """Give the alive asserted claim that says exactly this already, if there is one."""
    if line.valid_from is None:
        return None
    wanted = said(row_of(line, 0, "", 0, ""))
    found = standing(rows).get(wanted) if any(said(row) == wanted for row in rows) else None
    return event_of(found) if found else None


def standing(rows: Sequence[EventRow]) -> dict[Said, EventRow]:
    """Give the asserted claims of one slot that are alive and that no close has cut short, by what they say."""
    claims = {said(row): row for row in alive(rows)}
    closed = any(row[_KIND] == "FactInvalidated" for row in rows)
    return {key: row for key, row in claims.items() if not closed or end_of(event_of(row), rows) == row[_UNTIL]}


def said(row: EventRow) -> Said:
    """Give what makes two statements of one slot the same: object, start, end, source, confidence and ``many``."""
    return tuple(row[at] for at in _SAID)


def namer(new: Event, resumed: Iterable[Event] = ()) -> Callable[[Change], str]:
    """Name what a new value, and what resumes after it, did to each line of the slot."""
    returning = {event.event_id for event in resumed}

    def name(change: Change) -> str:
        if change.event.event_id == new.event_id:
            return ""
        return "resumed" if change.event.event_id in returning else _displacement(change, new)

    return name


def _displacement(change: Change, new: Event) -> str:
    """Name what a new value did to an older one."""
    old = change.event
    if not change.lost:
        return "returned"
    if old.source == NOTED and new.source != NOTED:
        return "masked"
    if old.valid_from == new.valid_from:
        return "corrected"
    if old.object_key == new.object_key:
        return "continued"
    return "superseded" if change.now and change.now[-1].until == new.valid_from else "overridden"
