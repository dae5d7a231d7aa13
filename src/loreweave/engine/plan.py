"""What has to be read again: the files of the record against those the index was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import attrs

from loreweave.errors import Finding
from loreweave.store.sources import Source
from loreweave.vault.read import read_bytes
from loreweave.vault.root import Stamp, record_files

SMALL = 1_000_000
"""Bytes of record up to which any change is folded into the index that stands."""


@attrs.frozen
class Plan:
    """The files on disk with their stamps, those to read, those that are gone, those that cannot be read."""

    stamps: dict[str, Stamp]
    read: tuple[str, ...]
    gone: tuple[str, ...]
    barred: tuple[Finding, ...]
    known: dict[str, Source]
    barred_changed: bool = False

    @property
    def is_empty(self) -> bool:
        """Tell whether the index is as fresh as the files."""
        return not (self.read or self.gone or self.barred_changed)

    def is_small(self, root: Path) -> bool:
        """Tell whether most of the index can stay as it is: by stamps, and if these say no, by content."""
        everything = sum(stamp.size for stamp in self.stamps.values())
        if everything <= SMALL:
            return True
        gone = sum(self.known[path].size for path in self.gone)
        if 2 * (gone + sum(self.stamps[path].size for path in self.read)) <= everything:
            return True
        changed = (path for path in self.read if not self._says_the_same(root, path))
        return 2 * (gone + sum(self.stamps[path].size for path in changed)) <= everything

    def _says_the_same(self, root: Path, path: str) -> bool:
        """Tell whether a file has the content that was read: a copied vault has other stamps."""
        source = self.known.get(path)
        if source is None or source.size != self.stamps[path].size:
            return False
        try:
            return hashlib.sha256(read_bytes(root, path)).hexdigest() == source.digest
        except OSError:
            return False


def compare(root: Path, known: Iterable[Source], barred_before: Iterable[str] = ()) -> Plan:
    """Compare the record on disk with the sources of an index."""
    stamps, barred = record_files(root)
    sources = {source.path: source for source in known}
    read = tuple(path for path, stamp in stamps.items() if path not in sources or _differs(sources[path], stamp))
    gone = tuple(path for path in sources if path not in stamps)
    changed = {finding.path for finding in barred} != set(barred_before)
    return Plan(stamps, read, gone, tuple(barred), sources, changed)


def _differs(source: Source, stamp: Stamp) -> bool:
    return (source.size, source.mtime_ns, source.ctime_ns, source.inode) != attrs.astuple(stamp)
