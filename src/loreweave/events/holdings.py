"""What the ledger holds of every note: observations and withdrawals, followed slot by slot when they are asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from loreweave.events.held import NOTHING, Held, said, silenced
from loreweave.events.model import COLUMNS, EventRow
from loreweave.events.past import Value
from loreweave.times import Instant

Slot = tuple[str, str, str]
"""The keys of a scope, a subject and a predicate."""

SubSlot = str | None
"""The key of the one object of a many-valued sub-slot; None is the sub-slot of the single values."""

_ID, _KIND, _OBJECT, _KEY, _FROM, _UNTIL, _RECORDED, _CONFIDENCE, _MANY, _EPISODE, _NOTE, _PATH, _LINE = map(
    COLUMNS.index,
    "event_id kind object object_key valid_from valid_until recorded_at confidence many episode note path line".split(),
)
_SLOT = slice(COLUMNS.index("scope_key"), COLUMNS.index("predicate_key") + 1)
_NAMES = slice(COLUMNS.index("scope"), COLUMNS.index("predicate") + 1)
_order = itemgetter(_RECORDED, _PATH, _LINE)
_instant = itemgetter(_RECORDED)


class Sighting(NamedTuple):
    """The latest observation of a value: its object as written, its confidence, and where it was heard if elsewhere."""

    object: str
    confidence: float
    episode: str | None


class Spoken(NamedTuple):
    """What a note says in a slot: what is held by sub-slot, and what was when it last said anything new, at ``at``.

    ``until`` is the record time of the latest line; ``scope``, ``subject`` and ``predicate`` are as that line has them.
    """

    held: Mapping[SubSlot, Held]
    last: Mapping[SubSlot, Held]
    at: Instant
    until: Instant
    sightings: dict[Value, Sighting]
    scope: str
    subject: str
    predicate: str

    def values(self) -> Iterator[tuple[SubSlot, Value]]:
        """Give the values that the note is held to state, each with its sub-slot."""
        for sub_slot, held in self.held.items():
            for value in held.stated:
                yield sub_slot, value


class Holdings:
    """The observations and withdrawals of the ledger, by note and slot."""

    def __init__(self) -> None:
        self._rows: dict[str, dict[Slot, list[Any]]] = {}
        self._notes: dict[Slot, dict[str, None]] = {}
        self._spoken: dict[tuple[str, Slot], Spoken] = {}
        self._later: dict[tuple[str, Slot], list[Any]] = {}

    @classmethod
    def of(cls, rows: Iterable[EventRow]) -> Holdings:
        """Hold these event rows, in the columns of ``events`` and in any order; other kinds are passed over."""
        holdings = cls()
        holdings.take(rows)
        return holdings

    def take(self, rows: Iterable[EventRow]) -> None:
        """Take in further rows, in any order; a line that is held already changes nothing."""
        row: Any
        for row in rows:
            note = row[_NOTE]
            if note is not None and row[_KIND] in ("ValueObserved", "ValueWithdrawn"):
                slot = row[_SLOT]
                self._rows.setdefault(note, {}).setdefault(slot, []).append(row)
                self._notes.setdefault(slot, {})[note] = None
                if (note, slot) in self._spoken:
                    self._later.setdefault((note, slot), []).append(row)

    def knows(self, note: str) -> bool:
        """Tell whether any line names this note."""
        return note in self._rows

    def slots(self, note: str) -> Collection[Slot]:
        """Give the slots in which a note ever said something."""
        return self._rows.get(note, {}).keys()

    def notes(self, slot: Slot) -> Collection[str]:
        """Give the notes that ever said something in a slot."""
        return self._notes.get(slot, {}).keys()

    def spoken(self, note: str, slot: Slot) -> Spoken | None:
        """Give what a note says in a slot, None where it never said anything there."""
        place = note, slot
        spoken, later = self._spoken.get(place), self._later.pop(place, None)
        if spoken is None or later:
            rows = self._rows.get(note, {}).get(slot)
            if rows is None:
                return None
            if spoken is not None and later and spoken.until < min(map(_instant, later)):
                spoken = _read(later, spoken)
            else:
                spoken = _read(rows) if len(rows) > 1 else _first(rows[0])
            self._spoken[place] = spoken
        return spoken


def _first(row: Any) -> Spoken:
    """Read one line, as ``_read`` does: most values are seen once and stand."""
    if row[_KIND] == "ValueWithdrawn" or row[_EPISODE] is not None:
        return _read([row])
    value = Value(row[_KEY], row[_FROM], row[_UNTIL])
    held: dict[SubSlot, Held] = {value.object_key if row[_MANY] else None: Held((value,))}
    sighting = Sighting(row[_OBJECT], row[_CONFIDENCE], None)
    return Spoken(held, held, row[_RECORDED], row[_RECORDED], {value: sighting}, *row[_NAMES])


def _read(rows: list[Any], before: Spoken | None = None) -> Spoken:
    """Follow the lines of one note in one slot, each at its first place, from record instant to record instant.

    Where they go on from what was read ``before``, that is used up.
    """
    first: dict[str, Any] = {}
    for row in sorted(rows, key=_order):
        first.setdefault(row[_ID], row)
    held: dict[SubSlot, Held] = dict(before.held) if before else {}
    sightings = before.sightings if before else {}
    last, at = (before.last, before.at) if before else ({}, 0)
    for instant, lines in groupby(first.values(), key=_instant):
        if _follow(lines, held, sightings):
            last, at = held.copy(), instant
    return Spoken(held, last, at, row[_RECORDED], sightings, *row[_NAMES])


def _follow(lines: Iterable[Any], held: dict[SubSlot, Held], sightings: dict[Value, Sighting]) -> bool:
    """Change what is held by the lines of one record instant; tell whether the note said anything new."""
    seen: dict[SubSlot, list[Value]] = {}
    stated = {sub_slot: of_part.stated for sub_slot, of_part in held.items()}
    corrected = set()
    for row in lines:
        name = row[_KEY]
        sub_slot = name if row[_MANY] else None
        before, now = held.get(sub_slot, NOTHING), seen.setdefault(sub_slot, [])
        if row[_KIND] == "ValueWithdrawn":
            corrected.add(sub_slot)
            held[sub_slot] = silenced(before, name)
            now[:] = silenced(Held(tuple(now)), name).stated
        else:
            value = Value(name, row[_FROM], row[_UNTIL])
            sightings[value] = Sighting(row[_OBJECT], row[_CONFIDENCE], row[_EPISODE])
            if row[_EPISODE] is None:
                now.append(value)
            else:
                held[sub_slot] = before._replace(past=before.past.plus([value]))
    for sub_slot, values in seen.items():
        held[sub_slot] = said(held.get(sub_slot, NOTHING), values, corrects=sub_slot in corrected)
        if held[sub_slot] == NOTHING:
            del held[sub_slot]
    return any(value not in stated.get(sub_slot, ()) for sub_slot, values in seen.items() for value in values)
