"""Whole processes measured: wall time and peak memory, each child by itself, medians of several."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

LORE = "import sys; from loreweave.cli import main; sys.exit(main())"
"""What the installed program `lore` runs."""

SOURCES = Path(__file__).resolve().parents[1] / "src"


class Run(NamedTuple):
    """One process: seconds of wall time, megabytes of memory at its peak."""

    seconds: float
    peak: float


def lore(vault: Path, *words: str) -> Run:
    """Run a command of the program in a vault; raise RuntimeError where it fails."""
    return process([sys.executable, "-c", LORE, "--vault", str(vault), *words])


def process(command: Sequence[str]) -> Run:
    """Run a process with its output thrown away; raise RuntimeError where it fails.

    The measuring process must stay small: a child's peak memory never reads less than what its parent held.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    redirect = [(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, nothing, 1)]
    began = time.perf_counter()
    child = os.posix_spawn(command[0], command, environment(), file_actions=redirect)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    os.close(nothing)
    if status:
        raise RuntimeError(f"exit {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Run(seconds, usage.ru_maxrss / scale)


def environment() -> dict[str, str]:
    """Give the environment of a measured process: this checkout's sources, no settings of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LORE_")}
    return kept | {"PYTHONPATH": str(SOURCES), "LORE_BY": "bench"}


def median(runs: Sequence[Run]) -> Run:
    """Give the median of the times and the greatest of the peaks."""
    return Run(statistics.median(run.seconds for run in runs), max(run.peak for run in runs))


def times(count: int, measure: Callable[[], Run]) -> Run:
    """Measure several times."""
    return median([measure() for _ in range(count)])
