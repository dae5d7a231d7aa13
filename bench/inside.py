"""One measurement inside a process of its own: ``python bench/inside.py NAME VAULT [COUNT …]``.

Prints pairs as JSON: seconds by the clock and by the processor. A process each, so that the memory of one measurement
is not that of another, and the runner stays small.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import duckdb

import loreweave
import searches

MOMENTS = [f"20{year}-{month:02}-15" for year in (19, 20, 21, 22, 23) for month in (2, 5, 8, 11)]
POINT = """
select * from belief_at($v, $k)
where scope_key = 'default' and subject_key = $subject and predicate_key = $predicate
"""
WARM = 5
"""Questions asked before any is timed, so that what is loaded once is loaded."""

SNAPSHOT = "select * from belief_at($v, $k)"


Pair = tuple[float, float]


def replay(vault: Path, count: int) -> list[Pair]:
    """Replay the whole record; the first time, which loads the libraries, is left out."""
    with loreweave.open(vault) as lore:
        return [_timed(lambda: lore.refresh(whole=True)) for _ in range(count + 1)][1:]


def point(vault: Path, count: int) -> list[Pair]:
    """Ask one slot at (V, K) through the macro, each time another slot and another moment, as any DuckDB client can."""
    with _index(vault) as index:
        asked = _slots(index, count)
        index.execute(POINT, asked[0]).fetchall()
        return [_timed(lambda given=given: index.execute(POINT, given).fetchall()) for given in asked]


def snapshot(vault: Path, count: int) -> list[Pair]:
    """Ask for the whole vault at (V, K), to Arrow; the first time, which opens the file, is left out."""
    given = {"v": MOMENTS[7], "k": MOMENTS[8]}
    with _index(vault) as index:
        return [_timed(lambda: index.execute(SNAPSHOT, given).to_arrow_table()) for _ in range(count + 1)][1:]


def facts(vault: Path, count: int) -> list[Pair]:
    """Ask the library for one slot at (V, K): what a program sees, with the look at the files."""
    with _index(vault) as index:
        asked = _slots(index, count)
    with loreweave.open(vault) as lore:
        lore.facts(subject="nothing")

        def ask(given: dict[str, str]) -> object:
            slot = given["subject"], given["predicate"]
            return lore.facts(subject=slot[0], predicate=slot[1], as_of=given["v"], as_known_at=given["k"])

        return [_timed(lambda given=given: ask(given)) for given in asked]


def search(vault: Path, count: int, kind: str, size: str, wordings: str) -> list[Pair]:
    """Search by the library, each time for something else; the files are looked at once, before."""
    asked = [searches.wordings_of(kind, number, int(size), int(wordings)) for number in range(WARM + count)]
    with loreweave.open(vault) as lore, lore.settled():
        for given in asked[:WARM]:
            lore.search(*given)
        return [_timed(lambda given=given: lore.search(*given)) for given in asked[WARM:]]


def beliefs(vault: Path, count: int) -> list[Pair]:
    """Count the beliefs of the index, for the table."""
    del count
    with _index(vault) as index:
        return [(index.execute("select count(*) from beliefs").fetchall()[0][0], 0.0)]


def _slots(index: duckdb.DuckDBPyConnection, count: int) -> list[dict[str, str]]:
    slots = index.execute("select distinct subject_key, predicate_key from beliefs order by all").fetchall()
    chosen = Random(11)
    asked = []
    for _ in range(count):
        subject, predicate = slots[int(chosen.random() * len(slots))]
        v, k = (MOMENTS[int(chosen.random() * len(MOMENTS))] for _ in range(2))
        asked.append({"subject": subject, "predicate": predicate, "v": v, "k": k})
    return asked


def _index(vault: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(str(vault / ".lore" / "index.duckdb"), read_only=True)


def _timed(work: Callable[[], object]) -> Pair:
    gc.collect()
    began, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - used


if __name__ == "__main__":
    measures = {measure.__name__: measure for measure in (replay, point, snapshot, facts, search, beliefs)}
    name, vault, *rest = sys.argv[1:]
    print(json.dumps(measures[name](Path(vault), int(rest[0]) if rest else 1, *rest[1:])))
