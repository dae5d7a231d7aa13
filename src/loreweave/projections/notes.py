"""The tables made from notes: rows of one note at a time, so that a note that changed is replaced alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from loreweave.events.slots import key
from loreweave.events.statements import Stated, Statement
from loreweave.notes.model import Note, Span
from loreweave.projections.names import anchors_of, name_key, names_of

TABLES = ("notes", "spans", "links", "tags", "statements", "names", "anchors")
"""The tables that have rows of one note each; a column of each holds the note's path."""

Row = tuple[object, ...]


class File(NamedTuple):
    """What is known of a note as a file: sha256 of its bytes, its size, and the scope of its folder."""

    hash: str
    size: int
    scope_key: str


class Noted(NamedTuple):
    """The rows of notes, a list a table in the order of ``TABLES``; links are not resolved yet."""

    notes: list[Row]
    spans: list[Row]
    links: list[Row]
    tags: list[Row]
    statements: list[Row]
    names: list[Row]
    anchors: list[Row]

    def add(self, other: Noted) -> None:
        """Take in the rows of further notes."""
        for mine, theirs in zip(self, other, strict=True):
            mine.extend(theirs)


def nothing_noted() -> Noted:
    """Give the rows of no note."""
    return Noted([], [], [], [], [], [], [])


def rows_of(note: Note, stated: Stated, file: File) -> Noted:
    """Give the rows that one note makes, and what it states."""
    path, scope = note.path, file.scope_key
    tags = [tag.tag for tag in note.tags]
    front = note.frontmatter.json
    return Noted(
        [(path, note.title, list(note.aliases), tags, front, file.hash, file.size, stated.title_key, scope)],
        [
            (span_id(path, number, s), path, s.anchor, list(s.heading_path), *s[2:], scope)
            for number, s in enumerate(note.spans)
        ],
        [(path, i.line, i.target, None, *i[2:], None, None, None, name_key(i.target), scope) for i in note.links],
        [(tag.tag, path, tag.line, key(tag.tag), scope) for tag in note.tags],
        [(*statement, stated.title_key, stated.dated) for statement in stated.statements],
        [*names_of(note)],
        [*anchors_of(note)],
    )


def span_id(path: str, number: int, span: Span) -> int:
    """Give the number of a passage, made from its place and from which it is in its note; it fits in 63 bits."""
    place = f"{path}\n{number}\n{span.start_line}\n{span.end_line}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(place, digest_size=8).digest()) >> 1


def stated_of(rows: Iterable[Row], paths: Iterable[str]) -> Iterator[Stated]:
    """Make what notes state of the rows of ``statements`` in order of path; a path without rows states nothing."""
    by_path: dict[str, list[Row]] = {path: [] for path in paths}
    for row in rows:
        by_path[str(row[0])].append(row)
    for path, of_note in by_path.items():
        statements = tuple(Statement(*row[:-2]) for row in of_note)  # type: ignore[arg-type]
        title, dated = of_note[0][-2:] if of_note else ("", None)
        yield Stated(path, str(title), dated, statements)  # type: ignore[arg-type]
