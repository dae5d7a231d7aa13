"""The vectors of passages, in a file of their own beside the index: ``.lore/vectors.duckdb``.

A vector is kept under a hash of what it was made from, so it serves any passage that says the same, wherever that
stands and however often the index is built anew. The file holds the vectors of one model; those of another are of no
use beside them. Readers open it beside the index they answer from; who makes vectors writes a draft and swaps it in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import duckdb

from loreweave.errors import StoreError
from loreweave.store.copying import mark_of
from loreweave.store.opening import NAME, attached
from loreweave.store.schema import quote

FILE = ".lore/vectors.duckdb"
"""Where they are kept, relative to the vault."""

MEMORY = "2GB"
KEPT = "kept.main"
"""Where a connection finds the tables of the file: ``about``, ``vectors`` and ``silent``."""

FORMAT = "1"
"""What the file is like; one of another format is made anew."""

KEYED = f"""
    select spans.*, notes.title,
        md5_number(concat_ws(chr(10), $made_of, title, array_to_string(heading_path, chr(10)), spans.hash)) as key
    from {NAME}.main.spans join {NAME}.main.notes using (path)
"""
"""The passages of an index, each with what its vector is kept under."""

PARTS = 4
"""In how many columns a vector is kept, where its dimension lets it."""

BESIDE = 2
"""How many passages before and after each of the nearest are given with them."""

ANEW = f"delete {FILE}, and `lore index` makes it anew"

_PLACED = "memory.main.placed"


class NoVectors(StoreError):
    """There are no vectors to be compared with."""


class Kind(NamedTuple):
    """What tells vectors from others: the model, and what every text was made with, beside what a passage says."""

    model: str
    made_of: str


class Among(NamedTuple):
    """Which passages may be found: those of a scope, or of them the ``span_id`` that a SELECT over the index gives."""

    scope_key: str
    sql: str = ""
    parameters: Sequence[object] = ()


class Compared(NamedTuple):
    """A passage: its place in the order of all, its note, how near it is in millionths, and whether it is asked for.

    One that is not stands beside one that is.
    """

    number: int
    note: int
    span_id: int
    near: int
    is_nearest: bool


class Near(NamedTuple):
    """The nearest passages and those beside them, in order; how many were compared, their sum and sum of squares."""

    passages: tuple[Compared, ...]
    compared: int
    total: int
    squares: int


class Vectors:
    """The vectors of the passages of one index, to be compared with. Safe from several threads.

    Raise NoVectors where there is no file, or one of another kind or that cannot be read; MissingIndex, UnusableIndex
    or NewerIndex where the index cannot be opened.
    """

    def __init__(self, index: Path, path: Path, kind: Kind) -> None:
        self._path, self._places = path, (index, path)
        self._marks = [mark_of(place) for place in self._places]
        self._connection = attached(index, MEMORY)
        try:
            self.dimension = self._open(kind)
            self._place(kind)
        except duckdb.Error as failed:
            self.close()
            raise _unreadable(path, failed) from None
        except StoreError:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of both files."""
        self._connection.close()

    @property
    def stale(self) -> bool:
        """True where another index or other vectors stand in their places by now."""
        return [mark_of(place) for place in self._places] != self._marks

    def lacking(self, scope_key: str) -> tuple[int, int]:
        """Count the passages of a scope that have no vector yet, and all that are to have one."""
        sql = f"select count(*) filter (place is null), count(*) from {_PLACED} where scope_key = ?"
        ((lacking, of),) = self._ask(sql, [scope_key])
        return lacking, of

    def nearest(self, vector: list[float], among: Among, limit: int) -> Near:
        """Give the passages nearest to a vector of length 1, at most so many, and those beside them.

        What is equally near counts in the order of the notes. Raises NoVectors for a vector of another dimension.
        """
        refuse_other(len(vector), self.dimension)
        within = f"where span_id in (select span_id from ({among.sql}))" if among.sql else ""
        parts = list(parts_of(self.dimension))
        products = [f"array_inner_product({name}, ?::float[{part.stop - part.start}])" for name, part in parts]
        sql = f"""
            with compared as materialized (
                select number, note, span_id, round(1e6 * ({" + ".join(products)}))::bigint as near
                from {KEPT}.vectors join {_PLACED} on place = vectors.rowid where scope_key = ?
            ),
            nearest as (select number from compared {within} order by near desc, number limit ?),
            beside as (select distinct number + step as number from nearest, range(-{BESIDE}, {BESIDE} + 1) as _(step))
            select number, note, span_id, near, number in (from nearest),
                (select [count(*), sum(near), sum(near * near)] from compared)
            from compared semi join beside using (number) order by number
        """
        rows = self._ask(sql, [*(vector[part] for _, part in parts), among.scope_key, *among.parameters, limit])
        return Near(tuple(Compared(*row[:-1]) for row in rows), *(rows[0][-1] if rows else (0, 0, 0)))

    def _ask(self, sql: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor()
        try:
            cursor.execute(f"use {NAME}")
            return cursor.execute(sql, parameters).fetchall()
        except duckdb.Error as failed:
            raise _unreadable(self._path, failed) from None

    def _open(self, kind: Kind) -> int:
        """Take the file in; give the dimension of its vectors."""
        if not self._path.exists():
            raise NoVectors("No passage has a vector yet.", "`lore index` makes them")
        attach(self._connection, self._path, "read_only")
        about = about_of(self._connection)
        if not is_of(about, kind):
            raise NoVectors("The vectors that are kept are of another model.", "`lore index` makes them for this one")
        return int(about["dimension"])

    def _place(self, kind: Kind) -> None:
        """Write down which vector is that of each passage; one without words for a vector is left out."""
        sql = f"""
            create table {_PLACED} as
            select span_id, scope_key, vectors.rowid as place, dense_rank() over (order by path) as note,
                row_number() over (order by path, start_line, end_line, span_id) as number
            from ({KEYED}) left join {KEPT}.vectors using (key) anti join {KEPT}.silent using (key)
        """
        self._connection.execute(sql, {"made_of": kind.made_of})


def attach(connection: duckdb.DuckDBPyConnection, path: Path, how: str) -> None:
    """Take the file into a connection, ``read_only`` or ``read_write``."""
    # small groups of rows are shared out among processors
    connection.execute(f"attach {quote(str(path))} as {KEPT.partition('.')[0]} ({how}, row_group_size 8192)")


def about_of(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Give what the file says of itself, nothing where it is not one of these."""
    try:
        return dict(connection.execute(f"select key, value from {KEPT}.about").fetchall())
    except duckdb.CatalogException:
        return {}


def is_of(about: Mapping[str, str], kind: Kind) -> bool:
    """Tell whether a file holds vectors of a kind, by what it says of itself."""
    return about.get("format") == FORMAT and about.get("model") == kind.model and about.get("dimension", "").isdecimal()


def parts_of(dimension: int) -> Iterator[tuple[str, slice]]:
    """Give the columns of a vector, each with which of its numbers it holds.

    The database sums one number after the other; of several shorter sums a processor does two at a time.
    """
    count = PARTS if dimension % PARTS == 0 else 1
    width = dimension // count
    return ((f"part_{number}", slice(number * width, (number + 1) * width)) for number in range(count))


def refuse_other(dimension: int, kept: int) -> None:
    """Raise NoVectors where a model gives vectors of another dimension than those that are kept."""
    if dimension != kept:
        told = f"The model now gives {dimension:,} numbers a passage, and {kept:,} are kept of each."
        raise NoVectors(told, ANEW)


def _unreadable(path: Path, failed: Exception) -> NoVectors:
    return NoVectors(f'The vectors in "{path}" cannot be read: {failed}', ANEW)
