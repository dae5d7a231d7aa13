"""The tables of the index as data: for each its columns with their DuckDB types, and a comment on every one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SCHEMA_VERSION = 9


class Column(NamedTuple):
    """A column, its DuckDB type and what it holds."""

    name: str
    type: str
    comment: str


class Table(NamedTuple):
    """A table, what it holds and its columns in order; ``order`` is how its rows are sorted."""

    name: str
    comment: str
    columns: tuple[Column, ...]
    order: tuple[str, ...]


_SLOT = "scope_key subject_key predicate_key"
_TYPES = {
    "valid_from": "timestamp",
    "valid_until": "timestamp",
    "known_from": "timestamp",
    "known_until": "timestamp",
    "recorded_at": "timestamp",
    "confidence": "double",
    "many": "boolean",
    "line": "integer",
    "column_number": "integer",
    "start_line": "integer",
    "end_line": "integer",
    "aliases": "varchar[]",
    "tags": "varchar[]",
    "heading_path": "varchar[]",
    "span_id": "bigint",
    "size": "bigint",
    "broken": "boolean",
    "dated": "timestamp",
    "content_from": "timestamp",
    "content_until": "timestamp",
    "words": "integer",
    "metadata_words": "integer",
    "tf": "integer",
    "note_id": "bigint",
    "target_id": "bigint",
    "df": "bigint",
}

MEANINGS = {
    "event_id": "the event: a hash of what its line says and when it was recorded",
    "other_event_id": "the event it is at odds with",
    "kind": "what happened: FactAsserted, FactInvalidated, FactRetracted, ValueObserved, ValueWithdrawn, …",
    "scope": "the scope as written; default where none was",
    "subject": "the subject as written",
    "predicate": "the predicate as written",
    "object": "the object as written",
    "scope_key": "the scope under which spellings are one",
    "subject_key": "the subject under which spellings are one",
    "predicate_key": "the predicate under which spellings are one",
    "object_key": "the text under which objects are equal",
    "valid_from": "the instant from which it holds, UTC",
    "valid_until": "the first instant at which it no longer holds, UTC; NULL is open",
    "known_from": "the record instant from which it was believed, UTC",
    "known_until": "the first record instant at which it was no longer believed, UTC; NULL is still believed",
    "recorded_at": "the instant at which the event was written down, UTC",
    "source": "who vouches: stated, inferred or extracted",
    "confidence": "how sure the source is, from 0 to 1",
    "many": "true where the slot may hold several such values at once",
    "ended_by": "the event that set valid_until; NULL where the claim's own end does, or it is open",
    "recorded_by": "who wrote the line",
    "because": "why, as the line says",
    "episode": "what it was heard in",
    "note": "the note in which the value was seen, or from which it is gone",
    "detail": "of a use the hashes of the passage, of a proposal the kind of line, of a line approved the proposal",
    "path": "the file of the line, relative to the vault",
    "line": "the line in that file, from 1",
    "form": "the form in which the note states it",
    "code": "what is wrong, as a word in kebab case",
    "severity": "error: the line has no effect; warning: it has",
    "message": "what is wrong, as a sentence",
    "hint": "what to do about it",
    "column_number": "the character in that line, from 1",
    "title": "the title as written: of the frontmatter, else of the first level-one heading, else the file's name",
    "title_key": "the title under which spellings are one",
    "aliases": "other names that the note goes by, as written",
    "tags": "the tags of the note, without #, as first written",
    "frontmatter": "the properties as a JSON object, in their order",
    "hash": "sha256 of the text",
    "body_hash": "the first 16 digits of sha256 of the text below its heading; of all of it where it has none",
    "size": "the size in bytes",
    "span_id": "the passage: a number made from its path, one greater for each further passage of its note",
    "anchor": "the text of the heading it stands under; empty above the first",
    "heading_path": "the headings from the outermost down to the anchor",
    "start_line": "its first line, from 1",
    "end_line": "its last line",
    "text": "the text as written",
    "target": "what it names, as written; empty for a link within the note",
    "target_key": "the name under which it is looked up",
    "target_path": "the note it leads to; NULL where there is none",
    "style": "wiki, embed, markdown or image",
    "heading": "the heading or ^block in the note it leads to, as written; NULL where none is named",
    "alias": "the text shown for it; NULL where none is given",
    "broken": "true where the note, heading or block it names is not there",
    "resolved_by": "how its note was found: path, name, title or alias; NULL where it was not",
    "tag": "the tag without #, as first written in the note",
    "tag_key": "the tag under which spellings are one",
    "dated": "the date that the whole note bears, UTC",
    "key": "the name under which it is found",
    "content_from": "the first instant of the time it speaks of, UTC; NULL where it bears no date",
    "content_until": "the first instant after the time it speaks of, UTC",
    "words": "how many words its text has",
    "metadata_words": "how many words its metadata has: title, headings, tags, aliases, about, folder",
    "term": "a word as search compares it: folded, and brought to its stem",
    "field": "where it stands: text, or metadata (title, headings, tags, aliases, about, folder)",
    "tf": "how often it stands there",
    "df": "in how many passages it stands there",
    "entity_key": "the key of what is named: of a note its title's, or its path where others are called so too",
    "name": "the name as written",
    "note_id": "the first passage of the note in which it stands",
    "target_id": "the first passage of the note it leads to; NULL where there is none",
    "initials": "the letters by which the name may be written; NULL where it has none",
}
"""What a column of this name holds, wherever it stands."""


def table(name: str, comment: str, columns: str, order: str, /, **meanings: str) -> Table:
    """Make a table of the column names given; ``meanings`` says what a name holds here, where that differs."""
    known = MEANINGS | meanings
    fields = tuple(Column(field, _TYPES.get(field, "varchar"), known[field]) for field in columns.split())
    return Table(name, comment, fields, tuple(order.split()))


EVENTS = table(
    "events",
    "What the lines of the record say happened, one row an event, at its first origin.",
    "event_id kind scope subject predicate object scope_key subject_key predicate_key object_key valid_from"
    " valid_until recorded_at source confidence many recorded_by because episode note detail path line",
    f"{_SLOT} recorded_at path line",
    valid_from="the instant from which it is said to hold; of a retraction the start it is meant for",
    valid_until="the instant at which it is said to end; of a close the instant at which what it closes ended",
)
BELIEFS = table(
    "beliefs",
    "What was believed: each row one value over one interval of valid time and one of record time.",
    "scope subject predicate object scope_key subject_key predicate_key object_key valid_from valid_until"
    " known_from known_until source confidence many event_id ended_by recorded_by path line",
    f"{_SLOT} known_from valid_from many object_key",
    event_id="the event that states the value",
)
UNRECORDED = table(
    "unrecorded",
    "What notes state and the ledger does not hold yet: no record time, so no part in beliefs.",
    "scope subject predicate object form path line scope_key",
    "path line subject predicate object",
)
FINDINGS = table(
    "findings",
    "What is wrong with the lines of the vault, and how to put it right.",
    "code severity message hint path line column_number scope_key",
    "path line column_number code message",
    scope_key="the scope of the line; NULL where none could be read",
)
AGREEMENTS = table(
    "agreements",
    "Where belief_at leaves a belief out, because another row of its slot says the same with greater priority.",
    "scope_key event_id valid_from valid_until known_from known_until",
    "scope_key event_id valid_from known_from",
    event_id="the event of the belief that is left out",
)
AT_ODDS = "interval-overridden, noted-against-asserted, noted-against-noted or inferred-over-stated"
"""The ways in which two claims can be at odds."""

CONFLICTS = table(
    "conflicts",
    "Pairs of claims at odds, as best known; contradictions shows them with their slots.",
    "scope_key kind event_id other_event_id valid_from valid_until",
    "scope_key kind event_id other_event_id valid_from",
    kind=AT_ODDS,
    valid_from="the instant from which they are at odds, UTC",
    valid_until="the first instant at which they no longer are, UTC; NULL is open",
)

NOTES = table(
    "notes",
    "The notes of the vault, one row a file.",
    "path title aliases tags frontmatter content_from content_until hash size title_key scope_key",
    "path",
    hash="sha256 of the file's bytes",
    size="the size of the file in bytes",
    path="the file, relative to the vault",
    scope_key="the scope of the folder it stands in",
)
SPANS = table(
    "spans",
    "The passages of the notes: cut at headings, and within long sections at blank lines.",
    "span_id path anchor heading_path start_line end_line text hash body_hash content_from content_until"
    " words metadata_words scope_key",
    "path start_line end_line",
    path="the note, relative to the vault",
)
LINKS = table(
    "links",
    "The links of the notes, and where each leads.",
    "path line target target_path style heading alias broken resolved_by reason target_key scope_key"
    " span_id note_id target_id",
    "path line target heading alias style",
    path="the note in which it stands",
    reason="what is broken: note, heading, block, outside, alias; several where it may mean more than one note",
    span_id="the passage in which it stands; the first for one that stands above all",
)
TAGS = table(
    "tags",
    "The tags of the notes, each once a note.",
    "tag path line tag_key scope_key",
    "path line tag",
    path="the note in which it stands",
    line="the line where the note has it first, from 1",
)
POSTINGS = table(
    "postings",
    "The words by which passages are found, one row a word, field and passage.",
    "term field span_id tf words scope_key",
    "term field span_id",
    words="how many words that field of the passage has",
)

OF_NOTES: tuple[Table, ...] = (NOTES, SPANS, LINKS, TAGS, POSTINGS)
"""The tables made from notes, each row from one note."""

TABLES: tuple[Table, ...] = (EVENTS, BELIEFS, UNRECORDED, FINDINGS, *OF_NOTES, AGREEMENTS, CONFLICTS)
"""Every table that projections fill, in the order they are made."""


def create_sql(of: Table) -> str:
    """Give the statement that makes the table."""
    columns = ", ".join(f"{column.name} {column.type}" for column in of.columns)
    return f"create table {of.name} ({columns})"


def comment_sql(of: Table) -> Iterable[str]:
    """Give the statements that comment the table and each of its columns."""
    yield f"comment on table {of.name} is {quote(of.comment)}"
    for column in of.columns:
        yield f"comment on column {of.name}.{column.name} is {quote(column.comment)}"


def quote(text: str) -> str:
    """Write a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"
