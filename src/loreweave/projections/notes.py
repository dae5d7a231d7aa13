"""The tables made from notes: rows of one note at a time, so that a note that changed is replaced alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple, cast

from loreweave.events.slots import key
from loreweave.events.statements import Stated, Statement
from loreweave.notes import content_time
from loreweave.notes.content_time import Stretch
from loreweave.notes.model import Note, Span
from loreweave.projections.called import called
from loreweave.projections.names import anchors_of, name_key, names_of
from loreweave.projections.phrases import phrases
from loreweave.projections.postings import Counted, counted
from loreweave.times import Instant

TABLES = ("notes", "spans", "links", "tags", "statements", "names", "anchors", "postings", "phrases", "called")
"""The tables that have rows of one note each; a column holds the note's path, or else the id of its passage."""

Row = tuple[object, ...]


class File(NamedTuple):
    """What is known of a note as a file: sha256 of its bytes, its size, and the scope of its folder."""

    hash: str
    size: int
    scope_key: str


class Noted(NamedTuple):
    """The rows of notes, a list a table in the order of ``TABLES``; links are not resolved yet.

    Terms are kept counted, a field of a passage each: there are many times more of them than of anything else.
    """

    notes: list[Row]
    spans: list[Row]
    links: list[Row]
    tags: list[Row]
    statements: list[Row]
    names: list[Row]
    anchors: list[Row]
    postings: list[Row]
    phrases: list[Row]
    called: list[Row]

    @property
    def counted(self) -> list[Counted]:
        """Give the terms of passages, counted."""
        return cast("list[Counted]", self.postings)

    def tables(self) -> Iterator[tuple[str, list[Row]]]:
        """Give every table with its rows, one for each term of a field."""
        postings: list[Row] = [row for counted in self.counted for row in counted.rows()]
        yield from zip(TABLES, self._replace(postings=postings), strict=True)

    def add(self, other: Noted) -> None:
        """Take in the rows of further notes."""
        for mine, theirs in zip(self, other, strict=True):
            mine.extend(theirs)


def nothing_noted() -> Noted:
    """Give the rows of no note."""
    return Noted([], [], [], [], [], [], [], [], [], [])


def rows_of(note: Note, stated: Stated, file: File, stemmer: str) -> Noted:
    """Give the rows that one note makes, and what it states; its words are brought to their stems by ``stemmer``."""
    path, scope = note.path, file.scope_key
    span_ids = range(first := span_id(path), first + len(note.spans))
    words = counted(note, span_ids, scope, stemmer)
    names = list(names_of(note))
    tags = [tag.tag for tag in note.tags]
    front = note.frontmatter.json
    dated = content_time.of_note(path, note.frontmatter)
    return Noted(
        [(path, note.title, list(note.aliases), tags, front, *_stretch(dated), *file[:2], stated.title_key, scope)],
        list(_spans(note, span_ids, words, dated, scope)),
        list(_links(note, span_ids, scope)),
        [(tag.tag, path, tag.line, key(tag.tag), scope) for tag in note.tags],
        [(*statement, stated.title_key, stated.dated) for statement in stated.statements],
        [*names],
        [*anchors_of(note)],
        [*words],
        [(name, number, scope) for number, s in zip(span_ids, note.spans, strict=True) for name in phrases(s.text)],
        [*called(names, scope)],
    )


def _spans(
    note: Note, span_ids: Sequence[int], words: Sequence[Counted], dated: Stretch | None, scope: str
) -> Iterator[Row]:
    """Give the rows of a note's passages; one without a date has that of its headings, else the note's.

    What shows the properties is about the date of the note: another date there is when it was changed, say.
    """
    lengths = zip(*[iter(counted.length for counted in words)] * 2, strict=True)
    prose = note.plain.split("\n")
    for number, span, of_both in zip(span_ids, note.spans, lengths, strict=True):
        own = dated if span.start_line <= note.frontmatter.end_line else None
        said = own or content_time.of_passage(_prose(span, prose))
        stretch = said or content_time.of_headings(span.heading_path) or dated
        place = (number, note.path, span.anchor, list(span.heading_path))
        yield (*place, *span[2:], *_stretch(stretch), *of_both, scope)


def _prose(span: Span, lines: Sequence[str]) -> str:
    """Give what a passage says beside its code, all of it where it is a part of one line."""
    prose = "\n".join(lines[span.start_line - 1 : span.end_line])
    return prose if len(prose) == len(span.text) else span.text


def _links(note: Note, span_ids: Sequence[int], scope: str) -> Iterator[Row]:
    """Give the rows of a note's links; one that stands above all passages is counted with the first."""
    begins = [span.start_line for span in note.spans]
    for link in note.links:
        number = span_ids[max(bisect_right(begins, link.line) - 1, 0)]
        place = (name_key(link.target), scope, number, span_ids[0], None)
        yield (note.path, link.line, link.target, None, *link[2:], None, None, None, *place)


def _stretch(stretch: Stretch | None) -> tuple[Instant | None, Instant | None]:
    return (None, None) if stretch is None else (stretch.from_, stretch.until)


def span_id(path: str) -> int:
    """Give the number of the first passage of a note, made from its path; those below follow one by one.

    It fits in 62 bits: that the numbers of two notes meet is as good as impossible.
    """
    return int.from_bytes(blake2b(path.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 2


def stated_of(rows: Iterable[Row], paths: Iterable[str]) -> Iterator[Stated]:
    """Make what notes state of the rows of ``statements`` in order of path; a path without rows states nothing."""
    by_path: dict[str, list[Row]] = {path: [] for path in paths}
    for row in rows:
        by_path[str(row[0])].append(row)
    for path, of_note in by_path.items():
        statements = tuple(Statement(*row[:-2]) for row in of_note)  # type: ignore[arg-type]
        title, dated = of_note[0][-2:] if of_note else ("", None)
        yield Stated(path, str(title), dated, statements)  # type: ignore[arg-type]
