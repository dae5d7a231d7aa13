"""Small indexes made from a few lines, for tests of what is asked of one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import attrs
import duckdb
import pyarrow as pa

from histories import event_of_line
from loreweave.errors import Finding
from loreweave.events.model import Event, Line
from loreweave.projections.events import batch
from loreweave.projections.tables import project_lines
from loreweave.store.layout import lay_out
from loreweave.store.schema import SCHEMA_VERSION
from loreweave.times import Instant, read_instant

TIMES = ("valid_from", "valid_until", "recorded_at")


def at(text: str) -> Instant:
    return read_instant(text)


def journal(*written: tuple[str, dict[str, object]], path: str = "lore/journal/2024-01-01.md") -> list[Event]:
    """Events of lines given as ``kind S :: p :: O`` and their attributes, times as text, numbered from 1."""
    return [_event(text, given, path, number) for number, (text, given) in enumerate(written, 1)]


def _event(text: str, given: dict[str, object], path: str, number: int) -> Event:
    kind, _, fields = text.partition(" ")
    subject, predicate, *rest = (field.strip() for field in fields.split("::"))
    attributes = {name: at(str(value)) if name in TIMES else value for name, value in given.items()}
    line = Line(kind, subject, predicate, rest[0] if rest else None, **attributes)  # type: ignore[arg-type]
    return event_of_line(line, path, number)


def tables_of(happened: Iterable[Event | Finding]) -> dict[str, pa.Table]:
    """What events come to, as ``project`` gives it, and their ``repeats``."""
    given = list(happened)
    lines = [attrs.astuple(event) for event in given if isinstance(event, Event)]
    return project_lines(batch(lines), [finding for finding in given if isinstance(finding, Finding)])


def put(connection: duckdb.DuckDBPyConnection, happened: Iterable[Event | Finding]) -> None:
    """Put what events come to in the place of all rows."""
    for name, rows in tables_of(happened).items():
        connection.execute(f"delete from {name}")
        connection.register("given", rows)
        connection.execute(f"insert into {name} by name from given")
        connection.unregister("given")


@cache
def _shared() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    lay_out(connection)
    return connection


def connect(happened: Iterable[Event | Finding]) -> duckdb.DuckDBPyConnection:
    """An index of these events in memory; one at a time, for making tables and views is slow."""
    put(_shared(), happened)
    return _shared().cursor()


def index(path: Path, happened: Iterable[Event | Finding], schema: int = SCHEMA_VERSION) -> Path:
    """Make an index file."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("begin")
        lay_out(connection)
        put(connection, happened)
        connection.execute("insert into meta values ('schema_version', ?)", [str(schema)])
        connection.execute("commit")
    return path
