"""The figures of a run as the tables of ``docs/benchmarks.md``: ``python bench/tables.py [FILE] [--write]``.

Prints them, or with ``--write`` puts them under the heading ``Results`` of that page, in place of those there.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import arms

FILE = Path(__file__).resolve().parent / "out" / "figures.json"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"
OWN = ("own set", "own set, public vaults")
PARTS = {
    "SciFact": ("test", "train"),
    "LoCoMo": ("all", "last five", "first five"),
    **dict.fromkeys(OWN, ("held", "dev")),
}
RESULTS = re.compile(r"(?<=\n## Results\n\n).*?(?=\n## )", re.DOTALL)

SPEED = ("search,", "lore search", "whole notes /", "first index, whole", "index, one note")

Told = dict[tuple[str, str, str, str], float]
"""Figures by set, part, name and arm."""


def main() -> None:
    options = _options()
    run = json.loads(options.file.read_text("utf-8"))
    text = "\n".join((*machine(run["machine"]), *written(run["figures"])))
    if options.write:
        PAGE.write_text(RESULTS.sub(lambda _: text, PAGE.read_text("utf-8")), "utf-8", newline="\n")
    else:
        print(text)


def machine(told: dict[str, Any]) -> Iterator[str]:
    """Say on what the run was."""
    where = f"{told['processors']} processors, {told['system'].split('-')[0]}"
    yield f"Measured on {where}, with Python {told['python']} and DuckDB {told['duckdb']}."
    yield "Constants were chosen on what is called train, first five and dev; the rest was only reported."
    yield ""


def written(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Write every table that there are figures for."""
    told = {tuple(row["work"].rsplit(", ", 3)): row["value"] for row in rows if row["unit"] == "of 1"}
    for name, parts in PARTS.items():
        for part in parts:
            if any(key[:2] == (name, part) for key in told):
                yield from (f"### {_heading(name, part, rows)}", "", *by_arm(told, name, part), "")
    for name in OWN:
        if any(key[0] == name for key in told):
            yield from (f"### {_capital(name)}: R@5 by kind", "", *by_kind(told, name, rows), "")
    speed = [_speed(row) for row in rows if row["work"].startswith(SPEED)]
    if speed:
        yield from ("### Speed", "", *table(("work", "notes", "figure", "processor", "bar"), speed), "")


def _heading(name: str, part: str, rows: Sequence[dict[str, Any]]) -> str:
    size = next(row["size"] for row in rows if row["work"].startswith(f"{name}, {part}, "))
    return f"{_capital(name)}, {part}: {size} questions"


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def by_arm(told: Told, name: str, part: str) -> Iterator[str]:
    """Give a table of one part of a set: a row an arm, a column a figure."""
    names = list(dict.fromkeys(key[2] for key in told if key[:2] == (name, part)))
    found = [arm for arm in arms.ARMS if any(key[:2] == (name, part) and key[3] == arm for key in told)]
    rows = [[f"`{arm}`", *(_share(told.get((name, part, one, arm))) for one in names)] for arm in found]
    return table(("arm", *names), rows)


def by_kind(told: Told, name: str, rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Give a table of the kinds of questions: a row a kind, a column an arm."""
    kinds = sorted({key[1] for key in told if key[0] == name} - {"all", *PARTS[name]})
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


def _speed(row: dict[str, Any]) -> list[str]:
    def amount(value: float | None) -> str:
        return "" if value is None else f"{value:.3g} {row['unit']}"

    return [row["work"], row["size"], amount(row["value"]), amount(row["processor"]), amount(row["bar"])]


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE, help="the JSON of a run")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    return parser.parse_args()


if __name__ == "__main__":
    main()
