"""Rows of any question written as text, batch by batch: nothing but the rows at hand is ever held.

``csv``, ``json`` and ``jsonl`` are for programs and print instants as RFC 3339; ``table`` and ``markdown`` are for
people and print a midnight as its day.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import IO, Any

from loreweave.reports.answer import FOREVER
from loreweave.times import from_datetime, show_day, show_instant

Columns = Sequence[tuple[str, str]]
"""Names of columns and their types as the database calls them."""

Batches = Iterable[list[tuple[Any, ...]]]
Writing = Callable[[Columns, Batches], Iterator[str]]

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_INSTANTS = ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE")
_REMEMBERED = 50_000
"""How many instants are kept as text: the same ones come in row after row."""


def as_csv(columns: Columns, batches: Batches) -> Iterator[str]:
    """Write comma-separated values with a header; NULL is an empty field."""
    shown = [None if kind in ("VARCHAR", "DOUBLE", *_NUMBERS) else text for _, kind in columns]
    yield _csv([tuple(name for name, _ in columns)])
    for batch in batches:
        yield _csv(_converted(batch, shown))


def as_jsonl(columns: Columns, batches: Batches) -> Iterator[str]:
    """Write one JSON object a line."""
    for batch in batches:
        yield "".join(f"{line}\n" for line in _objects(columns, batch))


def as_json(columns: Columns, batches: Batches) -> Iterator[str]:
    """Write one JSON array of objects, one object a line."""
    opening = "["
    for batch in batches:
        yield opening + "\n" + ",\n".join(_objects(columns, batch))
        opening = ","
    yield "[]\n" if opening == "[" else "\n]\n"


def as_markdown(columns: Columns, batches: Batches) -> Iterator[str]:
    """Write a Markdown table."""
    names = [name.replace("|", r"\|") for name, _ in columns]
    rules = ["--:" if is_number(kind) else "---" for _, kind in columns]
    yield f"| {' | '.join(names)} |\n|{'|'.join(rules)}|\n"
    for batch in batches:
        cells = ([_in_markdown(value) for value in row] for row in batch)
        yield "".join(f"| {' | '.join(row)} |\n" for row in cells)


TEXTS = {"csv": as_csv, "json": as_json, "jsonl": as_jsonl, "markdown": as_markdown}


def write(file: IO[bytes], columns: Columns, batches: Batches, write_as: Writing) -> int:
    """Write rows to a binary stream in UTF-8; give how many there were."""
    count = 0

    def counted() -> Iterator[list[tuple[Any, ...]]]:
        nonlocal count
        for batch in batches:
            count += len(batch)
            yield batch

    for piece in write_as(columns, counted()):
        file.write(piece.encode("utf-8", "replace"))
    return count


def text(value: Any, *, days: bool = False) -> str:
    """Write a value for a cell: NULL empty, instants with ``Z``, and with ``days`` a midnight as its day."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, datetime):
        return _instant(value, days=days)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, dict | list | tuple):
        return json.dumps(as_plain(value), ensure_ascii=False)
    return value.hex() if isinstance(value, bytes) else str(value)


def as_plain(value: Any) -> Any:
    """Give what JSON can hold of a value."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {text(name): as_plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    return text(value)


def is_number(kind: str) -> bool:
    """Tell whether a column of this type holds numbers."""
    return kind.endswith("INT") or kind in ("INTEGER", "UINTEGER", "DOUBLE", "FLOAT") or kind.startswith("DECIMAL")


def _csv(rows: Iterable[Sequence[Any]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def _objects(columns: Columns, batch: list[tuple[Any, ...]]) -> Iterator[str]:
    """Write each row as a JSON object, every column by the way its type needs."""
    pairs = ", ".join(_quoted(name).replace("%", "%%") + ": %s" for name in _distinct(columns))
    return map(f"{{{pairs}}}".__mod__, _converted(batch, [_json_of(kind) for _, kind in columns]))


def _json_of(kind: str) -> Callable[[Any], str]:
    if kind == "VARCHAR" or kind in _INSTANTS:
        write = _quoted if kind == "VARCHAR" else _quoted_instant
        return lambda value: "null" if value is None else write(value)
    if kind in _NUMBERS:
        return lambda value: "null" if value is None else str(value)
    return lambda value: _encode(as_plain(value))


_encode = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode
_quoted: Callable[[str], str] = json.encoder.encode_basestring


def _quoted_instant(value: Any) -> str:
    return f'"{text(value)}"'


def _distinct(columns: Columns) -> list[str]:
    """Give names that an object can hold side by side."""
    names: list[str] = []
    for name, _ in columns:
        number, free = 0, name
        while free in names:
            number += 1
            free = f"{name}_{number}"
        names.append(free)
    return names


def _converted(batch: list[tuple[Any, ...]], shown: Sequence[Callable[[Any], Any] | None]) -> Iterable[tuple[Any, ...]]:
    if not any(shown):
        return batch
    columns = zip(*batch, strict=True)
    return zip(
        *(map(show, column) if show else column for show, column in zip(shown, columns, strict=True)), strict=True
    )


def _in_markdown(value: Any) -> str:
    return text(value, days=True).replace("\\", "\\\\").replace("|", r"\|").replace("\r", "").replace("\n", "<br>")


@lru_cache(maxsize=_REMEMBERED)
def _instant(value: datetime, *, days: bool) -> str:
    if value.replace(tzinfo=UTC) == FOREVER:
        return "infinity"
    instant = from_datetime(value)
    return show_day(instant) if days else show_instant(instant)


def _duration(value: timedelta) -> str:
    """Write a length of time as the database does: days, then hours, minutes and seconds if there are any."""
    clock = str(timedelta(seconds=value.seconds, microseconds=value.microseconds)).rjust(8, "0")
    days = f"{value.days} day{'' if abs(value.days) == 1 else 's'}"
    return clock if not value.days else days if clock == "00:00:00" else f"{days} {clock}"
