"""Twins are lines of one author alike in slot, start and record time but not in content; each is told of once."""

from __future__ import annotations

import pytest

from loreweave.events import parse
from loreweave.events.model import COLUMNS, Event
from loreweave.projections import project
from loreweave.projections.refold import refold

PATH = "lore/journal/2024-01-02.md"

X, Y, Z = (f"- [fact] A :: b :: {value}" for value in "xyz")


def twins(*lines: str) -> list[tuple[int, int]]:
    """Each line that is told of, and the line it is set against."""
    found = [event for event in parse("\n".join(lines), PATH) if isinstance(event, Event)]
    told = [
        (row["line"], int(row["message"].split(f"{PATH}:")[1].split()[0]))
        for row in project(found)["findings"].to_pylist()
        if row["code"] == "twin-lines"
    ]
    rows = [tuple(getattr(event, name) for name in COLUMNS) for event in found]
    assert len([finding for finding in refold(rows).findings if finding.code == "twin-lines"]) == len(told)
    return told


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((X, X), []),
        ((X, X, X), []),
        ((X, Y), [(2, 1)]),
        ((X, Y, X), [(2, 1), (3, 2)]),
        ((X, Y, Y), [(2, 1), (3, 1)]),
        ((X, X, Y), [(3, 2)]),
        ((X, Y, Z, Z, X), [(2, 1), (3, 2), (4, 2), (5, 4)]),
        ((X, f"{X} {{valid_from=2024-01-02}}"), []),
        ((X, f"{X} {{valid_until=2024-06-01}}"), [(2, 1)]),
        ((X, f"{X} {{source=inferred}}"), [(2, 1)]),
        ((X, f"{X} {{confidence=0.5}}"), [(2, 1)]),
        ((X, f'{X} {{because="heard"}}'), [(2, 1)]),
        ((X, f"{X} {{many}}"), []),
        ((X, f"{Y} {{by=ana}}"), []),
        ((X, f"{Y} {{by=ana}}", Z), [(3, 1)]),
        ((f"{X} {{source=extracted}}", Y), [(2, 1)]),
    ],
)
def test_each_later_line_is_told_of_once_against_the_nearest_that_differs(
    lines: tuple[str, ...], told: list[tuple[int, int]]
) -> None:
    assert twins(*lines) == told


def test_twins_are_found_in_time_even_where_all_lines_are() -> None:
    assert len(twins(*(f"- [fact] A :: b :: {number % 2}" for number in range(3000)))) == 2999
