"""Whole processes measured: wall time and peak memory, each child by itself, medians of several."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

LORE = "import sys; from loreweave.cli import main; sys.exit(main())"
"""What the installed program `lore` runs."""

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "src"


class Run(NamedTuple):
    """One process: seconds of wall time and of processor time, megabytes of memory at its peak."""

    seconds: float
    processor: float
    peak: float


def lore(vault: Path, *words: str) -> Run:
    """Run a command of the program in a vault; raise RuntimeError where it fails."""
    return process(command(vault, *words))


def command(vault: Path, *words: str) -> list[str]:
    """Give the command line of the program in a vault."""
    return [sys.executable, "-c", LORE, "--vault", str(vault), *words]


def process(words: Sequence[str]) -> Run:
    """Run a process with its output thrown away; raise RuntimeError where it fails.

    The measuring process must stay small: a child's peak memory never reads less than what its parent held.
    """
    began = time.perf_counter()
    child = start(words)
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - began
    if status:
        raise RuntimeError(f"exit {os.waitstatus_to_exitcode(status)}: {' '.join(words)}")
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


def start(words: Sequence[str]) -> int:
    """Start a process that reads nothing and whose output is thrown away; errors are shown. Gives its number."""
    nothing = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, nothing, 1)]
    try:
        return os.posix_spawn(words[0], list(words), environment(), file_actions=actions)
    finally:
        os.close(nothing)


def inside(name: str, vault: Path, count: int = 1, *more: str) -> list[tuple[float, float]]:
    """Give what `inside.py` measures in a process of its own: seconds by the clock and by the processor."""
    words = [sys.executable, str(HERE / "inside.py"), name, str(vault), str(count), *more]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr}")
    return [(wall, processor) for wall, processor in json.loads(done.stdout)]


def environment() -> dict[str, str]:
    """Give the environment of a measured process: this checkout's sources, no settings of the user's."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LORE_")}
    return kept | {"PYTHONPATH": str(SOURCES), "LORE_BY": "bench"}


def times(count: int, measure: Callable[[], Run]) -> Run:
    """Measure several times: the medians of the times, the greatest of the peaks."""
    runs = [measure() for _ in range(count)]
    return Run(*medians([run[:2] for run in runs]), max(run.peak for run in runs))


def medians(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Give the median by the clock and the median by the processor."""
    wall, processor = zip(*pairs, strict=True)
    return statistics.median(wall), statistics.median(processor)
