"""What an index was made from: the files read, with their stamps and digests, and which engine made it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from loreweave.store.schema import EVENTS, Column, Table

BARRED = ("outside-vault", "unreadable-file")
"""Findings about files that are not read, listed anew at every replay."""


class Source(NamedTuple):
    """A file of the record as it was read; the columns of the ``sources`` table, in its order.

    ``latest`` is the greatest record time written in it, in microseconds; ``follows`` tells that lines
    appended to it later can be read without what stands above them.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    digest: str
    lines: int
    latest: int | None
    follows: bool


SOURCES = Table(
    "sources",
    "The files this index was made from, as they were when they were read.",
    (
        Column("path", "varchar", "the file, relative to the vault"),
        Column("size", "bigint", "its size in bytes"),
        Column("mtime_ns", "bigint", "when its content last changed, in nanoseconds"),
        Column("ctime_ns", "bigint", "when its entry last changed, in nanoseconds"),
        Column("inode", "bigint", "its number on the disk"),
        Column("digest", "varchar", "sha256 of its bytes"),
        Column("lines", "bigint", "how many lines it has"),
        Column("latest", "bigint", "the greatest record time written in it, in microseconds"),
        Column("follows", "boolean", "true where lines appended to it can be read alone"),
    ),
    ("path",),
)
META = Table(
    "meta",
    "What this index is: schema_version, engine_version, inputs, last_recorded_at.",
    (Column("key", "varchar", "which property"), Column("value", "varchar", "its value")),
    ("key",),
)
REPEATS = Table("repeats", "Lines that say again what an event says already.", EVENTS.columns, EVENTS.order)

INTERNAL: tuple[Table, ...] = (REPEATS, SOURCES, META)
"""Tables that the engine keeps for itself; no digest has them, and a scoped session only ``repeats``."""


def inputs_digest(sources: Iterable[Source]) -> str:
    """Give the digest of everything that was read: sha256 over path and content digest, by path."""
    lines = sorted(f"{source.path}\t{source.digest}\n" for source in sources)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
