"""Real record and valid times: seats and who held them, where the data is at hand (``DATA=DIR``)."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import processes
from figures import Figure


def measure(data: Path | None, work: Path) -> Iterator[Figure]:
    """Measure the cold replay of the congress journal."""
    script = data and data / "congress" / "to_journal.py"
    if script is None or not script.exists():
        return
    vault = work / "congress"
    processes.process([sys.executable, str(script), str(vault)])

    def cold() -> processes.Run:
        shutil.rmtree(vault / ".lore", ignore_errors=True)
        return processes.lore(vault, "replay", "--cold")

    run = processes.times(5, cold)
    yield Figure("cold replay of the congress journal, whole process", "14k", run.seconds, "s", None, run.processor)
