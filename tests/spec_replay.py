"""Files of a record replayed in memory, twice: as given and in reverse, to the same tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs
import duckdb
import pyarrow as pa

import loreweave
from loreweave.errors import Finding
from loreweave.events.model import Event, event_of
from loreweave.projections import project
from spec_tables import Row

RECORD = ("lore/journal/", "lore/ledger/")


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


def replay(files: Mapping[str, bytes]) -> Replay:
    """Replay the files under ``lore/journal/`` and ``lore/ledger/``; raise NotDeterministic."""
    record = [(path, text) for path, text in files.items() if path.startswith(RECORD) and path.endswith(".md")]
    tables = _project(record)
    for name, again in _project(reversed(record)).items():
        if again.to_pylist() != tables[name].to_pylist():
            raise NotDeterministic(f"the table {name} depends on the order in which files are read")
    return Replay(_connect(tables), _findings(tables["findings"]))


def _project(record: Iterable[tuple[str, bytes]]) -> dict[str, pa.Table]:
    from loreweave.events.read import read_record

    from loreweave.vault.read import decode

    happened: list[Event | Finding] = []
    for path, content in record:
        text, unclear = decode(path, content)
        read = read_record(path, text)
        happened += [*unclear, *read.findings, *map(event_of, read.rows)]
    return project(happened)


def _connect(tables: Mapping[str, pa.Table]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.from_arrow(table).create(name)
    waiting = {path.name: path.read_text() for path in sorted((Path(loreweave.__path__[0]) / "views").glob("*.sql"))}
    while waiting:
        made = [name for name, sql in waiting.items() if _made(connection, sql)]
        assert made, f"views that cannot be made: {sorted(waiting)}"
        for name in made:
            del waiting[name]
    return connection


def _made(connection: duckdb.DuckDBPyConnection, sql: str) -> bool:
    try:
        connection.execute(sql)
    except duckdb.CatalogException:
        return False
    return True


def _findings(findings: pa.Table) -> tuple[Row, ...]:
    placed = sorted((row["path"], row["line"], row["column_number"], row["code"]) for row in findings.to_pylist())
    return tuple((f"{path}:{line}" if line else path, code) for path, line, _, code in placed)
