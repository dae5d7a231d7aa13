"""What was measured: one figure a row, beside the bar it is held to; shown as a table, kept as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

MORE = ("/s", "of 1", "x smaller")
"""How units end of which more is better."""

PINNED = ("duckdb", "pyarrow", "lark")


class Figure(NamedTuple):
    """A figure of some work at some size; ``bar`` is what it should reach, None where nothing is promised.

    Ratios have the unit ``x``. Of rates, lines or rows a second, of shares and of what is to be smaller, more is
    better; else less is. ``processor`` is the same figure by processor time, of all processes: what the clock would
    say, were the machine idle and had one core.
    """

    work: str
    size: str
    value: float
    unit: str
    bar: float | None = None
    processor: float | None = None

    @property
    def is_met(self) -> bool | None:
        """Tell whether the bar is reached; None without one."""
        if self.bar is None:
            return None
        return self.value >= self.bar if self.unit.endswith(MORE) else self.value <= self.bar


HEADING = f"{'work':<60} {'size':>5} {'figure':>16} {'processor':>11} {'bar':>15}  met"


def row(figure: Figure) -> str:
    """Write a figure as one line of the table."""
    bar = "" if figure.bar is None else f"{_amount(figure.bar)} {figure.unit}"
    processor = "" if figure.processor is None else _amount(figure.processor)
    mark = {True: "yes", False: "NO", None: ""}[figure.is_met]
    value = f"{_amount(figure.value)} {figure.unit}"
    return f"{figure.work:<60} {figure.size:>5} {value:>16} {processor:>11} {bar:>15}  {mark}".rstrip()


def _amount(value: float) -> str:
    digits = next((digits for digits, bound in enumerate((100, 10, 1)) if value >= bound), 3)
    return f"{value:,.{digits}f}"


def write(path: Path, figures: Iterable[Figure], settings: Mapping[str, object]) -> None:
    """Write the figures as JSON, the ratios apart, with the machine they were measured on."""
    rows = list(figures)
    machine = {
        "processors": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **{name: version(name) for name in PINNED},
    }
    ratios = {f"{figure.work}, {figure.size}": figure.value for figure in rows if figure.unit == "x"}
    figures_ = [{**figure._asdict(), "met": figure.is_met} for figure in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    told = {"machine": machine, "settings": dict(settings), "ratios": ratios, "figures": figures_}
    path.write_text(json.dumps(told, indent=2) + "\n", "utf-8")
