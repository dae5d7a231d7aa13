"""Replay of journals that stand for one difficulty each: many closes, and single slots with very many versions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import processes
import shapes
from figures import Figure

TWICE = 2.0
IN_ORDER, IN_ANY_ORDER = 1.0, 2.0


ROUNDS = 3


def measure(work: Path) -> Iterator[Figure]:
    """Measure replays within a process, libraries loaded: what is compared is the work alone."""
    for slots in (5_000, 50):
        yield from _closes(work / str(slots), slots)
    for name, lines, bar in (
        ("10,000 versions in order", shapes.in_order(10_000), IN_ORDER),
        ("2,000 versions in any order", shapes.in_any_order(2_000), IN_ANY_ORDER),
    ):
        shapes.write(work / name, lines)
        wall, processor = processes.medians(processes.inside("replay", work / name, 5))
        yield Figure(f"one slot, {name}", "", wall, "s", bar, processor)


def _closes(work: Path, slots: int) -> Iterator[Figure]:
    """Compare in rounds, so that a busy moment strikes all alike."""
    plain = f"10,000 facts in {slots:,} slots"
    vaults = {
        plain: shapes.facts(10_000, slots),
        f"5,000 facts, 5,000 closes in turn in {slots:,} slots": shapes.closed_in_turn(5_000, slots),
        f"5,000 facts, 5,000 closes at last in {slots:,} slots": shapes.closed_at_last(5_000, slots),
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in vaults}
    for name, lines in vaults.items():
        shapes.write(work / name, lines)
    for _ in range(ROUNDS):
        for name in vaults:
            times[name] += processes.inside("replay", work / name, 2)
    medians = {name: processes.medians(pairs) for name, pairs in times.items()}
    wall, processor = medians.pop(plain)
    yield Figure(plain, "", wall, "s", None, processor)
    for name, (closed, used) in medians.items():
        yield Figure(f"{name} / facts alone", "", closed / wall, "x", TWICE, used / processor)
