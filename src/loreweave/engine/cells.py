"""Cells of a row made fields of a line: texts, times, numbers and marks, each refused with its reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal

from loreweave.engine.asking import SOURCES
from loreweave.errors import BadRequest
from loreweave.notes.visible import reveal
from loreweave.times import from_datetime, read_instant, show_day

REQUIRED = ("subject", "predicate", "object")
TIMES = ("valid_from", "valid_until", "recorded_at")
FIELDS = (*REQUIRED, *TIMES, "confidence", "source", "scope", "many", "by", "because", "episode")

_YES, _NO = ("true", "yes", "1", "many"), ("false", "no", "0")

Columns = dict[str, str]
"""For each field the column that holds it."""


def columns_of(present: tuple[str, ...], asked: Mapping[str, str]) -> Columns:
    """Decide which column holds which field; ``asked`` names others than those of the field's own name.

    A record time is taken only where it is asked for. ``present`` is empty where the columns are not known yet.
    Raises BadRequest for a column that is not there.
    """
    for field, column in asked.items():
        if field not in FIELDS:
            raise BadRequest(f'"{field}" is not a field of a fact.', f"the fields are {', '.join(FIELDS)}")
        if present and column and column not in present:
            raise BadRequest(f'There is no column "{column}".', f"the columns are {', '.join(present)}")
    if "recorded_at" in present and "recorded_at" not in asked:
        told = "say --recorded-at-column recorded_at to take it, or --column recorded_at= to leave it out"
        raise BadRequest('Whether the column "recorded_at" is the record time was not said.', told)
    columns = {field: field for field in FIELDS if (not present or field in present) and field != "recorded_at"}
    columns.update(asked)
    missing = [field for field in REQUIRED if not columns.get(field)]
    if missing:
        told = f"the columns are {', '.join(present)}; say --column {missing[0]}=NAME"
        raise BadRequest(f'There is no column "{missing[0]}".', told)
    return {field: column for field, column in columns.items() if column}


def fields_of(cells: Mapping[str, object], columns: Columns) -> dict[str, object]:
    """Read the cells of a row; what is empty is left out. Raises ValueError with the reason, naming the column."""
    fields: dict[str, object] = {}
    for field, column in columns.items():
        cell = cells.get(column)
        if cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell)):
            continue
        try:
            fields[field] = _READERS.get(field, _text)(cell)
        except ValueError as wrong:
            raise ValueError(f"{column}: {wrong}") from None
    return fields


def _text(cell: object) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return repr(cell).removesuffix(".0")
    if isinstance(cell, int | Decimal):
        return str(cell)
    if isinstance(cell, date):
        return show_day(_instant(cell))
    raise ValueError(f"{reveal(repr(cell))} is not a text")


def _instant(cell: object) -> int:
    if isinstance(cell, datetime):
        if getattr(cell, "nanosecond", 0):  # a kind of datetime that other libraries have
            raise ValueError(f'"{cell}" is finer than a microsecond')
        return from_datetime(cell)
    if isinstance(cell, date):
        return read_instant(cell.isoformat())
    if isinstance(cell, str):
        return read_instant(cell.strip())
    raise ValueError(f"{reveal(repr(cell))} is not a time")


def _number(cell: object) -> float:
    try:
        number = float(cell) if isinstance(cell, str | int | float | Decimal) and not isinstance(cell, bool) else None
    except (ValueError, OverflowError):
        number = None
    if number is None or not 0 <= number <= 1:
        raise ValueError(f"{reveal(str(cell))} is not a number from 0 to 1")
    return number


def _many(cell: object) -> bool:
    word = str(cell).strip().lower()
    if word not in _YES + _NO:
        raise ValueError(f"{reveal(str(cell))} is neither true nor false")
    return word in _YES


def _source(cell: object) -> str:
    word = str(cell).strip().lower()
    if word not in SOURCES:
        raise ValueError(f"{reveal(str(cell))} is none of {', '.join(SOURCES)}")
    return word


_READERS: dict[str, Callable[[object], object]] = {
    **dict.fromkeys(TIMES, _instant),
    "confidence": _number,
    "many": _many,
    "source": _source,
}
