"""How a table of a spec is compared, shown when it fails, and written when it is updated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from difflib import SequenceMatcher

from loreweave.times import from_datetime, show_day
from spec_blocks import Table

Row = tuple[str, ...]


def cell(value: object) -> str:
    """Give one value of an answer as a cell holds it; raise ValueError for what no cell can hold."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(round(value, 4))
    if isinstance(value, datetime):
        return show_day(from_datetime(value))
    if isinstance(value, date):
        return value.isoformat()
    if value == "":
        return '""'
    text = str(value)
    if not text.isprintable() or text != text.strip():
        raise ValueError(f"{text!r} cannot be shown in a cell: let the query spell it out")
    return text


def difference(table: Table, header: Row, rows: Sequence[Row]) -> list[str]:
    """Show the table as written, ``-`` before what failed, then ``+`` before what came; empty if equal."""
    expected, came = [table.header, *table.rows], [header, *rows]
    if expected == came:
        return []
    kept = SequenceMatcher(None, expected, came, autojunk=False).get_matching_blocks()
    held = {block.a + n for block in kept for n in range(block.size)}
    found = {block.b + n for block in kept for n in range(block.size)}
    marked = [(" " if n in held else "-", row) for n, row in enumerate(expected)]
    marked += [("+", row) for n, row in enumerate(came) if n not in found]
    widths = _widths([row for _, row in marked])
    return [f"{mark} {' | '.join(_padded(row, widths))}".rstrip() for mark, row in marked]


def written(header: Row, rows: Sequence[Row]) -> list[str]:
    """Write a table as aligned Markdown lines."""
    escaped = [tuple(text.replace("|", r"\|") for text in row) for row in (header, *rows)]
    widths = _widths(escaped)
    lines = [f"| {' | '.join(_padded(row, widths))} |" for row in escaped]
    rule = f"|{'|'.join('-' * (width + 2) for width in widths)}|"
    return [lines[0], rule, *lines[1:]]


def _widths(rows: Sequence[Row]) -> list[int]:
    return [max(len(row[n]) if n < len(row) else 0 for row in rows) for n in range(max(map(len, rows)))]


def _padded(row: Row, widths: Sequence[int]) -> list[str]:
    return [text.ljust(width) for text, width in zip(row, widths, strict=False)]
