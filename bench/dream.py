"""Dreaming: the report on a vault in a process that holds the index open, with all that there is to find.

Four vaults of each size: words as people have them, where copies are rare; few words; notes made from one template, of
which every passage is nearly a copy of every other; and notes that all link to one hub and to thirty others, and share
rare things in pairs.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median

import figures
import loreweave
import notes
import wide
from figures import Figure
from replays import short

BARS = {20_000: 5.0}
OUTPUT = Path(__file__).resolve().parent / "out" / "dream.json"
SIZES = (1_000, 5_000, 20_000)
TIMES = 3
TEMPLATE_WORDS, OF_OWN = 60, 20


def template(vault: Path, count: int) -> None:
    """Write notes made from one template, each with some words of its own."""
    words = [wide.word_at(rank) for rank in range(2_000)]
    same = " ".join(Random(1).choices(words, k=TEMPLATE_WORDS))
    for number in range(count):
        own = " ".join(Random(number).choices(words, k=OF_OWN))
        _put(vault, number, f"# Day {number}\n\n{same} {own}\n\n[[Day {(number + 1) % count}]]\n")


def hub(vault: Path, count: int) -> None:
    """Write notes that all link to one hub and to thirty further ones, and share two rare things with one other."""
    for number in range(count):
        near = " ".join(f"[[Day {other}]]" for other in Random(number).sample(range(count), k=30))
        things = f"[[Thing {number // 2} of oak]] [[Thing {number // 2} of elm]]"
        _put(vault, number, f"# Day {number}\n\n[[Day 0]] #hub {things}\n\n{near}\n")


KINDS: dict[str, Callable[[Path, int], object]] = {
    "words as people have": wide.write,
    "few words": notes.write,
    "one template": template,
    "one hub": hub,
}


def measure(work: Path, sizes: list[int]) -> Iterator[Figure]:
    """Measure vaults of each kind and size."""
    for kind, write in KINDS.items():
        for size in sizes:
            vault = work / f"{kind}-{size}"
            write(vault, size)
            clock, processor = _dreamt(vault)
            yield Figure(f"dream, {kind}, warm", short(size), clock, "s", BARS.get(size), processor)


def _dreamt(vault: Path) -> tuple[float, float]:
    """Give the seconds that a report takes once the index is open, by the clock and by the processor."""
    taken = []
    with loreweave.open(vault) as lore:
        lore.index()
        lore.dream()
        for _ in range(TIMES):
            gc.collect()
            began = time.perf_counter(), time.process_time()
            lore.dream()
            taken.append((time.perf_counter() - began[0], time.process_time() - began[1]))
    clock, processor = zip(*taken, strict=True)
    return median(clock), median(processor)


def _put(vault: Path, number: int, text: str) -> None:
    path = vault / f"{number // 100:03}" / f"Day {number}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def main() -> None:
    """Measure and print; write the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, nargs="+", default=[*SIZES], help="notes of the vaults")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the JSON goes")
    options = parser.parse_args()
    print(figures.HEADING)
    measured = []
    with tempfile.TemporaryDirectory(prefix="lore-bench-") as folder:
        for figure in measure(Path(folder), options.notes):
            measured.append(figure)
            print(figures.row(figure), flush=True)
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(json.dumps([figure._asdict() for figure in measured], indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
