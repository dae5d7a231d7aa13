"""Rows as a table on the screen: columns as wide as the first rows need, or one field a line where that is too wide."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from loreweave.cli.console import visible
from loreweave.reports.rows import Batches, Columns, is_number, text

MEASURED = 1_000
"""Rows looked at to choose widths; later rows follow them."""

EXPLAIN = ("explain_key", "explain_value")


def as_table(columns: Columns, batches: Batches, screen: int | None = None) -> Iterator[str]:
    """Write rows as a table; where it is wider than ``screen`` characters, as a block of lines for each row."""
    rows = chain.from_iterable(batches)
    if tuple(name for name, _ in columns) == EXPLAIN:
        yield from (f"{value}\n" for _, value in rows)
        return
    cells = ([_cell(value) for value in row] for row in rows)
    measured = [row for row, _ in zip(cells, range(MEASURED), strict=False)]
    names = [visible(name) for name, _ in columns]
    widths = [max(map(_width, column)) for column in zip(names, *measured, strict=True)]
    if screen is not None and sum(widths) + 2 * len(widths) - 2 > screen:
        yield from _blocks(names, chain(measured, cells))
    else:
        yield from _lines(columns, names, widths, chain(measured, cells))


def _lines(columns: Columns, names: list[str], widths: list[int], rows: Iterable[list[str]]) -> Iterator[str]:
    right = [is_number(kind) for _, kind in columns]
    yield _line(names, widths, right) + "  ".join("─" * width for width in widths) + "\n"
    for row in rows:
        yield _line(row, widths, right)


def _blocks(names: list[str], rows: Iterable[list[str]]) -> Iterator[str]:
    width = max(map(_width, names))
    for number, row in enumerate(rows, 1):
        yield f"── row {number} ──\n"
        yield "".join(_line([name, cell], [width, 0], [False, False]) for name, cell in zip(names, row, strict=True))


def _line(cells: list[str], widths: list[int], right: list[bool]) -> str:
    padded = (_padded(*cell) for cell in zip(cells, widths, right, strict=True))
    return "  ".join(padded).rstrip() + "\n"


def _padded(cell: str, width: int, right: bool) -> str:
    blanks = " " * (width - _width(cell))
    return blanks + cell if right else cell + blanks


def _cell(value: Any) -> str:
    return visible(text(value, days=True))


def _width(cell: str) -> int:
    """Count the columns that a terminal gives to a text."""
    if cell.isascii():
        return len(cell)
    return sum(_width_of(char) for char in cell)


def _width_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
