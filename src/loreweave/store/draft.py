"""The next index, built beside the one that readers hold, and swapped in whole."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import duckdb

from loreweave.errors import Finding, StoreError
from loreweave.events.model import EventRow
from loreweave.projections.findings import CODES_OF_SLOTS
from loreweave.store.copying import beside
from loreweave.store.layout import ALL, lay_out
from loreweave.store.opening import REBUILD, MissingIndex, UnusableIndex, health, usable
from loreweave.store.schema import SCHEMA_VERSION, quote
from loreweave.store.sources import INPUTS_DIGEST, Source
from loreweave.times import Instant

if TYPE_CHECKING:
    import pyarrow as pa

_LINES = ("events", "repeats")
_SORTED = ("postings", "phrases", "called")
"""Tables of which only a few rows are asked at a time: they are stored in order."""

MANY = 2_000
"""Rows from which it pays to go by way of Arrow, whose import costs time."""

ROWS_TOGETHER = 8_192
"""How many rows the index keeps together: a question about a few reads the least, and all are read as quickly."""

Slot = tuple[str, str | None, str | None]
"""scope_key, subject_key, predicate_key"""


class Draft:
    """An index that nobody reads yet. ``swap`` puts it in its place; leaving it drops it.

    Whatever goes wrong in the database is an UnusableIndex: the files have it all, and it can be built anew.
    """

    def __init__(self, index: Path, path: Path, name: str = "draft") -> None:
        self._index, self._path = index, path
        self._marked: tuple[list[Slot], list[str]] | None = None
        with self._guarded():
            self._connection = duckdb.connect(config={"temp_directory": f"{path}.tmp"})
            self.run(f"attach {quote(str(path))} as {name} (row_group_size {ROWS_TOGETHER})")
            self.run(f"use {name}; set enable_progress_bar = false")

    @classmethod
    def of(cls, index: Path, copy: Path) -> Self:
        """Take a copy of the index as a draft; raise MissingIndex, UnusableIndex or NewerIndex."""
        if not copy.exists():
            raise MissingIndex(f'There is no index "{index}".', REBUILD)
        draft = cls(index, copy)
        with ExitStack() as undo:
            undo.callback(draft.drop)
            usable(index, health(draft._connection, "meta"))
            undo.pop_all()
        return draft

    @classmethod
    def blank(cls, index: Path) -> Draft:
        """Begin an index with empty tables."""
        draft = cls(index, beside(index))
        with ExitStack() as undo, draft._guarded():
            undo.callback(draft.close)
            draft.run("begin")
            lay_out(draft._connection)
            draft.run("commit")
            undo.pop_all()
        return draft

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Drop the draft, unless it was swapped in."""
        self.drop()

    def drop(self) -> None:
        """Let go of the database, and remove its file where it still stands beside the index."""
        self._connection.close()
        for leftover in (self._path, Path(f"{self._path}.wal")):
            leftover.unlink(missing_ok=True)

    def run(self, sql: str, parameters: Sequence[object] | None = None) -> None:
        """Run one statement; raise UnusableIndex where that fails."""
        with self._guarded():
            self._connection.execute(sql, parameters)

    def ask(self, sql: str, parameters: Sequence[object] | None = None) -> list[tuple[Any, ...]]:
        """Give all rows of one statement; raise UnusableIndex where that fails."""
        with self._guarded():
            return self._connection.execute(sql, parameters).fetchall()

    def fill(self, tables: Mapping[str, pa.Table]) -> None:
        """Add Arrow tables to the tables of the same names; may run in a thread, if nothing else asks the draft."""
        for name, table in tables.items():
            columns = ", ".join(column.name for column in ALL[name].columns)
            order = f" order by {', '.join(ALL[name].order)}" if name in _SORTED else ""
            with self._guarded():
                self._connection.register("given", table)
                self._connection.execute(f"insert into {name} ({columns}) select {columns} from given{order}")
                self._connection.unregister("given")

    def put_many(self, name: str, rows: Sequence[Sequence[object]]) -> None:
        """Add plain rows to a table by way of Arrow, which pays from some hundreds of rows on."""
        from loreweave.store.columns import in_columns

        if rows:
            self.fill({name: in_columns(ALL[name], rows)})

    def put(self, name: str, rows: Iterable[Sequence[object]]) -> None:
        """Add plain rows, instants as microseconds, to a table."""
        columns = [list(values) for values in zip(*rows, strict=True)]
        if columns:
            fields = ", ".join(_unnested(column.type) for column in ALL[name].columns)
            self.run(f"insert into {name} select {fields}", columns)

    def put_findings(self, found: Iterable[Finding]) -> None:
        """Add findings."""
        rows = [
            (f.code, f.severity, f.message, f.hint, f.path, f.line, f.column, f.scope_key)  # the order of the columns
            for f in found
        ]
        (self.put_many if len(rows) > MANY else self.put)("findings", rows)

    def rows_of(self, slots: Iterable[Slot], *, without: Iterable[str] = ()) -> list[EventRow]:
        """Give the event rows of whole slots, repeats too, but not those of some files; instants in microseconds."""
        self._mark(slots, without)
        return [row for name in _LINES for row in self.ask(_lines_sql(name, "epoch_us({0})"))]

    def lines_of(self, slots: Iterable[Slot], *, without: Iterable[str] = ()) -> pa.Table:
        """Give the same as an Arrow table."""
        self._mark(slots, without)
        both = " union all ".join(_lines_sql(name, "{0}") for name in _LINES)
        with self._guarded():
            return self._connection.sql(both).to_arrow_table()

    def slots_in(self, paths: Collection[str]) -> set[Slot]:
        """Give the slots that have lines in these files."""
        if not paths:
            return set()
        self._mark((), paths)
        found = self.ask(
            "select distinct scope_key, subject_key, predicate_key from"
            " (from events union all by name from repeats) semi join dropped using (path)"
        )
        return {(scope, subject, predicate) for scope, subject, predicate in found}

    def known_ids(self, event_ids: Collection[str]) -> set[str]:
        """Give those of these events that are on record."""
        if not event_ids:
            return set()
        sql = "select event_id from events where event_id in (select unnest(?::varchar[]))"
        return {event_id for (event_id,) in self.ask(sql, [list(event_ids)])}

    def source(self, path: str) -> Source | None:
        """Give what the draft knows of a file."""
        found = self.ask("from sources where path = ?", [path])
        return Source(*found[0]) if found else None

    def record_sources(self) -> dict[str, Source]:
        """Give what the draft knows of the files of the record, by path."""
        sql = "from sources where starts_with(path, 'lore/journal/') or starts_with(path, 'lore/ledger/')"
        return {row[0]: Source(*row) for row in self.ask(sql)}

    def last_recorded(self) -> Instant | None:
        """Give the greatest record time of the vault."""
        found = self.ask("select value from meta where key = 'last_recorded_at'")
        return int(found[0][0]) if found and found[0][0] else None

    def place_of(self, recorded_at: Instant) -> str:
        """Give path and line of an event with this record time."""
        sql = "select path || ':' || line from events where recorded_at = make_timestamp(?) order by 1"
        return next((str(place) for (place,) in self.ask(sql, [recorded_at])), "?")

    def clear(self, slots: Iterable[Slot], paths: Iterable[str]) -> None:
        """Take out everything that stands for these slots, and the findings of these files."""
        self._mark(slots, paths)
        run = self.run
        run(
            "create or replace temp table cleared as select event_id, path, line from events"
            f" semi join marked on {_same_slot('events')}"
        )
        run(f"delete from findings where code in {CODES_OF_SLOTS} and (path, line) in (select path, line from cleared)")
        run(f"delete from findings where code not in {CODES_OF_SLOTS} and path in (from dropped)")
        for name in ("agreements", "conflicts"):
            run(f"delete from {name} where event_id in (select event_id from cleared)")
        for name in (*_LINES, "beliefs"):
            run(f"delete from {name} where exists (from marked where {_same_slot(name)})")

    def replace_sources(self, sources: Sequence[Source], gone: Iterable[str]) -> None:
        """Write down the files that were read, and forget those that are gone."""
        paths = [*(source.path for source in sources), *gone]
        self.run("delete from sources where path in (select unnest(?::varchar[]))", [paths])
        (self.put_many if len(sources) > MANY else self.put)("sources", sources)

    def seal(self, engine_version: str, last: Instant | None = None) -> None:
        """Write down what the index is made from, by which engine, and its last record time where that is known."""
        if last is None:
            last = self.ask("select epoch_us(max(recorded_at)) from events")[0][0]
        properties = {"schema_version": str(SCHEMA_VERSION), "engine_version": engine_version}
        self._note_all(properties | {"last_recorded_at": None if last is None else str(last)})
        self.note_inputs()

    def note_inputs(self) -> None:
        """Write down the digest of everything that was read."""
        ((inputs,),) = self.ask(INPUTS_DIGEST)
        self.note("inputs", inputs)

    def note(self, key: str, value: str | None) -> None:
        """Write down a property of the index."""
        self._note_all({key: value})

    def _note_all(self, properties: Mapping[str, str | None]) -> None:
        self.run("delete from meta where key in (select unnest(?::varchar[]))", [list(properties)])
        self.put("meta", properties.items())

    def swap(self) -> None:
        """Put the draft in the place of the index; readers keep the file they opened.

        A log that another program left beside the old index must not be applied to the new one.
        """
        self.run("checkpoint")
        self._connection.close()
        try:
            Path(f"{self._index}.wal").unlink(missing_ok=True)
            os.replace(self._path, self._index)
        except OSError as failed:
            raise StoreError(f'"{self._index}" cannot be replaced: {failed.strerror}.', "make it writable") from None

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as failed:
            raise UnusableIndex(f'The index "{self._index}" cannot be brought up to date: {failed}', REBUILD) from None

    def _mark(self, slots: Iterable[Slot], paths: Iterable[str]) -> None:
        """Put slots and files in tables of their own, for others to join; what is there already stays."""
        wanted = sorted(set(slots), key=str), sorted(set(paths))
        if wanted == self._marked:
            return
        self._marked = wanted
        self.run("create or replace temp table marked (scope_key varchar, subject_key varchar, predicate_key varchar)")
        self.run("create or replace temp table dropped (path varchar)")
        columns = [list(values) for values in zip(*wanted[0], strict=True)]
        if columns:
            fields = ", ".join(["unnest(?::varchar[])"] * len(columns))
            self.run(f"insert into marked select {fields}", columns)
        if wanted[1]:
            self.run("insert into dropped select unnest(?::varchar[])", [wanted[1]])


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
