"""The digest of an index: the same for any reading order, process, locale, time zone and number of processors.

Each table is written out as text, one line a row, in stated columns and a stated order, and hashed; the
digest of the whole is the hash over the names and hashes of its tables. ``all`` holds every column.
``answers`` leaves out where a thing was written and the ids, so it is the same when lines move between files, and the
tables made from notes, so it is the same when their prose is edited.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from loreweave.store.schema import BELIEFS, EVENTS, FINDINGS, OF_NOTES, UNRECORDED, Column, Table

if TYPE_CHECKING:
    from loreweave.store.session import Session

ALL, ANSWERS = "all", "answers"
DIGESTED = (EVENTS, BELIEFS, UNRECORDED, FINDINGS, *OF_NOTES)
"""The tables that are a function of the files and that people ask."""

_TABLES = {ALL: DIGESTED, ANSWERS: (EVENTS, BELIEFS, UNRECORDED, FINDINGS)}

_BATCH = 20_000
_ORIGINS = {
    "events": {"event_id", "detail", "path", "line"},
    "beliefs": {"event_id", "ended_by", "path", "line"},
    "unrecorded": {"path", "line"},
    "findings": {"path", "line", "column_number", "message", "hint"},
}
"""What ``answers`` leaves out; the sentence of a finding may name a place."""


class Digest(NamedTuple):
    """A digest as 64 hexadecimal digits, and one for each table by name."""

    whole: str
    tables: Mapping[str, str]


def digest(session: Session, what: str = ALL) -> Digest:
    """Digest the tables of an index: ``all`` of them, or only the ``answers`` they give."""
    tables = {table.name: _of_table(session, table, what) for table in _TABLES[what]}
    lines = "".join(f"{name} {hashed}\n" for name, hashed in tables.items())
    return Digest(hashlib.sha256(f"{what}\n{lines}".encode()).hexdigest(), tables)


def _of_table(session: Session, table: Table, what: str) -> str:
    """Hash the names of the columns and then every row, in the order of the rows' texts."""
    omitted = _ORIGINS.get(table.name, set()) if what == ANSWERS else set()
    columns = [column for column in table.columns if column.name not in omitted]
    row = ", ".join(_text(column) for column in columns)
    hashed = hashlib.sha256(" ".join(column.name for column in columns).encode())
    with session.ask(f"select concat({row}) as said from {table.name} order by said asc nulls last") as cursor:
        while rows := cursor.fetchmany(_BATCH):
            hashed.update("".join("\n" + said for (said,) in rows).encode())
    return hashed.hexdigest()


def _text(column: Column) -> str:
    """Write a value so that no two rows read alike: a text after its length in bytes; NULL leaves its mark alone."""
    name = column.name
    if column.type.startswith("varchar"):
        text = name if column.type == "varchar" else f"to_json({name})::varchar"
        return f"strlen({text}), ':', {text}"
    exact = {"timestamp": f"epoch_us({name})", "double": f"{name} + 0.0"}.get(column.type, name)
    return f"{exact}, ' '"
