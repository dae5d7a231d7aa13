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
from typing import IO, Any

from loreweave.reports.answer import FOREVER
from loreweave.times import from_datetime, show_day, show_instant

Columns = Sequence[tuple[str, str]]
"""Names of columns and their types as the database calls them."""

Batches = Iterable[list[tuple[Any, ...]]]
Writing = Callable[[Columns, Batches], Iterator[str]]

_PLAIN = ("VARCHAR", "BIGINT", "INTEGER", "HUGEINT", "SMALLINT", "TINYINT", "UBIGINT", "UINTEGER")


def as_csv(columns: Columns, batches: Batches) -> Iterator[str]:
    """Write comma-separated values with a header; NULL is an empty field."""
    shown = [None if kind in _PLAIN else text for _, kind in columns]
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
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _instant(value, days=days)
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, dict | list | tuple):
        return json.dumps(as_plain(value), ensure_ascii=False)
    if isinstance(value, bytes):
        return value.hex()
    return str(value)


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
    names = _distinct(columns)
    write = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": ")).encode
    shown = [None if kind in (*_PLAIN, "BOOLEAN") else as_plain for _, kind in columns]
    return (write(dict(zip(names, row, strict=True))) for row in _converted(batch, shown))


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
