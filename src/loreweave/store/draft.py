"""The next index, built beside the one that readers hold, and swapped in whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import duckdb

from loreweave.errors import StoreError
from loreweave.events.model import EventRow
from loreweave.store.copying import beside
from loreweave.store.schema import SCHEMA_VERSION, TABLES, comment_sql, create_sql
from loreweave.store.sources import BARRED, INTERNAL, Source, inputs_digest
from loreweave.store.views import comment_views, create_views
from loreweave.times import Instant

if TYPE_CHECKING:
    import pyarrow as pa

ALL = {table.name: table for table in (*TABLES, *INTERNAL)}
FOLDED = ("ineffective", "twin-lines")
"""Findings that belong to a slot; all others belong to a file."""

_LINES = ("events", "repeats")

Slot = tuple[str, str | None, str | None]
"""scope_key, subject_key, predicate_key"""


class Draft:
    """An index that nobody reads yet. ``swap`` puts it in its place; leaving it drops it."""

    def __init__(self, index: Path, path: Path) -> None:
        self._index, self._path = index, path
        try:
            self.connection = duckdb.connect(str(path))
        except duckdb.Error as failed:
            path.unlink(missing_ok=True)
            raise StoreError(f'"{path}" cannot be opened: {failed}', "delete .lore and replay") from None

    @classmethod
    def blank(cls, index: Path) -> Draft:
        """Begin an index with empty tables."""
        draft = cls(index, beside(index))
        for table in ALL.values():
            draft.connection.execute(create_sql(table))
        create_views(draft.connection)
        for table in ALL.values():
            for statement in comment_sql(table):
                draft.connection.execute(statement)
        comment_views(draft.connection)
        return draft

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        for leftover in (self._path, Path(f"{self._path}.wal")):
            leftover.unlink(missing_ok=True)

    def fill(self, tables: Mapping[str, pa.Table]) -> None:
        """Add Arrow tables to the tables of the same names; may run in a thread, if nothing else asks the draft."""
        for name, table in tables.items():
            columns = ", ".join(column.name for column in ALL[name].columns)
            self.connection.register("given", table)
            self.connection.execute(f"insert into {name} ({columns}) select {columns} from given")
            self.connection.unregister("given")

    def put(self, name: str, rows: Iterable[Sequence[object]]) -> None:
        """Add plain rows, instants as microseconds, to a table."""
        columns = [list(values) for values in zip(*rows, strict=True)]
        if columns:
            fields = ", ".join(_unnested(column.type) for column in ALL[name].columns)
            self.connection.execute(f"insert into {name} select {fields}", columns)

    def rows_of(self, slots: Iterable[Slot], *, without: Iterable[str] = ()) -> list[EventRow]:
        """Give the event rows of whole slots, repeats too, but not those of some files; instants in microseconds."""
        self._mark(slots, without)
        return [row for name in _LINES for row in self.connection.execute(_lines_sql(name, "epoch_us({0})")).fetchall()]

    def lines_of(self, slots: Iterable[Slot], *, without: Iterable[str] = ()) -> pa.Table:
        """Give the same as an Arrow table."""
        self._mark(slots, without)
        both = " union all ".join(_lines_sql(name, "{0}") for name in _LINES)
        return self.connection.execute(both).to_arrow_table()

    def slots_in(self, paths: Iterable[str]) -> set[Slot]:
        """Give the slots that have lines in these files."""
        self._mark((), paths)
        found = self.connection.execute(
            "select distinct scope_key, subject_key, predicate_key from"
            " (from events union all by name from repeats) semi join dropped using (path)"
        )
        return set(found.fetchall())

    def source(self, path: str) -> Source | None:
        """Give what the draft knows of a file."""
        found = self.connection.execute("from sources where path = ?", [path]).fetchone()
        return Source(*found) if found else None

    def last_recorded(self) -> Instant | None:
        """Give the greatest record time of the vault."""
        found = self.connection.execute("select value from meta where key = 'last_recorded_at'").fetchone()
        return int(found[0]) if found and found[0] else None

    def place_of(self, recorded_at: Instant) -> str:
        """Give path and line of an event with this record time."""
        found = self.connection.execute(
            "select path || ':' || line from events where recorded_at = make_timestamp(?) order by 1", [recorded_at]
        ).fetchone()
        return str(found[0]) if found else "?"

    def clear(self, slots: Iterable[Slot], paths: Iterable[str]) -> None:
        """Take out everything that stands for these slots, and the findings of these files."""
        self._mark(slots, paths)
        run = self.connection.execute
        run(
            "create or replace temp table cleared as select event_id, path, line from events"
            f" semi join marked on {_same_slot('events')}"
        )
        run(f"delete from findings where code in {FOLDED} and (path, line) in (select path, line from cleared)")
        run(f"delete from findings where code not in {FOLDED} and path in (from dropped)")
        run(f"delete from findings where code in {BARRED}")
        for name in ("agreements", "conflicts"):
            run(f"delete from {name} where event_id in (select event_id from cleared)")
        for name in (*_LINES, "beliefs"):
            run(f"delete from {name} where exists (from marked where {_same_slot(name)})")

    def replace_sources(self, sources: Sequence[Source], gone: Iterable[str]) -> None:
        """Write down the files that were read, and forget those that are gone."""
        paths = [*(source.path for source in sources), *gone]
        self.connection.execute("delete from sources where path in (select unnest(?::varchar[]))", [paths])
        self.put("sources", sources)

    def seal(self, engine_version: str) -> None:
        """Write down what the index is made from, and by which engine."""
        sources = [Source(*row) for row in self.connection.execute("from sources").fetchall()]
        last = self.connection.execute("select epoch_us(max(recorded_at))::varchar from events").fetchall()[0][0]
        self.connection.execute("delete from meta")
        self.put(
            "meta",
            [
                ("schema_version", str(SCHEMA_VERSION)),
                ("engine_version", engine_version),
                ("inputs", inputs_digest(sources)),
                ("last_recorded_at", last),
            ],
        )

    def swap(self) -> None:
        """Put the draft in the place of the index; readers keep the file they opened."""
        try:
            self.connection.execute("checkpoint")
            self.connection.close()
            os.replace(self._path, self._index)
        except (OSError, duckdb.Error) as failed:
            raise StoreError(f'"{self._index}" cannot be written: {failed}', "make room, or make it writable") from None

    def _mark(self, slots: Iterable[Slot], paths: Iterable[str]) -> None:
        run = self.connection.execute
        run("create or replace temp table marked (scope_key varchar, subject_key varchar, predicate_key varchar)")
        run("create or replace temp table dropped (path varchar)")
        columns = [list(values) for values in zip(*slots, strict=True)]
        if columns:
            run("insert into marked select unnest(?::varchar[]), unnest(?::varchar[]), unnest(?::varchar[])", columns)
        run("insert into dropped select unnest(?::varchar[])", [list(paths)])


def _same_slot(table: str) -> str:
    return " and ".join(
        f"{table}.{name} is not distinct from marked.{name}" for name in ("scope_key", "subject_key", "predicate_key")
    )


def _lines_sql(table: str, instant: str) -> str:
    fields = ", ".join(
        instant.format(column.name) if column.type == "timestamp" else column.name for column in ALL["events"].columns
    )
    return f"select {fields} from {table} semi join marked on {_same_slot(table)} anti join dropped using (path)"


def _unnested(kind: str) -> str:
    return "make_timestamp(unnest(?::bigint[]))" if kind == "timestamp" else f"unnest(?::{kind}[])"
