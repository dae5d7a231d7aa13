"""What an index was made from: the files read, with their stamps and digests, and which engine made it."""

from __future__ import annotations

from typing import NamedTuple

from loreweave.store.schema import EVENTS, Column, Table, table


class Source(NamedTuple):
    """A file as it was read; the columns of the ``sources`` table, in its order.

    Of the record, ``lines`` counts its lines, ``latest`` is the greatest record time written in it, in
    microseconds, and ``follows`` tells that lines appended to it later can be read without what stands above them.
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
    "What this index is: schema_version, engine_version, inputs, reading, stemmer, last_recorded_at, let_go.",
    (Column("key", "varchar", "which property"), Column("value", "varchar", "its value")),
    ("key",),
)
REPEATS = Table("repeats", "Lines that say again what an event says already.", EVENTS.columns, EVENTS.order)

STATEMENTS = table(
    "statements",
    "What the notes state now, recorded or not.",
    "path line form scope subject predicate object scope_key subject_key predicate_key object_key"
    " valid_from valid_until many confidence title_key dated",
    "path line",
)
NAMES = table(
    "names",
    "The names by which links find a note: of its file, its title, its aliases.",
    "path key kind name",
    "path key kind name",
    key="the key of the links that may mean it",
    kind="name, title or alias",
)
ANCHORS = table("anchors", "The headings and blocks that links may name in a note.", "path key", "path key")
PHRASES = table(
    "phrases",
    "The names that passages may mention: their runs of capitalised words, whether anything is called so or not.",
    "key span_id scope_key",
    "key span_id",
    key="the key of the run",
)
CALLED = table(
    "called",
    "What notes are called in text and in facts, one row a note and name.",
    "entity_key path kind name initials scope_key",
    "entity_key path",
    kind="name, title or alias",
    entity_key="the key of the name",
)
DEPARTED = table(
    "departed",
    "What the ledger holds of a note that no longer states it.",
    "note scope subject predicate object many scope_key",
    "note subject predicate object",
)
LOST = table(
    "lost",
    "Lines of the ledger that this index has seen, and that no file has any more.",
    "event_id path line kind note recorded_at scope_key subject_key predicate_key",
    "path line event_id",
)

LISTED = table(
    "listed",
    "The findings about files that are not read, as they were listed last.",
    "code path message",
    "path code message",
)

INTERNAL: tuple[Table, ...] = (
    REPEATS,
    STATEMENTS,
    NAMES,
    ANCHORS,
    PHRASES,
    CALLED,
    DEPARTED,
    LOST,
    LISTED,
    SOURCES,
    META,
)
"""Tables that the engine keeps for itself; no digest has them, and a session of one scope those of ``OF_SCOPES``."""

INPUTS_DIGEST = """
    select sha256(coalesce(string_agg(said, '' order by said), ''))
    from (select path || chr(9) || digest || chr(10) as said from sources)
"""
"""Gives the digest of everything that was read: sha256 over the paths and their digests, a line each, in order."""
