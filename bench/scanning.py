"""How fast the text of a note is read: scanned, its headings and its prose found, cut into spans.

``python bench/scanning.py`` prints JSON: megabytes a second for notes of several shapes, seconds for a whole vault, for
texts of one mark repeated, and for texts as large as none should be. Each figure is by the clock and by the processor.
"""

from __future__ import annotations

import json
import resource
import statistics
from collections.abc import Callable
from random import Random
from time import perf_counter, process_time

import notes
from loreweave.notes.headings import headings
from loreweave.notes.plain import plain
from loreweave.notes.scan import Scan, scan
from loreweave.notes.spans import spans

Told = dict[str, tuple[float, float | None, str]]
"""Figures by name: the value by the clock and by the processor, and its unit."""

RUNS = 5
NOTES = 300
VAULT = 20_000
HOSTILE = 2_000_000
LARGE = 100_000_000

SHAPES: dict[str, Callable[[Random], str]] = {
    "prose": lambda chance: f"{words(chance, 60)} [[{words(chance, 2)}]], `{words(chance, 1)}`.\n\n" * 6,
    "prose of short lines": lambda chance: "".join(f"{words(chance, 12)}\n" for _ in range(30)),
    "fences": lambda chance: f"{words(chance, 40)}\n\n```text\n{words(chance, 8)}\n    {words(chance, 6)}\n```\n\n" * 4,
    "lists": lambda chance: "".join(f"{'  ' * (row % 3)}- {words(chance, 8)}\n" for row in range(30)),
    "lists with blank lines": lambda chance: f"- {words(chance, 8)}\n\n    {words(chance, 8)}\n\n" * 12,
    "tables": lambda chance: "| a | b |\n|---|---|\n" + f"| {words(chance, 3)} | {words(chance, 4)} |\n" * 25,
}
MARKS = ("x", " ", "\n", "#", "-", ">", "`", "~", "<", "%", "\\", "[", "\t", "- ", "> ", "` ", "`\n", "-\n", "# \n")
MARKS += ("a <!-- b\n", "%% a\n", "<a b='\n", "- a\n\n  ```\n\n", "    a\n\n", "a\n===\n", "<div>\n", "<pre>\n", "語")


def main() -> None:
    """Measure, and print what came of it."""
    told = {**_shapes(Random(1)), **_vault(), **_hostile(), **_large()}
    told["peak memory of all this"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3, None, "MB"
    print(json.dumps(told, indent=2))


def _shapes(chance: Random) -> Told:
    told: Told = {}
    for name, shape in SHAPES.items():
        texts = ["".join(f"## {words(chance, 3)}\n\n{shape(chance)}\n" for _ in range(3)) for _ in range(NOTES)]
        told |= _steps(name, texts)
    return told


def _vault() -> Told:
    texts = [text for _, text in notes.notes(VAULT)]
    wall, cpu = seconds(lambda: [whole(text) for text in texts], 3)
    return _steps("a vault", texts) | {f"a vault of {VAULT:,} notes, read to spans": (wall, cpu, "s")}


def _steps(name: str, texts: list[str]) -> Told:
    size, told = sum(map(len, texts)) / 1e6, {}
    for work, read in STEPS.items():
        wall, cpu = seconds(lambda read=read: [read(text) for text in texts])
        told[f"{name}, {work}"] = size / wall, size / cpu, "MB/s"
    return told


def _hostile() -> Told:
    (wall, cpu), mark = max((seconds(lambda mark=mark: whole(repeated(mark)), 1), mark) for mark in MARKS)
    half = seconds(lambda: whole(repeated(mark, HOSTILE // 2)), 1)
    return {
        f"2 MB of one mark, the slowest, {mark!r}": (wall, cpu, "s"),
        "that, over half as much": (wall / half[0], cpu / half[1], "x"),
    }


def _large() -> Told:
    lines = {"a million lines": words(Random(1), 17) + "\n", "one line": "x"}
    told = {name: seconds(lambda line=line: whole(repeated(line, LARGE)), 1) for name, line in lines.items()}
    return {f"100 MB, {name}": (*timed, "s") for name, timed in told.items()}


def words(chance: Random, count: int) -> str:
    """Choose words, spelt as notes spell them."""
    return " ".join(chance.choice(notes.WORDS) for _ in range(count))


def repeated(mark: str, size: int = HOSTILE) -> str:
    """Write a text of one mark."""
    return mark * (size // len(mark))


def whole(text: str) -> object:
    """Read a text as far as its own words go."""
    read = scan(text)
    return plain(read), spans(read, headings(read))


def with_headings(text: str) -> tuple[Scan, object]:
    """Scan a text and find its headings."""
    read = scan(text)
    return read, headings(read)


STEPS: dict[str, Callable[[str], object]] = {
    "scanned": scan,
    "scanned with headings": with_headings,
    "read to spans": whole,
}


def seconds(work: Callable[[], object], runs: int = RUNS) -> tuple[float, float]:
    """Time some work, the median of several runs, by the clock and by the processor."""
    walls, cpus = [], []
    for _ in range(runs):
        wall, cpu = perf_counter(), process_time()
        work()
        walls.append(perf_counter() - wall)
        cpus.append(process_time() - cpu)
    return statistics.median(walls), statistics.median(cpus)


if __name__ == "__main__":
    main()
