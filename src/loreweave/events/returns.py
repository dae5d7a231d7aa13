"""Where a value comes from that a note begins to state: a value that returns, or moved, has the start it had.

Looked for, in this order: in what the note itself says in the slot, else in a note of the same title that falls silent
there in this run, in what the note itself said last, and in a note of the same title that fell silent before, but not
in one that another took over from; in a note that stops saying the value now; in a note of the same title that says
it still, of which this may be a copy. Titles of notes that are gone are told by the ledger, so that it makes no
difference which notes are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from loreweave.events.difference import Statements, fits, slot_of
from loreweave.events.held import NOTHING, Held
from loreweave.events.holdings import Holdings, Slot, Spoken, SubSlot
from loreweave.events.past import Value
from loreweave.events.slots import key
from loreweave.events.statements import Stated, Statement
from loreweave.times import Instant


class Source(NamedTuple):
    """A note from which a value may come; ``goes_on`` where that note, under its new name, is the one looked at."""

    note: str
    spoken: Spoken
    goes_on: bool = False


class Returns:
    """Finds the sources of values for the notes of one run, given as what each states now, by slot.

    ``titles`` are the keys of the titles of notes that are there, those of other notes too.
    """

    def __init__(self, holdings: Holdings, now: Mapping[str, Statements], titles: Mapping[str, str]) -> None:
        self._titles = titles
        self._holdings = holdings
        self._now = now
        self._moving: dict[tuple[Slot, str], list[str]] = {}
        self._leaving: set[str] = set()
        for note in sorted(now):
            for slot in holdings.slots(note):
                self._compare(note, slot)
        self._leaving_stems = {_stem(note) for note in self._leaving}
        self._stems: dict[Slot, dict[str, list[str]]] = {}

    def is_first_sight(self, stated: Stated) -> bool:
        """Tell whether this note was never seen before, be it under another name that it had until now."""
        if self._holdings.knows(stated.path) or not self._leaving_stems.isdisjoint(_names(stated)):
            return False
        return self._leaving.isdisjoint(self._spoke_of(stated))

    def base(self, stated: Stated, slot: Slot) -> tuple[Source, Held] | None:
        """Give the single values that a note, of which none are held, takes up again or takes over."""
        single = [statement for statement in self._now[stated.path].get(slot, ()) if not statement.many]
        objects = dict.fromkeys(statement.object_key for statement in single)
        renamed: tuple[Source, Held] | None = None
        for source in self._sources(stated, slot, objects):
            standing = source.spoken.held.get(None)
            held = standing or source.spoken.last.get(None, NOTHING)
            goes_on = source.goes_on and standing is not None
            if renamed is not None and not goes_on:
                break
            if held.stated and any(fits(s, value) for s in single for value in held.stated):
                return source, held
            if held.stated and goes_on and renamed is None:
                renamed = source, held
        return renamed

    def starts(self, stated: Stated, statement: Statement) -> Iterator[Instant]:
        """Give the starts that an undated value had, that of the nearest source first; none where it is new."""
        name = statement.object_key
        sub_slots: tuple[SubSlot, SubSlot] = (name, None) if statement.many else (None, name)
        for source in self._sources(stated, slot_of(statement), (name,)):
            for sub_slot in sub_slots:
                yield from _begun(source.spoken.last.get(sub_slot, NOTHING).stated, name)

    def _compare(self, note: str, slot: Slot) -> None:
        """Mark what a note stops saying in a slot, and a note that says nothing at all any more."""
        said = {statement.object_key for statement in self._now[note].get(slot, ())}
        spoken = self._holdings.spoken(note, slot)
        dropped = {value.object_key for _, value in spoken.values()} - said if spoken else ()
        for object_key in dropped:
            self._moving.setdefault((slot, object_key), []).append(note)
        if dropped and not self._now[note]:
            self._leaving.add(note)

    def _sources(self, stated: Stated, slot: Slot, objects: Iterable[str]) -> Iterator[Source]:
        if not self._holdings.notes(slot):
            return
        path, own = stated.path, self._holdings.spoken(stated.path, slot)
        if own is not None and own.held:
            alike: list[str] = []
            yield Source(path, own)
        else:
            alike = self._alike(stated, slot)
            yield from self._silent(stated.path, slot, [note for note in alike if not self._speaks(note, slot)])
        moving = (note for name in objects for note in self._moving.get((slot, name), ()) if note != path)
        yield from self._of(slot, moving)
        speaking = (note for note in alike if self._is_copied(stated, note) and self._speaks(note, slot))
        yield from self._of(slot, sorted(speaking, key=lambda note: (_stem(note) != _stem(path), note)))

    def _is_copied(self, stated: Stated, note: str) -> bool:
        """Tell whether a note that is there still is one of which another may be a copy."""
        return _stem(note) == _stem(stated.path) or self._titles.get(note) == stated.title_key

    def _silent(self, path: str, slot: Slot, silent: Iterable[str]) -> Iterator[Source]:
        """Give this note and those of its title that are silent now, but for those that another took over from.

        First those that fall silent in this run, a file of the same name before others; then this note; then the
        others, the latest to fall silent first.
        """
        found = list(self._of(slot, {path: None} | dict.fromkeys(silent)))
        latest = max((source.spoken.at for source in found), default=0)
        for source in sorted(found, key=lambda source: _nearness(source, path), reverse=True):
            spoken = source.spoken
            if spoken.held or spoken.at == latest or latest < spoken.until:
                yield source._replace(goes_on=source.note != path)

    def _of(self, slot: Slot, notes: Iterable[str]) -> Iterator[Source]:
        for note in notes:
            spoken = self._holdings.spoken(note, slot)
            if spoken is not None:
                yield Source(note, spoken)

    def _speaks(self, note: str, slot: Slot) -> bool:
        """Tell whether a note says something in a slot when this run is over."""
        if note in self._now:
            return bool(self._now[note].get(slot))
        spoken = self._holdings.spoken(note, slot)
        return spoken is not None and bool(spoken.held)

    def _alike(self, stated: Stated, slot: Slot) -> list[str]:
        """Give the other notes that spoke in a slot and bore this title, by what they spoke of or by their names."""
        if slot not in self._stems:
            by_stem: dict[str, list[str]] = {}
            self._stems[slot] = by_stem
            for note in self._holdings.notes(slot):
                by_stem.setdefault(_stem(note), []).append(note)
        alike = {note for name in _names(stated) for note in self._stems[slot].get(name, ())}
        alike.update(note for note in self._spoke_of(stated) if self._holdings.spoken(note, slot) is not None)
        return sorted(alike - {stated.path})

    def _spoke_of(self, stated: Stated) -> Iterator[str]:
        """Give the notes that spoke where this note speaks of its title."""
        for slot in self._now[stated.path]:
            if slot[1] == stated.title_key:
                yield from self._holdings.notes(slot)


def _nearness(source: Source, path: str) -> tuple[object, ...]:
    note, spoken = source.note, source.spoken
    falls = bool(spoken.held)
    return falls, falls and _stem(note) == _stem(path), note == path, spoken.until, spoken.at, note


def _begun(values: Iterable[Value], object_key: str) -> list[Instant]:
    """Give the instant since when an object was last stated, without another one in between."""
    ordered = sorted(values, key=lambda value: value.valid_from)
    runs = [next(run).valid_from for name, run in groupby(ordered, lambda v: v.object_key) if name == object_key]
    return runs[-1:]


def _names(stated: Stated) -> set[str]:
    return {_stem(stated.path), stated.title_key}


def _stem(path: str) -> str:
    return key(path.rpartition("/")[2].rpartition(".")[0])
