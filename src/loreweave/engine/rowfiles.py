"""Reading a file of rows: CSV, JSON lines or Parquet, one row at a time, as cells by column name."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from loreweave.errors import BadRequest
from loreweave.notes.visible import reveal

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

FORMATS = ("csv", "jsonl", "parquet")
BATCH = 10_000

_SEPARATORS = ",;\t"
_LONGEST_CELL = 1_000_000


class Row(NamedTuple):
    """One row: its number from 1, its line in the file where it has one, its cells, and why it cannot be read."""

    number: int
    line: int | None
    cells: Mapping[str, object]
    fault: str = ""


class Unreadable(NamedTuple):
    """A cell that Python cannot hold; shown as what it is."""

    kind: str
    reason: str

    def __repr__(self) -> str:
        return f"{self.kind} ({self.reason})"


class Rows(NamedTuple):
    """The columns of a file and its rows; ``columns`` is empty where every row names its own.

    No name stands twice among the columns: of two cells one would be lost.
    """

    columns: tuple[str, ...]
    rows: Iterator[Row]


def read_rows(name: str, kind: str | None = None) -> Rows:
    """Read a file by name, ``-`` for standard input; its format by its ending, or from what it holds.

    Raises BadRequest where there is no such file, or where it cannot be read at all.
    """
    ending = kind or Path(name).suffix.lstrip(".").lower()
    if name != "-" and ending not in FORMATS:
        raise BadRequest(f'"{name}" is of no format that can be imported.', f"give --format {', '.join(FORMATS)}")
    try:
        if ending == "parquet":
            return _from_parquet(name)
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return _from_text(io.StringIO(content.decode("utf-8-sig"), newline=""), name, ending)
    except (OSError, UnicodeDecodeError) as failed:
        raise BadRequest(f'"{name}" cannot be read: {failed}.', "give a readable file, as UTF-8") from None


def given_rows(cells: Iterable[Mapping[str, object]]) -> Rows:
    """Take rows that are at hand already."""
    return Rows((), (_given(number, row) for number, row in enumerate(cells, 1)))


def _given(number: int, cells: object) -> Row:
    if isinstance(cells, Mapping):
        return Row(number, None, cells)
    return Row(number, None, {}, f"{reveal(repr(cells))} is not a mapping of fields")


def _distinct(names: Sequence[str], file: str) -> tuple[str, ...]:
    """Refuse a name that stands twice; columns without a name hold nothing that could be asked for."""
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadRequest(f'"{file}" has two columns "{twice}".', "give each column a name of its own")
    return tuple(names)


def _from_text(file: IO[str], name: str, kind: str) -> Rows:
    first = next((line for line in file if line.strip()), "")
    lines = chain([first], file)
    if kind == "jsonl" or (not kind and first.lstrip().startswith("{")):
        return Rows((), _from_json(lines))
    separator = max(_SEPARATORS, key=first.count)
    csv.field_size_limit(_LONGEST_CELL)
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        header = tuple(cell.strip() for cell in next(reader, []))
    except csv.Error as failed:
        raise BadRequest(f'"{name}" has no header that can be read: {failed}.', "name the columns in it") from None
    if not header:
        raise BadRequest(f'"{name}" is empty.', "give a header and rows")
    return Rows(_distinct(header, name), _from_csv(reader, header))


def _from_csv(reader: Iterator[list[str]], header: tuple[str, ...]) -> Iterator[Row]:
    number = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as failed:
            yield Row(number + 1, reader.line_num, {}, f"it cannot be read: {failed}")  # type: ignore[attr-defined]
            return
        if cells is None:
            return
        if not cells:
            continue
        number += 1
        line: int = reader.line_num  # type: ignore[attr-defined]
        fault = "" if len(cells) == len(header) else f"it has {len(cells)} cells, and the header {len(header)}"
        yield Row(number, line, dict(zip(header, cells, strict=False)), fault)


def _from_json(lines: Iterable[str]) -> Iterator[Row]:
    number = 0
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        number += 1
        cells, fault = _object(text)
        yield Row(number, line, cells, fault)


def _object(text: str) -> tuple[dict[str, object], str]:
    """Read one JSON object; give its fields, or why there are none."""
    try:
        cells = json.loads(text, object_pairs_hook=_fields)
    except ValueError as failed:
        return {}, f"it is not JSON that can be read: {failed}"
    except RecursionError:
        return {}, "it is nested too deeply"
    return (cells, "") if isinstance(cells, dict) else ({}, "it is not a JSON object")


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f'the field "{next(name for name in names if names.count(name) > 1)}" stands twice')
    return fields


def _from_parquet(name: str) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(name)
    except pa.ArrowException as failed:
        raise BadRequest(f'"{name}" is not Parquet: {failed}', "give a Parquet file") from None
    cells = _cells(file, name)
    columns = _distinct(file.schema_arrow.names, name)
    return Rows(columns, (Row(number, None, row) for number, row in enumerate(cells, 1)))


def _cells(file: pq.ParquetFile, name: str) -> Iterator[dict[str, object]]:
    import pyarrow as pa

    batches = file.iter_batches(BATCH)
    while True:
        try:
            batch = next(batches, None)
        except (pa.ArrowException, OSError) as failed:
            raise BadRequest(f'"{name}" cannot be read: {failed}', "give a whole Parquet file") from None
        if batch is None:
            return
        yield from _as_python(batch)


def _as_python(batch: pa.RecordBatch) -> Iterable[dict[str, object]]:
    """Give the rows; a cell that Python cannot hold is looked for one by one, where there is any."""
    try:
        rows: list[dict[str, object]] = batch.to_pylist()
    except (ValueError, OverflowError):
        names = batch.schema.names
        return ({name: _cell(batch[name][row]) for name in names} for row in range(batch.num_rows))
    return rows


def _cell(scalar: pa.Scalar) -> object:
    try:
        return scalar.as_py()
    except (ValueError, OverflowError) as failed:
        return Unreadable(str(scalar.type), str(failed).partition(". ")[0])
