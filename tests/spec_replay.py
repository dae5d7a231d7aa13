"""The record of a vault replayed in memory, twice: its files in order and in reverse, to the same tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import attrs
import duckdb
import pyarrow as pa

from loreweave.errors import Finding
from loreweave.events.model import Event, event_of
from loreweave.events.read import read_record
from loreweave.store.views import create_views
from loreweave.vault.read import decode, read_bytes
from loreweave.vault.root import record_files
from spec_tables import Row
from stored import tables_of


class NotDeterministic(Exception):
    """The order in which files are presented changed a table."""


UNANSWERED = (ValueError, NotDeterministic, duckdb.Error)
"""What a question to a replay may raise."""


@attrs.frozen
class Replay:
    """The tables and views of a record, and its findings as ``path:line`` and code."""

    connection: duckdb.DuckDBPyConnection
    findings: tuple[Row, ...]

    def ask(self, statement: str, /, **parameters: object) -> tuple[Row, Sequence[tuple[object, ...]]]:
        """Answer one statement: column names and rows."""
        answer = self.connection.execute(statement, parameters or None)
        return tuple(str(column[0]) for column in answer.description), answer.fetchall()


def replay(vault: Path) -> Replay:
    """Replay the journal and the ledger of a vault; raise NotDeterministic."""
    stamps, unreadable = record_files(vault.resolve())
    read = [_read(vault, path) for path in stamps]
    tables = tables_of([*unreadable, *chain(*read)])
    for name, again in tables_of([*chain(*reversed(read)), *unreadable]).items():
        if again.to_pylist() != tables[name].to_pylist():
            raise NotDeterministic(f"the table {name} depends on the order in which files are read")
    return Replay(_connect(tables), _findings(tables["findings"]))


def _read(vault: Path, path: str) -> list[Event | Finding]:
    text, unclear = decode(path, read_bytes(vault, path))
    record = read_record(path, text)
    return [*unclear, *record.findings, *map(event_of, record.rows)]


def _connect(tables: Mapping[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.from_arrow(table).create(name)
    create_views(connection)
    return connection


def _findings(findings: pa.Table) -> tuple[Row, ...]:
    placed = sorted((row["path"], row["line"], row["column_number"], row["code"]) for row in findings.to_pylist())
    return tuple((f"{path}:{line}" if line else path, code) for path, line, _, code in placed)
