"""Indexing of notes: from nothing, with nothing or one note changed, from their history, and as they are saved."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median

import commits
import memory
import notes
import processes
from figures import Figure
from replays import short

FULL = 20_000
"""The size that the bars are for."""

FIRST, PEAK, UNCHANGED, ONE, SAVED = 25.0, 700.0, 0.8, 1.2, 1.5
GROWTH = 1.1
HISTORY = 60.0
NOTES, COMMITS = 1_000, 1_000
SAVES = 7
PATIENCE = 60.0
"""Seconds after which a watcher is taken for stuck."""


def ladder(work: Path, sizes: list[int]) -> Iterator[Figure]:
    """Measure vaults of each size; the cost of a note in one is held against that in the next smaller one."""
    first: dict[int, processes.Run] = {}
    for size in sizes:
        vault = work / f"notes-{size}"
        notes.write(vault, size)
        first[size] = processes.times(2 if size >= FULL else 3, lambda vault=vault: _first(vault))
        yield from _whole(vault, size, first[size])
        yield from _warm(vault, size)
        yield _watched(vault, size)
    yield from _growth(first)


def history(work: Path) -> Iterator[Figure]:
    """Measure a walk through a whole history."""
    vault = work / "history"
    commits.write(vault, NOTES, COMMITS)
    name = f"{short(NOTES)}, {COMMITS:,} commits"
    run = processes.times(2, lambda: _first(vault, "--from-git"))
    yield Figure(f"index --from-git, whole process, {name}", "", run.seconds, "s", HISTORY, run.processor)
    _clear(vault)
    peak = memory.peak(processes.command(vault, "--quiet", "index", "--from-git"))
    yield Figure(f"index --from-git, peak memory, {name}", "", peak, "MB")


def _whole(vault: Path, size: int, first: processes.Run) -> Iterator[Figure]:
    name, full = short(size), size == FULL
    yield Figure("first index, whole process", name, first.seconds, "s", FIRST if full else None, first.processor)
    _clear(vault)
    peak = memory.peak(processes.command(vault, "--quiet", "index"))
    yield Figure("first index, peak memory of all its processes", name, peak, "MB", PEAK if full else None)
    again = processes.times(2 if full else 3, lambda: _again(vault))
    bar = FIRST if full else None
    yield Figure("index after .lore/ was deleted, whole process", name, again.seconds, "s", bar, again.processor)
    shutil.rmtree(vault / ".lore")
    peak = memory.peak(processes.command(vault, "--quiet", "index"))
    yield Figure("index after .lore/ was deleted, peak memory", name, peak, "MB", PEAK if full else None)


def _warm(vault: Path, size: int) -> Iterator[Figure]:
    name, full = short(size), size == FULL
    same = processes.times(7, lambda: processes.lore(vault, "--quiet", "index"))
    bar = UNCHANGED if full else None
    yield Figure("index, nothing changed, whole process", name, same.seconds, "s", bar, same.processor)
    versions = iter(range(1, 99))
    changed = processes.times(7, lambda: _changed(vault, size, next(versions)))
    bar = ONE if full else None
    yield Figure("index, one note changed, whole process", name, changed.seconds, "s", bar, changed.processor)


def _watched(vault: Path, size: int) -> Figure:
    """Measure from the save of a note to the index that answers from it; the first save waits for the watcher too."""
    watcher = subprocess.Popen(
        processes.command(vault, "--quiet", "watch"), env=processes.environment(), stdout=subprocess.DEVNULL
    )
    try:
        taken = [_saved(vault, size, 100 + number) for number in range(SAVES + 1)][1:]
    finally:
        watcher.send_signal(signal.SIGINT)
        watcher.wait(PATIENCE)
    _refuse_stale(vault, 100 + SAVES)
    return Figure("watch, save to refreshed answer", short(size), median(taken), "s", SAVED if size == FULL else None)


def _saved(vault: Path, size: int, version: int) -> float:
    index = vault / ".lore" / "index.duckdb"
    before, began = index.stat().st_ino, time.perf_counter()
    _save(vault, size, version)
    while _inode(index) in (before, 0):
        if time.perf_counter() - began > PATIENCE:
            raise RuntimeError(f"nothing came of a save within {PATIENCE:g} s")
        time.sleep(0.005)
    taken = time.perf_counter() - began
    time.sleep(0.5)
    return taken


def _refuse_stale(vault: Path, version: int) -> None:
    """Fail where the index does not hold the values of the last save: what was measured would be nothing."""
    field, value = notes.field_of(0, version)
    command = processes.command(vault, "facts", "--no-refresh", "--subject", notes.name_of(0), "--predicate", field)
    told = subprocess.run(command, env=processes.environment(), capture_output=True, text=True, check=True).stdout
    if value not in told:
        raise RuntimeError(f"{value} was saved, but the answer is {told}")


def _growth(first: Mapping[int, processes.Run]) -> Iterator[Figure]:
    for smaller, larger in pairwise(sorted(first)):
        bar = GROWTH if larger == FULL else None
        clock, busy = (first[larger][at] * smaller / (first[smaller][at] * larger) for at in range(2))
        yield Figure(f"first index, cost of a note, {short(larger)} / {short(smaller)}", "", clock, "x", bar, busy)


def _first(vault: Path, *options: str) -> processes.Run:
    _clear(vault)
    return processes.lore(vault, "--quiet", "index", *options)


def _again(vault: Path) -> processes.Run:
    shutil.rmtree(vault / ".lore")
    return processes.lore(vault, "--quiet", "index")


def _changed(vault: Path, size: int, version: int) -> processes.Run:
    _save(vault, size, version)
    return processes.lore(vault, "--quiet", "index")


def _save(vault: Path, size: int, version: int) -> None:
    """Save the first note with other values."""
    (vault / notes.path_of(0)).write_text(notes.text_of(0, size, version), "utf-8")


def _clear(vault: Path) -> None:
    for own in ("lore", ".lore"):
        shutil.rmtree(vault / own, ignore_errors=True)


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0
