"""Questions: by command beside the bare cost of DuckDB, one slot at (V, K), and the whole vault at (V, K)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import journals
import processes
from figures import Figure
from replays import short

BELIEFS_20K = 12_700
"""Lines of the mix that come to about 20,000 beliefs."""

PAIRS = 15
TIMES, PLUS = 1.6, 0.08
POINT = {10_000: 3.0, 1_000_000: 5.0}
SNAPSHOT = {1_000_000: 0.5}


def by_command(work: Path) -> Iterator[Figure]:
    """Measure `lore facts --subject S` and `import duckdb` in pairs, so that a busy moment strikes both."""
    vault = work / "twenty-thousand"
    journals.write(vault, BELIEFS_20K)
    processes.lore(vault, "replay")
    yield _beliefs(vault, "20k")
    bare, asked = [], []
    for number in range(PAIRS):
        bare.append(processes.process([sys.executable, "-c", "import duckdb"])[:2])
        asked.append(processes.lore(vault, "facts", "--subject", f"Vendor {number * 5:06}")[:2])
    (base, used), (facts, busy) = processes.medians(bare), processes.medians(asked)
    yield Figure("python -c 'import duckdb', whole process", "", base, "s", None, used)
    yield Figure("lore facts --subject, whole process", "20k", facts, "s", TIMES * base + PLUS, busy)
    yield Figure("lore facts --subject / import duckdb", "20k", facts / base, "x", None, busy / used)


def in_process(vaults: Mapping[int, Path]) -> Iterator[Figure]:
    """Measure questions in a process that holds the index open."""
    for size, vault in vaults.items():
        name = short(size)
        processes.lore(vault, "replay")
        yield _beliefs(vault, name)
        through, asked = processes.inside("point", vault, 300), processes.inside("facts", vault, 100)
        yield from _points("one slot at (V, K) through belief_at", name, through, POINT.get(size))
        yield from _points("one slot at (V, K) by the library, files looked at", name, asked)
        wall, processor = processes.medians(processes.inside("snapshot", vault, 5))
        yield Figure("whole vault at (V, K), to Arrow", name, wall, "s", SNAPSHOT.get(size), processor)


def _points(work: str, name: str, pairs: list[tuple[float, float]], bar: float | None = None) -> Iterator[Figure]:
    walls, busy = (sorted(1000 * seconds for seconds in column) for column in zip(*pairs, strict=True))
    middle, high = len(walls) // 2, len(walls) * 95 // 100
    yield Figure(f"{work}, p50", name, walls[middle], "ms", bar, busy[middle])
    yield Figure(f"{work}, p95", name, walls[high], "ms", None, busy[high])


def _beliefs(vault: Path, name: str) -> Figure:
    ((count, _),) = processes.inside("beliefs", vault)
    return Figure("beliefs of the index", name, count, "rows")
