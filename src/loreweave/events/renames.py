"""Notes whose title is another: a new title is a new subject, so what was said of the old one ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from loreweave.events.difference import Statements
from loreweave.events.holdings import Holdings
from loreweave.events.statements import Stated

Values = dict[tuple[str, str], str]
"""Values of one subject, by the keys of predicate and object, with the subject as it is written."""


class Renamed(NamedTuple):
    """A note now called otherwise: its path, the old subject and the new, and how many values ended and began."""

    path: str
    old: str
    new: str
    ended: int
    began: int


def renamed(holdings: Holdings, notes: Mapping[str, Stated], now: Mapping[str, Statements]) -> Iterator[Renamed]:
    """Give the notes, of those looked at, that now say of their title what was said of another subject until now.

    A note under its old path is known by the predicates it keeps; one under a new path by all its values, two at least.
    """
    ended = _ended(holdings, now)
    moved = _by_values(ended, now)
    taken = {subject for subjects in ended.values() for subject in subjects}
    for path, stated in sorted(notes.items()):
        title, began = stated.title_key, _began(holdings, stated)
        if not began or title in taken:
            continue
        predicates = {predicate for predicate, _ in began}
        own = ended.get(path, {})
        shared = {subject: sum(p in predicates for p, _ in values) for subject, values in own.items()}
        best = max(shared, key=lambda subject: (shared[subject], subject), default="")
        old = own[best] if shared.get(best) else moved.get(frozenset(began))
        if old:
            yield Renamed(path, next(iter(old.values())), next(iter(began.values())), len(old), len(began))


def _ended(holdings: Holdings, now: Mapping[str, Statements]) -> dict[str, dict[str, Values]]:
    """Give by note and subject what was held of subjects that the note says nothing of any more."""
    ended: dict[str, dict[str, Values]] = {}
    for note, slots in now.items():
        subjects = {subject for _, subject, _ in slots}
        for slot in holdings.slots(note):
            spoken = None if slot[1] in subjects else holdings.spoken(note, slot)
            if spoken is not None and spoken.held:
                values = {(slot[2], value.object_key): spoken.subject for _, value in spoken.values()}
                ended.setdefault(note, {}).setdefault(slot[1], {}).update(values)
    return ended


def _by_values(
    ended: Mapping[str, Mapping[str, Values]], now: Mapping[str, Statements]
) -> dict[frozenset[tuple[str, str]], Values]:
    """Give what notes said that say nothing now, by its values, where no two said the same."""
    found: dict[frozenset[tuple[str, str]], list[Values]] = {}
    for note in (note for note in ended if not now[note]):
        for values in (values for values in ended[note].values() if len(values) > 1):
            found.setdefault(frozenset(values), []).append(values)
    return {values: said[0] for values, said in found.items() if len(said) == 1}


def _began(holdings: Holdings, stated: Stated) -> Values:
    """Give what a note says of its title, nothing where it held something of it before."""
    for slot in holdings.slots(stated.path):
        spoken = holdings.spoken(stated.path, slot)
        if slot[1] == stated.title_key and spoken is not None and spoken.held:
            return {}
    own = (s for s in stated.statements if s.subject_key == stated.title_key)
    return {(s.predicate_key, s.object_key): s.subject for s in own}
