"""Asking an index: the engine's own questions, and SQL of others under a guard, a moment and a time limit.

A session never writes. It stays with the index it opened; when a new one was swapped in, ``stale`` says so.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self, TypeVar, cast

import duckdb

from loreweave.errors import StoreError
from loreweave.store import guard
from loreweave.store.layout import HIDDEN
from loreweave.store.limit import Limit
from loreweave.store.opening import NAME, REBUILD, UnusableIndex, connect, tells_broken
from loreweave.times import Moment, show_instant

if TYPE_CHECKING:
    import pyarrow as pa

MEMORY = "2GB"
SECONDS = 60.0
BATCH = 20_000
ARROW_BATCH = 122_880
NO_MOMENT = Moment()

Parameters = Mapping[str, object] | Sequence[object] | None
_T = TypeVar("_T")


class Session:
    """A read-only view of one index, or of one scope of it. Safe from several threads: each question has its cursor."""

    _memory = MEMORY
    _hidden: frozenset[str] = frozenset()

    def __init__(
        self,
        path: Path,
        *,
        scope: str | None = None,
        memory: str = MEMORY,
        earlier: bool = False,
    ) -> None:
        """Open the index; ``scope`` is a scope key. Raise MissingIndex, UnusableIndex or NewerIndex.

        With ``earlier`` an index of an older schema is opened too; what it cannot answer is a StoreError.
        """
        self._memory = memory
        if scope is not None:
            self._hidden = HIDDEN
        self._stamp = _stamp(path)
        self._ask_on(path, *connect(path, memory, scope, earlier=earlier))

    def _ask_on(self, path: Path, connection: duckdb.DuckDBPyConnection, meta: Mapping[str, str]) -> None:
        """Take a connection to an index, and begin to keep what is made of it."""
        self._path, self._connection, self.meta = path, connection, meta
        self._kept = threading.local()
        self._made: dict[tuple[object, str], object] = {}
        self._of_notes: dict[tuple[object, str], object] = {}
        self._answers: dict[tuple[str, tuple[str, ...]], list[tuple[Any, ...]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index; answers not read yet are lost. What cannot be stopped lets go of it when it ends."""
        self._kept = threading.local()
        with suppress(duckdb.ResourceInUseException):
            self._connection.close()

    @property
    def stale(self) -> bool:
        """True where another index stands at the path by now."""
        return _stamp(self._path) != self._stamp

    def ask(self, sql: str, parameters: Parameters = None) -> duckdb.DuckDBPyConnection:
        """Answer a question of the engine's own: a cursor with the rows. Raise StoreError."""
        cursor = self._cursor()
        try:
            return cursor.execute(sql, parameters)
        except duckdb.Error as failed:
            self._refuse(failed)

    def rows(self, sql: str, parameters: Parameters = None) -> list[tuple[Any, ...]]:
        """Answer a question of the engine's own with all its rows; each thread keeps one cursor for these."""
        cursor = getattr(self._kept, "cursor", None)
        if cursor is None:
            cursor = self._kept.cursor = self._cursor()
        try:
            return cursor.execute(sql, parameters).fetchall()
        except duckdb.Error as failed:
            self._refuse(failed)

    def rows_once(self, sql: str, *parameters: str) -> list[tuple[Any, ...]]:
        """Answer as ``rows`` does, and keep the answer: an index never changes. For a few rows of few questions."""
        asked = sql, parameters
        if asked not in self._answers:
            self._answers[asked] = self.rows(sql, parameters)
        return self._answers[asked]

    def kept(self, make: Callable[[Session, str], _T], about: str, *, of_notes: bool = False) -> _T | None:
        """Give what was made of the whole index for many questions: None the first time it is wanted.

        Whoever asks once is answered sooner by reading what that needs. ``of_notes`` says that it is made of tables of
        notes alone, and so outlasts what is written in the record.
        """
        made, wanted = self._of_notes if of_notes else self._made, (make, about)
        if wanted not in made:
            made[wanted] = None
            return None
        if made[wanted] is None:
            made[wanted] = make(self, about)
        return cast("_T", made[wanted])

    def ask_guarded(
        self, sql: str, parameters: Parameters = None, *, moment: Moment = NO_MOMENT, seconds: float = SECONDS
    ) -> Answer:
        """Answer SQL of others: one SELECT, or EXPLAIN of one, read-only, at a moment and within a time.

        ``seconds`` counts the time spent in the database, not that of whoever reads the rows. Raise BadRequest
        with DuckDB's message and position.
        """
        cursor = self._cursor()
        limit = Limit(cursor, seconds, self._memory)
        with limit.closing_on_error():
            checked = limit.run(lambda: self._begin(cursor, sql, moment))
            limit.run(lambda: cursor.execute(checked, parameters))
        return Answer(cursor, limit)

    def ask_arrow(
        self, sql: str, parameters: Parameters = None, *, moment: Moment = NO_MOMENT, seconds: float = SECONDS
    ) -> pa.RecordBatchReader:
        """Answer as ``ask_guarded`` does, in Arrow batches that come as they are read."""
        import pyarrow as pa

        cursor = self._cursor()
        limit = Limit(cursor, seconds, self._memory)
        with limit.closing_on_error():
            checked = limit.run(lambda: self._begin(cursor, sql, moment))
            reader = limit.run(lambda: cursor.sql(checked, params=parameters).to_arrow_reader(ARROW_BATCH))
        return pa.RecordBatchReader.from_batches(reader.schema, _batches(limit, reader))

    def _begin(self, cursor: duckdb.DuckDBPyConnection, sql: str, moment: Moment) -> str:
        """Check SQL of others, and ready the cursor for it: at its moment, in a transaction that cannot write."""
        checked = guard.check(cursor, sql, self._hidden)
        for name, instant in (("as_of", moment.as_of), ("as_known_at", moment.as_known_at)):
            if instant is not None:
                cursor.execute(f"set variable {name} = '{show_instant(instant)}'")
        cursor.execute("begin transaction read only")
        return checked

    def _refuse(self, failed: duckdb.Error) -> NoReturn:
        if tells_broken(failed):
            raise UnusableIndex(f'The index "{self._path}" cannot be read: {failed}', REBUILD) from None
        raise StoreError(f"The index cannot answer: {failed}") from None

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        cursor = self._connection.cursor()
        cursor.execute(f"use {NAME}")
        return cursor


class Answer:
    """The rows of a guarded question, read once, as they come. Close it, or use it in a ``with``."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, limit: Limit) -> None:
        self._cursor, self._limit = cursor, limit
        self.columns = tuple((str(name), str(kind)) for name, kind, *_ in cursor.description)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._limit.close()

    def batches(self, size: int = BATCH) -> Iterator[list[tuple[Any, ...]]]:
        """Give the rows, at most ``size`` at a time; never an empty list."""
        while rows := self._limit.run(lambda: self._cursor.fetchmany(size)):
            yield rows
        self._limit.close()

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Give the rows one by one."""
        for batch in self.batches():
            yield from batch


def _batches(limit: Limit, reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    try:
        while (batch := limit.run(lambda: next(reader, None))) is not None:
            yield batch
    finally:
        if not limit.stuck:
            reader.close()
        limit.close()


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
