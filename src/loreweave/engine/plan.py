"""What has to be read again: the files of the vault against those the index was made from."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from loreweave import __version__
from loreweave.errors import Finding
from loreweave.store.sources import Source
from loreweave.vault.config import Config
from loreweave.vault.read import read_bytes
from loreweave.vault.root import is_of_record, note_files, record_files
from loreweave.vault.walk import Stamp

SMALL = 1_000_000
"""Bytes of a vault up to which any change is brought into the index that stands."""

READING, STEMMER = "reading", "stemmer"
"""The property of an index that tells how its notes were read."""

Ask = Callable[[str], list[tuple[Any, ...]]]
"""Gives the rows of one question to an index."""


@attrs.frozen
class Known:
    """What an index was made from: its sources by path, what was wrong with the listing, how notes were read.

    ``version`` is that of the program which made it; ``mark`` tells it from the index that is swapped in next.
    """

    sources: Mapping[str, Source]
    listed: frozenset[tuple[str, str, str]]
    reading: str | None
    version: str | None
    mark: int

    @classmethod
    def of(cls, ask: Ask, mark: int) -> Known:
        """Ask an index."""
        sources = {row[0]: Source(*row) for row in ask("from sources")}
        meta: dict[str, str] = dict(ask("from meta"))
        return cls(sources, frozenset(ask("from listed")), meta.get(READING), meta.get("engine_version"), mark)


class Notes(NamedTuple):
    """How many notes are new, changed, gone, and as they were."""

    added: int
    changed: int
    removed: int
    unchanged: int


NOTHING = Known({}, frozenset(), None, None, -1)


@attrs.frozen
class Lot:
    """Files of one sort on disk with their stamps, those to read, and those that are gone."""

    stamps: dict[str, Stamp]
    read: tuple[str, ...]
    gone: tuple[str, ...]


@attrs.frozen
class Plan:
    """The record and the notes on disk, and what is wrong with them as files; all notes are read ``anew`` or not."""

    record: Lot
    notes: Lot
    listed: tuple[Finding, ...]
    known: Known
    config: Config

    @property
    def anew(self) -> bool:
        """Tell whether notes are read otherwise than they were."""
        return self.known.reading != self.config.reading_digest

    @property
    def is_of_another_version(self) -> bool:
        """Tell whether another version of the program made the index, which may have read the same files otherwise."""
        return self.known.version != __version__

    @property
    def listing_changed(self) -> bool:
        """Tell whether other files than before cannot be taken."""
        return marks(self.listed) != self.known.listed

    @property
    def files(self) -> int:
        """Count the files on disk."""
        return len(self.record.stamps) + len(self.notes.stamps)

    @property
    def is_empty(self) -> bool:
        """Tell whether the index is as fresh as the files."""
        changed = self.record.read or self.record.gone or self.notes.read or self.notes.gone
        return not (changed or self.listing_changed or self.anew or self.is_of_another_version)

    def is_small(self, root: Path) -> bool:
        """Tell whether most of the index can stay as it is: by stamps, and if these say no, by content."""
        if self.is_of_another_version:
            return False
        stamps = {**self.record.stamps, **self.notes.stamps}
        everything = sum(stamp.size for stamp in stamps.values())
        if everything <= SMALL:
            return True
        if self.anew and self.notes.stamps:
            return False
        gone = sum(self.known.sources[path].size for path in (*self.record.gone, *self.notes.gone))
        read = (*self.record.read, *self.notes.read)
        if 2 * (gone + sum(stamps[path].size for path in read)) <= everything:
            return True
        changed = (path for path in read if not self._says_the_same(root, path, stamps[path].size))
        return 2 * (gone + sum(stamps[path].size for path in changed)) <= everything

    def _says_the_same(self, root: Path, path: str, size: int) -> bool:
        """Tell whether a file has the content that was read: a copied vault has other stamps."""
        source = self.known.sources.get(path)
        if source is None or source.size != size:
            return False
        try:
            return hashlib.sha256(read_bytes(root, path)).hexdigest() == source.digest
        except OSError:
            return False


def compare(root: Path, config: Config, known: Known = NOTHING) -> Plan:
    """Compare the vault on disk with what an index was made from."""
    record, of_record = record_files(root)
    notes, of_notes = note_files(root, config)
    listed = tuple(dict.fromkeys([*of_record, *of_notes]))
    return Plan(
        _lot(root, record, known, [path for path in known.sources if is_of_record(path)]),
        _lot(root, notes, known, [path for path in known.sources if not is_of_record(path)], config),
        listed,
        known,
        config,
    )


def counted(plan: Plan, before: Known, read: Iterable[Source]) -> Notes:
    """Count what became of the notes, given what was known before and what was read."""
    notes = [source for source in read if source.path in plan.notes.stamps]
    known = [before.sources.get(source.path) for source in notes]
    added = sum(source is None for source in known)
    changed = sum(was is not None and was.digest != now.digest for was, now in zip(known, notes, strict=True))
    removed = sum(not is_of_record(path) and path not in plan.notes.stamps for path in before.sources)
    return Notes(added, changed, removed, len(plan.notes.stamps) - added - changed)


def marks(listed: Iterable[Finding]) -> frozenset[tuple[str, str, str]]:
    """Give what tells the findings of a listing apart."""
    return frozenset((finding.code, finding.path, finding.message) for finding in listed)


def _lot(root: Path, stamps: dict[str, Stamp], known: Known, before: list[str], config: Config | None = None) -> Lot:
    sources = known.sources
    anew = config is not None and known.reading != config.reading_digest
    read = tuple(p for p, stamp in stamps.items() if anew or p not in sources or _differs(root, sources[p], stamp))
    return Lot(stamps, read, tuple(path for path in before if path not in stamps))


def _differs(root: Path, source: Source, stamp: Stamp) -> bool:
    """Tell whether a file may be other than it was; one that could not be read is tried again."""
    if (source.mtime_ns, source.size, source.ctime_ns) != (stamp.mtime_ns, stamp.size, stamp.ctime_ns):
        return True
    if source.inode != stamp.inode:
        return True
    return not source.digest and os.access(root / source.path, os.R_OK)


@attrs.frozen
class Refreshed:
    """What bringing the index up to date came to: files it is made from, read again, gone; ``whole`` if built anew.

    ``notes`` counts those among them that are new, changed, gone and as they were. ``is_behind`` tells that another
    program was writing, so that the index is left as it was.
    """

    files: int
    read: int
    gone: int
    whole: bool
    notes: Notes
    is_behind: bool = False


def refreshed(found: Plan, read: Iterable[Source] = ()) -> Refreshed:
    """Tell what bringing the index up to date came to, where most of it stayed."""
    changed = len(found.record.read) + len(found.notes.read), len(found.record.gone) + len(found.notes.gone)
    return Refreshed(found.files, *changed, False, counted(found, found.known, read))
