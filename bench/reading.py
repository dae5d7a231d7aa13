"""Reading lines and notes: the figures of `parse.py` and `scanning.py`, which stand inside, each in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import processes
from figures import Figure

NAMES = {"grammar": "parse by the grammar alone", "matcher": "parse with the matcher", "read_record": "read to events"}
BARS = {"grammar": 25_000.0, "matcher": 80_000.0}
NOTES = {"scanned with headings": 80.0, "notes, read to spans": 2.5}


def measure() -> Iterator[Figure]:
    """Measure parsing of canonical lines on one core."""
    told = _told("parse.py")
    for name, work in NAMES.items():
        rate = told[f"{name}_per_s"]
        yield Figure(f"{work}, one core", "20k", rate["wall"], "lines/s", BARS.get(name), rate["cpu"])


def notes() -> Iterator[Figure]:
    """Measure how fast the text of notes is read, of several shapes, hostile ones too, on one core."""
    for work, (value, processor, unit) in _told("scanning.py").items():
        bar = next((bar for part, bar in NOTES.items() if part in work), None)
        yield Figure(work, "", value, unit, bar, processor)


def _told(program: str) -> dict[str, Any]:
    command = [sys.executable, str(processes.HERE / program)]
    done = subprocess.run(command, env=processes.environment(), capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))
