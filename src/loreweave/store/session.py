"""Asking an index: the engine's own questions, and SQL of others under a guard, a moment and a time limit.

A session never writes. It stays with the index it opened; when a new one was swapped in, ``stale`` says so.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self, TypeVar, cast

import duckdb

from loreweave.errors import BadRequest, StoreError
from loreweave.store import guard
from loreweave.store.opening import NAME, REBUILD, UnusableIndex, connect, tells_broken
from loreweave.times import Moment, show_instant

if TYPE_CHECKING:
    import pyarrow as pa

MEMORY = "2GB"
SECONDS = 60.0
GRACE = 2.0
"""Seconds that a question is given to stop in; one that does not is left behind, for it cannot be ended."""

BATCH = 20_000
ARROW_BATCH = 122_880
NO_MOMENT = Moment()

Parameters = Mapping[str, object] | Sequence[object] | None
_T = TypeVar("_T")


class Session:
    """A read-only view of one index, or of one scope of it. Safe from several threads: each question has its cursor."""

    def __init__(self, path: Path, *, scope: str | None = None, memory: str = MEMORY, earlier: bool = False) -> None:
        """Open the index; ``scope`` is a scope key. Raise MissingIndex, UnusableIndex or NewerIndex.

        With ``earlier`` an index of an older schema is opened too; what it cannot answer is a StoreError.
        """
        self._path = path
        self._stamp = _stamp(path)
        self._connection, self.meta = connect(path, memory, scope, earlier=earlier)
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
        limit = Limit(cursor, seconds)
        with limit.closing_on_error():
            checked = limit.run(lambda: _begin(cursor, sql, moment))
            limit.run(lambda: cursor.execute(checked, parameters))
        return Answer(cursor, limit)

    def ask_arrow(
        self, sql: str, parameters: Parameters = None, *, moment: Moment = NO_MOMENT, seconds: float = SECONDS
    ) -> pa.RecordBatchReader:
        """Answer as ``ask_guarded`` does, in Arrow batches that come as they are read."""
        import pyarrow as pa

        cursor = self._cursor()
        limit = Limit(cursor, seconds)
        with limit.closing_on_error():
            checked = limit.run(lambda: _begin(cursor, sql, moment))
            reader = limit.run(lambda: cursor.sql(checked, params=parameters).to_arrow_reader(ARROW_BATCH))
        return pa.RecordBatchReader.from_batches(reader.schema, _batches(limit, reader))

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


class Limit:
    """What is left of the time a question may take; ``run`` interrupts it when nothing is."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, seconds: float) -> None:
        self._cursor, self._seconds, self._left = cursor, seconds, seconds
        self.stuck = False

    def close(self) -> None:
        """Close the cursor, unless what was asked of it could not be stopped."""
        if not self.stuck:
            with suppress(duckdb.ConnectionException):  # it is closed already
                self._cursor.interrupt()  # rows that nobody read may still be in the making
            self._cursor.close()

    @contextmanager
    def closing_on_error(self) -> Iterator[None]:
        """Close the cursor where what is done with it fails."""
        with ExitStack() as undo:
            undo.callback(self.close)
            yield
            undo.pop_all()

    def run(self, work: Callable[[], _T]) -> _T:
        """Do one piece of work in the database; raise BadRequest for what goes wrong.

        It is done in a thread, because the database looks for Ctrl-C too rarely.
        """
        began = time.monotonic()
        doing = _Doing(work)
        try:
            doing.start()
            doing.done.wait(max(self._left, 0))
            self._stop(doing)
            return doing.result()
        except KeyboardInterrupt:
            self._stop(doing)
            raise
        except OverflowError as failed:
            told = f"The answer has a value that is too large to be given: {failed}."
            raise BadRequest(told, "write it as text, such as value::varchar") from None
        except (duckdb.Error, OSError, MemoryError) as failed:
            self._refuse(failed)
        finally:
            self._left -= time.monotonic() - began

    def _stop(self, doing: _Doing[Any]) -> None:
        """Interrupt what is not done yet, and wait until it has stopped; raise BadRequest where it does not."""
        until = time.monotonic() + GRACE
        while not doing.done.is_set():
            if time.monotonic() > until:
                self.stuck = True
                self._refuse(duckdb.InterruptException())
            self._cursor.interrupt()
            doing.done.wait(0.1)

    def _refuse(self, failed: Exception) -> NoReturn:
        if isinstance(failed, duckdb.InterruptException):
            told = f"The query took longer than {self._seconds:g} s and was stopped."
            raise BadRequest(told, "ask for less, or give it more time: --timeout") from None
        if isinstance(failed, duckdb.OutOfMemoryException | MemoryError):
            told = f"The query needs more memory than it may have. {failed}"
            raise BadRequest(told.strip(), "ask for less, or give it more: --memory-limit") from None
        if tells_broken(failed):
            raise UnusableIndex(f"The index cannot be read: {failed}", REBUILD) from None
        raise BadRequest(str(failed)) from None


class _Doing(threading.Thread, Generic[_T]):
    """A piece of work in a thread, and what came of it."""

    def __init__(self, work: Callable[[], _T]) -> None:
        super().__init__(daemon=True)
        self.done = threading.Event()
        self._work = work
        self._came: list[_T] = []
        self._failed: BaseException | None = None

    def run(self) -> None:
        """Do it, and keep what it gives or raises."""
        try:
            self._came.append(self._work())
        except BaseException as failed:  # noqa: BLE001 - it is raised where the result is asked for
            self._failed = failed
        finally:
            self.done.set()

    def result(self) -> _T:
        """Give what the work gave, or raise what it raised."""
        if self._failed is not None:
            raise self._failed
        return self._came[0]


def _begin(cursor: duckdb.DuckDBPyConnection, sql: str, moment: Moment) -> str:
    """Check SQL of others, and ready the cursor for it: at its moment, in a transaction that cannot write."""
    checked = guard.check(cursor, sql)
    for name, instant in (("as_of", moment.as_of), ("as_known_at", moment.as_known_at)):
        if instant is not None:
            cursor.execute(f"set variable {name} = '{show_instant(instant)}'")
    cursor.execute("begin transaction read only")
    return checked


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
