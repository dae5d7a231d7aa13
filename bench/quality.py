"""How well passages are found, set by set, each scored in a process of its own by ``retrieval.py``."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import processes
from figures import Figure

SETS = ("own", "scifact", "locomo", "longmemeval")
DETAIL = Path(__file__).resolve().parent / "out"

MODEL_FREE = {
    "SciFact": {"test": {"nDCG@10": 0.695, "R@10": 0.825}},
    "LoCoMo": {part: {"R@1": 0.36, "R@5": 0.61, "R@10": 0.69, "R@20": 0.75} for part in ("all", "last five")},
}
DENSE = {
    "SciFact": {"test": {"nDCG@10": 0.725, "R@10": 0.855}},
    "LoCoMo": {part: {"R@1": 0.37, "R@5": 0.64, "R@10": 0.73, "R@20": 0.79} for part in ("all", "last five")},
}
BARS = {"lore": MODEL_FREE, "dense": DENSE}
"""What each way to answer should reach: by set, part and figure."""


def measure(name: str, options: argparse.Namespace) -> Iterator[Figure]:
    """Score one of the sets; what came of each question is kept beside the figures."""
    words = [sys.executable, str(processes.HERE / "retrieval.py"), name, "--detail", str(DETAIL / f"{name}.jsonl")]
    for option, value in (("--data", options.data), ("--file", options.longmemeval)):
        words += [option, str(value)] if value else []
    words += ["--arms", *options.arms] if options.arms else []
    DETAIL.mkdir(exist_ok=True)
    done = subprocess.run(words, env=processes.environment(), stdout=subprocess.PIPE, text=True, check=True)
    for told, groups in json.loads(done.stdout).items():
        for group, figures in groups.items():
            yield from _figures(told, group, figures)


def _figures(told: str, group: str, figures: dict[str, float]) -> Iterator[Figure]:
    arm, _, part = group.partition(": ")
    count = f"{figures.pop('questions'):,}"
    for figure, value in figures.items():
        bar = BARS.get(arm, {}).get(told, {}).get(part, {}).get(figure)
        yield Figure(f"{told}, {part}, {figure}, {arm}", count, value, "of 1", bar)
