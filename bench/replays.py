"""Replay of whole vaults, cold and warm, and how it grows with the record."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

import memory
import processes
from figures import Figure

COLD = {1_000_000: 30.0}
WARM = {1_000_000: 1.5}
PEAK = {1_000_000: 1500.0}
GROWTH = 12.0
SLOW = 1_000_000


def measure(vaults: Mapping[int, Path]) -> Iterator[Figure]:
    """Measure cold and warm replays as whole processes; each vault keeps its index."""
    cold, busy = {}, {}
    for size, vault in vaults.items():
        name = short(size)
        run = processes.times(2 if size >= SLOW else 5, lambda vault=vault: _cold(vault))
        cold[size], busy[size] = run.seconds, run.processor
        yield Figure("cold replay, whole process", name, run.seconds, "s", COLD.get(size), run.processor)
        yield Figure("cold replay, peak memory of all its processes", name, _peak(vault), "MB", PEAK.get(size))
        yield Figure("cold replay, lines a second", name, size / run.seconds, "lines/s", None, size / run.processor)
        warm = processes.times(7, lambda vault=vault: processes.lore(vault, "replay"))
        yield Figure("warm replay, whole process", name, warm.seconds, "s", WARM.get(size), warm.processor)
    yield from _growth(cold, busy)


def _growth(cold: Mapping[int, float], busy: Mapping[int, float]) -> Iterator[Figure]:
    for smaller, larger in pairwise(sorted(cold)):
        bar = GROWTH if larger == 10 * smaller and larger >= SLOW else None
        work = f"cold replay, time({short(larger)}) / time({short(smaller)})"
        yield Figure(work, "", cold[larger] / cold[smaller], "x", bar, busy[larger] / busy[smaller])


def _cold(vault: Path) -> processes.Run:
    shutil.rmtree(vault / ".lore", ignore_errors=True)
    return processes.lore(vault, "replay", "--cold")


def _peak(vault: Path) -> float:
    shutil.rmtree(vault / ".lore", ignore_errors=True)
    return memory.peak(processes.command(vault, "replay", "--cold"))


def short(size: int) -> str:
    """Write a number of lines as people say it."""
    return f"{size // 1_000_000}M" if size % 1_000_000 == 0 else f"{size // 1000}k" if size % 1000 == 0 else str(size)
