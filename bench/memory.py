"""The memory of a process and of all it starts: what they hold at once, looked at many times a second."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import processes

EVERY = 0.02
"""Seconds between two looks."""


def peak(command: Sequence[str]) -> float:
    """Run a process and give the megabytes its tree held at most; where /proc is absent, of its largest process."""
    if not sys.platform.startswith("linux"):
        return processes.process(command).peak
    seen = [0]
    done = threading.Event()
    child = processes.start(command)

    def look() -> None:
        while not done.wait(EVERY):
            seen[0] = max(seen[0], sum(_held(process) for process in _tree(child)))

    watcher = threading.Thread(target=look)
    watcher.start()
    _, status = os.waitpid(child, 0)
    done.set()
    watcher.join()
    if status:
        raise RuntimeError(f"exit {os.waitstatus_to_exitcode(status)}: {' '.join(command)}")
    return seen[0] / 1024


def _tree(process: int) -> Iterator[int]:
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text()
        others = [path / "children" for path in Path(f"/proc/{process}/task").iterdir() if path.name != str(process)]
        children += " ".join(path.read_text() for path in others)
    except OSError:
        return
    for child in children.split():
        yield from _tree(int(child))


def _held(process: int) -> int:
    """Give the kilobytes a process holds, its share of shared pages."""
    try:
        rolled = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in rolled.splitlines() if line.startswith("Pss:")), 0)
