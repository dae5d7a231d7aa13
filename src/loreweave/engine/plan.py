"""What has to be read again: the files of the record against those the index was made from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs

from loreweave.errors import Finding
from loreweave.store.sources import Source
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

    @property
    def is_small(self) -> bool:
        """Tell whether most of the index can stay as it is."""
        changed = sum(self.stamps[path].size for path in self.read) + sum(self.known[path].size for path in self.gone)
        everything = sum(stamp.size for stamp in self.stamps.values())
        return everything <= SMALL or 2 * changed <= everything


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
