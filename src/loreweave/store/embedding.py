"""The next vectors, made beside those that readers hold and swapped in whole.

The draft keeps its name from run to run: what a killed run made is there for the next one. One process at a time
writes it, which the caller sees to.
"""

from __future__ import annotations

import os
import shutil
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Self

import duckdb

from loreweave.errors import StoreError
from loreweave.store.opening import attached, tells_locked
from loreweave.store.vectors import FORMAT, KEPT, KEYED, MEMORY, Kind, about_of, attach, is_of, parts_of, refuse_other

_DATABASE = KEPT.partition(".")[0]
_WANTED = "memory.main.wanted"


class Passage(NamedTuple):
    """A passage without a vector: its number in this run, and what it says. Others may say the same elsewhere."""

    number: int
    title: str
    heading_path: list[str]
    text: str
    path: str
    line: int


class VectorDraft:
    """Vectors for the passages of an index. ``swap`` puts them in their place; leaving without keeps the draft.

    ``told`` says what became of files that are of no use. Raises StoreError, or as a session does where the index
    cannot be opened.
    """

    def __init__(self, index: Path, path: Path, kind: Kind) -> None:
        self._path, self._kind = path, kind
        self._draft = path.with_name(f"{path.name}.next")
        self._dimension = 0
        self._is_draft = False
        self.told: list[str] = []
        self._connection = attached(index, MEMORY)
        with ExitStack() as undo:
            undo.callback(self._connection.close)
            self._ask("set force_compression = 'uncompressed'")  # who compares reads all of them
            self._is_draft = self._takes(self._draft, "read_write")
            self._is_kept = self._is_draft or self._takes(path, "read_only")
            undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def passages(self) -> list[Passage]:
        """Give the passages that have no vector yet, one of all that say the same, in the order of the notes."""
        known = f"anti join {KEPT}.vectors using (key) anti join {KEPT}.silent using (key)" if self._is_kept else ""
        in_order = "over ({} order by path, start_line, end_line, span_id)"
        self._ask(
            f"""create or replace table {_WANTED} as
            select row_number() {in_order.format("")} as number, * from ({KEYED}) {known}
            qualify row_number() {in_order.format("partition by key")} = 1""",
            {"made_of": self._kind.made_of},
        )
        rows = self._ask(f"select number, title, heading_path, text, path, start_line from {_WANTED} order by number")
        return [Passage(*row) for row in rows]

    def add(self, vectors: Mapping[int, list[float]]) -> None:
        """Keep the vectors of passages by number; raise StoreError for another dimension than that of those kept."""
        import pyarrow as pa

        dimension = len(next(iter(vectors.values())))
        self._begin(dimension)
        refuse_other(dimension, self._dimension)
        columns = {"number": pa.array(vectors, pa.int64())}
        for name, part in parts_of(dimension):
            numbers = array("f", chain.from_iterable(vector[part] for vector in vectors.values()))
            flat = pa.Array.from_buffers(pa.float32(), len(numbers), [None, pa.py_buffer(numbers)])
            columns[name] = pa.FixedSizeListArray.from_arrays(flat, part.stop - part.start)
        names = ", ".join(name for name, _ in parts_of(dimension))
        with _telling(self._path):
            self._connection.register("given", pa.table(columns))
            self._ask(f"insert into {KEPT}.vectors select key, {names} from given join {_WANTED} using (number)")
            self._connection.unregister("given")

    def silence(self, numbers: Sequence[int]) -> None:
        """Keep in mind which passages have no words for a vector; without any vector there is nothing to keep it in."""
        if numbers and self._is_kept:
            self._begin(self._dimension)
            within = "number in (select unnest($numbers::bigint[]))"
            self._ask(f"insert into {KEPT}.silent select key from {_WANTED} where {within}", {"numbers": numbers})

    def prune(self) -> int:
        """Drop the vectors that no passage needs, once they are more than those in need; give how many went."""
        if not self._is_draft:
            return 0
        made_of = {"made_of": self._kind.made_of}
        needed = f"key in (select key from ({KEYED}))"
        sql = f"select count(*) filter ({needed}), count(*) filter (not {needed}) from {KEPT}.vectors"
        used, unused = map(int, self._ask(sql, made_of)[0])
        if unused <= used:
            return 0
        for table in ("vectors", "silent"):
            self._ask(f"delete from {KEPT}.{table} where not {needed}", made_of)
        return unused

    def swap(self) -> None:
        """Put the draft, if there is one, in the place of the vectors; readers keep the file they opened."""
        if not self._is_draft:
            return
        self._ask(f"checkpoint {_DATABASE}; detach {_DATABASE}")
        self._is_draft = self._is_kept = False
        try:
            os.replace(self._draft, self._path)
        except OSError as failed:
            raise StoreError(f'"{self._path}" cannot be replaced: {failed.strerror}.', "make it writable") from None

    def _takes(self, path: Path, how: str) -> bool:
        """Take a file in, where it is there, whole and of this kind; else drop it."""
        if not path.exists():
            return False
        why = "are of another model"
        try:
            attach(self._connection, path, how)
            about = about_of(self._connection)
            if is_of(about, self._kind):
                self._dimension = int(about["dimension"])
                every = ", ".join(f"sum({name}[1])" for name, _ in parts_of(self._dimension))  # so all blocks are read
                self._connection.execute(f"select {every} from {KEPT}.vectors")
                return True
            self._connection.execute(f"detach {_DATABASE}")
        except duckdb.Error as failed:
            if tells_locked(failed):
                raise StoreError(f'Another program holds "{path}".', "let go of it there, and try again") from None
            self._connection.execute(f"detach database if exists {_DATABASE}")
            why = "could not be read"
        self.told.append(f'The vectors in "{path.name}" {why}, and are made anew.')
        _drop(path)
        return False

    def _begin(self, dimension: int) -> None:
        """Take a copy of the vectors that are kept as a draft, or begin with none."""
        if self._is_draft:
            return
        try:
            _drop(self._draft)
            if self._is_kept:
                self._ask(f"detach {_DATABASE}")
                shutil.copyfile(self._path, self._draft)
        except OSError as failed:
            raise StoreError(
                f'"{self._draft}" cannot be written: {failed.strerror}.', "make room, or make it writable"
            ) from None
        with _telling(self._draft):
            attach(self._connection, self._draft, "read_write")
        if not self._is_kept:
            self._make(dimension)
        self._is_draft = self._is_kept = True

    def _make(self, dimension: int) -> None:
        self._dimension = dimension
        about = {"format": FORMAT, "model": self._kind.model, "dimension": str(dimension)}
        columns = ", ".join(f"{name} float[{part.stop - part.start}]" for name, part in parts_of(dimension))
        self._ask(f"create table {KEPT}.vectors (key uhugeint, {columns})")
        self._ask(f"create table {KEPT}.silent (key uhugeint)")
        self._ask(f"create table {KEPT}.about (key varchar, value varchar)")
        for pair in about.items():
            self._ask(f"insert into {KEPT}.about values ($key, $value)", dict(zip(("key", "value"), pair, strict=True)))

    def _ask(self, sql: str, parameters: Mapping[str, object] | None = None) -> list[tuple[Any, ...]]:
        with _telling(self._path):
            return self._connection.execute(sql, parameters).fetchall()


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as failed:
        raise StoreError(f'The vectors in "{path}" cannot be written: {failed}', "make room, and try again") from None


def _drop(path: Path) -> None:
    """Remove a file of vectors, and what a killed process left to be written into it."""
    for file in (path, Path(f"{path}.wal")):
        file.unlink(missing_ok=True)
