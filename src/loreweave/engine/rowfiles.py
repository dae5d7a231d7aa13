"""Reading a file of rows: CSV, JSON lines or Parquet, one row at a time, as cells by column name."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from loreweave.errors import BadRequest

if TYPE_CHECKING:
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


class Rows(NamedTuple):
    """The columns of a file and its rows; ``columns`` is empty where every row names its own."""

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
    return Rows((), (Row(number, None, row) for number, row in enumerate(cells, 1)))


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
    return Rows(header, _from_csv(reader, header))


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
        try:
            cells = json.loads(text)
        except ValueError as failed:
            yield Row(number, line, {}, f"it is not JSON: {failed}")
            continue
        fault = "" if isinstance(cells, dict) else "it is not a JSON object"
        yield Row(number, line, {} if fault else cells, fault)


def _from_parquet(name: str) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(name)
    except pa.ArrowException as failed:
        raise BadRequest(f'"{name}" is not Parquet: {failed}', "give a Parquet file") from None
    cells = _cells(file, name)
    return Rows(tuple(file.schema_arrow.names), (Row(number, None, row) for number, row in enumerate(cells, 1)))


def _cells(file: pq.ParquetFile, name: str) -> Iterator[dict[str, object]]:
    import pyarrow as pa

    try:
        for batch in file.iter_batches(BATCH):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError) as failed:
        raise BadRequest(f'"{name}" cannot be read: {failed}', "give a whole Parquet file") from None
