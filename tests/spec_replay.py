"""Record and notes of a vault replayed in memory, twice: the files in order and in reverse, to the same tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import duckdb
import pyarrow as pa

import spec_notes
from loreweave.engine.noting import scoped
from loreweave.errors import Finding, VaultError
from loreweave.events.model import COLUMNS, EventRow, event_of
from loreweave.events.read import read_record
from loreweave.events.statements import Settings
from loreweave.store.views import create_views
from loreweave.vault.config import Config, read_config
from loreweave.vault.read import decode, read_bytes
from loreweave.vault.root import note_files, record_files
from spec_tables import Row
from stored import tables_of

_KIND = COLUMNS.index("kind")


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
    """Replay the record and the notes of a vault; raise NotDeterministic."""
    found = _Found.of(vault.resolve())
    tables = found.tables()
    for name, again in found.reversed().tables().items():
        if again.to_pylist() != tables[name].to_pylist():
            raise NotDeterministic(f"the table {name} depends on the order in which files are read")
    return Replay(_connect(tables), _findings(tables["findings"]))


@attrs.frozen
class _Found:
    """What the files of a vault say, one after another; without notes where the settings have no meaning."""

    settings: Settings
    listed: tuple[Finding, ...]
    record: tuple[tuple[list[EventRow], list[Finding]], ...]
    notes: tuple[spec_notes.Reading, ...]

    @classmethod
    def of(cls, root: Path) -> _Found:
        record, listed = record_files(root)
        try:
            config = read_config(root)
            notes, of_notes = note_files(root, config)
        except VaultError:
            config, notes, of_notes = Config(), {}, []
        settings = config.extraction
        readings = tuple(spec_notes.read(root, path, settings) for path in notes)
        every = tuple(scoped(dict.fromkeys([*listed, *of_notes]), settings))
        return cls(settings, every, tuple(_read(root, path) for path in record), readings)

    def reversed(self) -> _Found:
        """Give the same from the last file to the first."""
        return attrs.evolve(self, listed=self.listed[::-1], record=self.record[::-1], notes=self.notes[::-1])

    def tables(self) -> dict[str, pa.Table]:
        """Fold everything into the tables of an index."""
        rows = [row for said, _ in self.record for row in said]
        found = [*self.listed, *(finding for _, findings in self.record for finding in findings)]
        ledger = [row for row in rows if row[_KIND] in ("ValueObserved", "ValueWithdrawn")]
        tables, of_notes = spec_notes.fold(self.notes, ledger, self.settings)
        return {**tables, **tables_of([*map(event_of, rows), *found, *of_notes])}


def _read(root: Path, path: str) -> tuple[list[EventRow], list[Finding]]:
    text, unclear = decode(path, read_bytes(root, path))
    record = read_record(path, text)
    return record.rows, [*unclear, *record.findings]


def _connect(tables: Mapping[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.from_arrow(table).create(name)
    create_views(connection)
    return connection


def _findings(findings: pa.Table) -> tuple[Row, ...]:
    placed = sorted((row["path"], row["line"], row["column_number"], row["code"]) for row in findings.to_pylist())
    return tuple((f"{path}:{line}" if line else path, code) for path, line, _, code in placed)
