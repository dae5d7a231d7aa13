"""Measures what the engine costs: ``make bench``, ``make bench SIZES=10k,100k``, ``make bench DATA=DIR``.

Prints a table as it goes and writes ``bench/out/figures.json``. Figures are compared, never asserted: the machine may
be busy, so read the ratios first. Only the program and the library are used, as anybody has them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import closes
import congress
import figures
import indexing
import journals
import quality
import questions
import reading
import replays
import searches
import serving
import writes
from figures import Figure

OUTPUT = Path(__file__).resolve().parent / "out" / "figures.json"
UNITS = {"k": 1_000, "M": 1_000_000}


def main() -> None:
    options = _options()
    measured = []
    print(figures.HEADING)
    settings = {"sizes": options.sizes, "notes": options.notes, "only": options.only}
    with tempfile.TemporaryDirectory(prefix="lore-bench-") as folder:
        for measure in _measures(options, Path(folder)):
            for figure in measure():
                measured.append(figure)
                print(figures.row(figure), flush=True)
            figures.write(options.output, measured, settings)
    print(f"written to {options.output}")


def _measures(options: argparse.Namespace, work: Path) -> Iterator[Callable[[], Iterator[Figure]]]:
    vaults = {size: work / replays.short(size) for size in options.sizes}
    if {"replay", "write", "ask"} & set(options.only):
        for size, vault in vaults.items():
            journals.write(vault, size)
    every = {
        "parse": [reading.measure, reading.notes],
        "replay": [lambda: replays.measure(vaults)],
        "shapes": [lambda: closes.measure(work)],
        "ask": [lambda: questions.in_process(vaults), lambda: questions.by_command(work)],
        "write": [lambda: writes.assertions(vaults), lambda: writes.imports(work)],
        "congress": [lambda: congress.measure(options.data, work)],
        "notes": [lambda: indexing.ladder(work, options.notes), lambda: indexing.history(work)],
        "serve": [lambda: serving.measure(work, options.notes)],
        "search": [lambda: searches.measure(work, options.notes, options.data)],
        **{name: [partial(quality.measure, name, options)] for name in quality.SETS},
    }
    for name in options.only:
        yield from every[name]


def _options() -> argparse.Namespace:
    names = ["parse", "replay", "shapes", "ask", "write", "congress", "notes", "serve", "search", *quality.SETS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=_sizes, default=_sizes("10k,100k,1M"), help="lines of the journals: 10k,1M")
    parser.add_argument("--notes", type=_sizes, default=_sizes("1k,5k,20k"), help="notes of the vaults: 1k,20k")
    parser.add_argument("--data", type=Path, help="a folder with congress/, bench/ and vaults/, measured too")
    parser.add_argument("--longmemeval", type=Path, help="a file of LongMemEval, scored too")
    parser.add_argument("--arms", nargs="+", help="ways to answer that retrieval is scored by; all without")
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="what to measure")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="where the JSON goes")
    return parser.parse_args()


def _sizes(text: str) -> list[int]:
    return sorted(int(size.rstrip("kM")) * UNITS.get(size[-1], 1) for size in text.split(","))


if __name__ == "__main__":
    main()
