"""What a note states and the ledger does not hold of it, and the other way round: local to the note, at no instant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from loreweave.events.held import NOTHING
from loreweave.events.holdings import Holdings, Slot, Spoken, SubSlot
from loreweave.events.past import Value
from loreweave.events.statements import Stated, Statement

Statements = Mapping[Slot, tuple[Statement, ...]]
"""What a note states, by slot, in the order of the note."""


class Departed(NamedTuple):
    """A value that the ledger holds of a note which states it no longer, as the ledger writes it."""

    scope: str
    subject: str
    predicate: str
    object: str
    many: bool
    scope_key: str


class Difference(NamedTuple):
    """Statements that the ledger does not hold, and values it holds that the note does not state."""

    unrecorded: tuple[Statement, ...]
    departed: tuple[Departed, ...]


class Match(NamedTuple):
    """Held values that are stated, each with its statement, and statements of which no value is held."""

    kept: dict[Value, Statement]
    fresh: tuple[Statement, ...]


def differing(stated: Stated, holdings: Holdings) -> Difference:
    """Compare what a note states with what is held of it; of the ledger the lines of this note are enough."""
    now = by_slot(stated.statements)
    unrecorded: list[Statement] = []
    departed: list[Departed] = []
    for slot in sorted({*holdings.slots(stated.path), *now}):
        spoken = holdings.spoken(stated.path, slot)
        for sub_slot, statements in parts(spoken, now.get(slot, ())):
            values = spoken.held.get(sub_slot, NOTHING).stated if spoken else ()
            found = match(statements, values)
            unrecorded += found.fresh
            if spoken:
                gone = (spoken.sightings[value].object for value in values if value not in found.kept)
                names = spoken.scope, spoken.subject, spoken.predicate
                departed += (Departed(*names, text, sub_slot is not None, slot[0]) for text in gone)
    return Difference(tuple(sorted(unrecorded, key=lambda statement: statement.line)), tuple(departed))


def slot_of(statement: Statement) -> Slot:
    """Give the slot of a statement."""
    return statement.scope_key, statement.subject_key, statement.predicate_key


def by_slot(statements: Iterable[Statement]) -> Statements:
    """Part statements by their slots."""
    found: dict[Slot, list[Statement]] = {}
    for statement in statements:
        found.setdefault(slot_of(statement), []).append(statement)
    return {slot: tuple(of_slot) for slot, of_slot in found.items()}


def parts(spoken: Spoken | None, statements: Iterable[Statement]) -> Iterator[tuple[SubSlot, tuple[Statement, ...]]]:
    """Part the statements of one slot by its sub-slots, those among them in which something is held and none stated."""
    found: dict[SubSlot, list[Statement]] = {sub_slot: [] for sub_slot in (spoken.held if spoken else ())}
    for statement in statements:
        found.setdefault(statement.object_key if statement.many else None, []).append(statement)
    for sub_slot in sorted(found, key=lambda name: (name is not None, name or "")):
        yield sub_slot, tuple(found[sub_slot])


def fits(statement: Statement, value: Value) -> bool:
    """Tell whether a statement says this value: of an undated one any start is right."""
    object_key, start, end = value
    same = statement.object_key == object_key and statement.valid_until == end
    return same and statement.valid_from in (None, start)


def match(statements: Iterable[Statement], values: Iterable[Value]) -> Match:
    """Match the statements of one sub-slot with the values held in it, the dated ones first.

    An undated statement says nothing beside a dated one of the same object and end.
    """
    held: dict[str, list[Value]] = {}
    for value in values:
        held.setdefault(value.object_key, []).append(value)
    kept: dict[Value, Statement] = {}
    fresh: dict[tuple[object, ...], Statement] = {}
    dated = set()
    for statement in sorted(statements, key=lambda one: one.valid_from is None):
        name, start, end = said = statement.object_key, statement.valid_from, statement.valid_until
        found = [value for value in held.get(name, ()) if fits(statement, value)]
        for value in found:
            kept.setdefault(value, statement)
        if not found and (start is not None or (name, end) not in dated):
            fresh.setdefault(said, statement)
        if start is not None and (end is None or start < end):
            dated.add((name, end))
    return Match(kept, tuple(fresh.values()))
