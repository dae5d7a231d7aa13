"""Which notes changed between two lists of them, each a note's path and the beginning of its hash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from loreweave.times import Instant

DIGITS = 16
"""How many digits of the hash of a note are kept."""

Hashes = Mapping[str, str]
"""The notes of one scope: their paths, and the first digits of their hashes."""


class Kept(NamedTuple):
    """The notes of one scope as they were at a record instant, and the events recorded before it, after ``after``."""

    recorded_at: Instant
    notes: Hashes
    after: Instant
    events: frozenset[str]


class Begun(NamedTuple):
    """A session resumed: at which record instant it was ``before``, at which it is now, and what the notes are now.

    ``kept`` is what was kept of them before: for this session, or else for others of its scope.
    """

    before: Instant | None
    recorded_at: Instant
    kept: tuple[Kept, ...]
    notes: Hashes


class NoteChange(NamedTuple):
    """A note that was ``added``, ``changed``, ``removed`` or ``moved``: then ``previous`` is where it stood."""

    change: str
    path: str
    previous: str | None = None


def note_changes(before: Hashes, now: Hashes) -> tuple[NoteChange, ...]:
    """Compare two lists of notes, by path; one gone that stands elsewhere now, byte by byte, has moved."""
    gone, came = sorted(before.keys() - now.keys()), sorted(now.keys() - before.keys())
    moved = dict(_moves(before, now, gone, came))
    left = moved.keys() | moved.values()
    found = [NoteChange("moved", path, previous) for path, previous in moved.items()]
    found += [NoteChange("added", path) for path in came if path not in left]
    found += [NoteChange("removed", path) for path in gone if path not in left]
    found += [NoteChange("changed", path) for path in now.keys() & before.keys() if now[path] != before[path]]
    return tuple(sorted(found, key=lambda each: (each.path, each.change)))


def nearest(kept: Iterable[Kept], at: Instant) -> Kept | None:
    """Give what was kept last at or before an instant, or else first after it; None where nothing was."""
    found = sorted(kept, key=lambda each: each.recorded_at)
    return next((each for each in reversed(found) if each.recorded_at <= at), found[0] if found else None)


def _moves(before: Hashes, now: Hashes, gone: Iterable[str], came: Iterable[str]) -> Iterator[tuple[str, str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for path in gone:
        places[before[path]].append(path)
    for path in came:
        if places.get(now[path]):
            yield path, places[now[path]].pop(0)
