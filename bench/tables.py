"""The figures of a run as the tables of ``docs/benchmarks.md``: ``python bench/tables.py [FILE]``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import arms

FILE = Path(__file__).resolve().parent / "out" / "figures.json"
OWN = ("own set", "own set, public vaults")
PARTS = ("train", "test", "all", "first five", "last five", "dev", "held")

Told = dict[tuple[str, str, str, str], float]
"""Figures by set, part, name and arm."""


def main() -> None:
    rows = json.loads(Path(sys.argv[1] if len(sys.argv) > 1 else FILE).read_text("utf-8"))["figures"]
    told = {tuple(row["work"].rsplit(", ", 3)): row["value"] for row in rows if row["unit"] == "of 1"}
    for name in dict.fromkeys(key[0] for key in told):
        for part in [part for part in PARTS if any(key[:2] == (name, part) for key in told)]:
            print(f"\n**{name}, {part}**\n")
            print("\n".join(by_arm(told, name, part)))
    for name in OWN:
        print(f"\n**{name}, R@5 by kind**\n")
        print("\n".join(by_kind(told, name, rows)))
    print("\n**speed**\n")
    print("\n".join(table(("work", "notes", "figure", "processor", "bar"), map(_speed, _of_search(rows)))))


def by_arm(told: Told, name: str, part: str) -> Iterator[str]:
    """Give a table of one part of a set: a row an arm, a column a figure."""
    names = list(dict.fromkeys(key[2] for key in told if key[:2] == (name, part)))
    found = [arm for arm in arms.ARMS if any(key[:2] == (name, part) and key[3] == arm for key in told)]
    rows = [[f"`{arm}`", *(_share(told.get((name, part, one, arm))) for one in names)] for arm in found]
    return table(("arm", *names), rows)


def by_kind(told: Told, name: str, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Give a table of the kinds of questions: a row a kind, a column an arm."""
    kinds = sorted({key[1] for key in told if key[0] == name} - set(PARTS))
    found = [arm for arm in arms.ARMS if any(key[0] == name and key[3] == arm for key in told)]
    sizes = {row["work"].rsplit(", ", 2)[0]: row["size"] for row in rows}
    values = [
        [kind, sizes[f"{name}, {kind}"], *(_share(told.get((name, kind, "R@5", arm))) for arm in found)]
        for kind in kinds
    ]
    return table(("kind", "questions", *(f"`{arm}`" for arm in found)), values)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Write a table as Markdown."""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _of_search(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    shown = ("search,", "lore search", "whole notes /", "first index, whole", "index, one note")
    return (row for row in rows if row["work"].startswith(shown))


def _speed(row: dict[str, Any]) -> list[str]:
    def amount(value: float | None) -> str:
        return "" if value is None else f"{value:.3g} {row['unit']}"

    return [row["work"], row["size"], amount(row["value"]), amount(row["processor"]), amount(row["bar"])]


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
