"""How fast lines are read: the grammar alone, the matcher composed from it, and whole files made rows of events."""

from __future__ import annotations

import json
import random
import statistics
import sys
from collections.abc import Callable
from time import perf_counter, process_time

from loreweave.events.lines import parse_by_grammar, parser
from loreweave.events.matcher import match
from loreweave.events.model import Line
from loreweave.events.read import read_record
from loreweave.events.render import render
from loreweave.notes.scan import scan
from loreweave.times import DAY, read_instant

RUNS = 5
LINES = 20_000
FIRST = read_instant("2024-01-01")


def main(count: int) -> None:
    chance = random.Random(1)
    lines = [render(a_line(chance, number)) for number in range(count)]
    text = "".join(line + "\n" for line in lines)
    few = lines[:LINES]
    measured = {
        "parser": rate(lambda: list(map(parser().parse, few)), len(few)),
        "grammar": rate(lambda: list(map(parse_by_grammar, few)), len(few)),
        "matcher": rate(lambda: list(map(match, few)), len(few)),
        "read_record": rate(lambda: read_record("lore/journal/2024-01-01.md", text), count),
        "scan_mb": rate(lambda: list(scan(text).runs()), len(text) / 1e6),
    }
    head = {"lines": count, "characters_per_line": round(len(text) / count), "runs": RUNS}
    print(json.dumps(head | {f"{name}_per_s": rates for name, rates in measured.items()}, indent=2))


def a_line(chance: random.Random, number: int) -> Line:
    return Line(
        "fact",
        f"Vendor {chance.randrange(100_000):06d}",
        "reliability",
        f"value {chance.randrange(10_000)}",
        FIRST + chance.randrange(700) * DAY,
        recorded_at=FIRST + number * 1_000_000,
        confidence=0.9,
        source="stated",
        by="cli",
    )


def rate(work: Callable[[], object], count: float) -> dict[str, int]:
    """The median of several runs, by the clock and by the processor's own time."""
    walls, cpus = [], []
    for _ in range(RUNS):
        wall, cpu = perf_counter(), process_time()
        work()
        walls.append(perf_counter() - wall)
        cpus.append(process_time() - cpu)
    return {"wall": round(count / statistics.median(walls)), "cpu": round(count / statistics.median(cpus))}


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else LINES)
