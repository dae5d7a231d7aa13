"""Reading lines: the figures of `parse.py`, which stands on the inside of the engine, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import processes
from figures import Figure

NAMES = {"grammar": "parse by the grammar alone", "matcher": "parse with the matcher", "read_record": "read to events"}
BARS = {"grammar": 25_000.0, "matcher": 80_000.0}


def measure() -> Iterator[Figure]:
    """Measure parsing of canonical lines on one core."""
    command = [sys.executable, str(processes.HERE / "parse.py")]
    done = subprocess.run(command, env=processes.environment(), capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    for name, work in NAMES.items():
        rate = told[f"{name}_per_s"]
        yield Figure(f"{work}, one core", "20k", rate["wall"], "lines/s", BARS.get(name), rate["cpu"])
