"""Writing: one assertion by command, and an import of very many rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path

import processes
from figures import Figure
from journals import PREDICATES, VALUES
from replays import short

ASSERTION = {10_000: 0.35, 1_000_000: 0.5}
IMPORTED = 100_000
IMPORT_RATE = 10_000.0


def assertions(vaults: Mapping[int, Path]) -> Iterator[Figure]:
    """Measure one assertion at a time, each of another subject, on a fresh index."""
    for size, vault in vaults.items():
        subjects = iter(f"Project {number * 5 + 1:06}" for number in range(99))
        run = processes.times(7, lambda vault=vault, subjects=subjects: _assert(vault, next(subjects)))
        yield Figure(
            "one assertion by command, whole process", short(size), run.seconds, "s", ASSERTION.get(size), run.processor
        )


def imports(work: Path) -> Iterator[Figure]:
    """Measure imports of rows with valid times into vaults that hold nothing yet."""
    rows = work / "rows.csv"
    _write_rows(rows)
    vaults = iter(work / f"imported-{number}" for number in range(9))
    run = processes.times(3, lambda: _import(next(vaults), rows))
    rate, busy = IMPORTED / run.seconds, IMPORTED / run.processor
    yield Figure("import, whole process, durable", short(IMPORTED), rate, "rows/s", IMPORT_RATE, busy)
    yield Figure("import, peak memory", short(IMPORTED), run.peak, "MB")


def _assert(vault: Path, subject: str) -> processes.Run:
    return processes.lore(vault, "assert", subject, "owner", "Nobody Before", "--valid-from", "2026-02-01")


def _import(vault: Path, rows: Path) -> processes.Run:
    vault.mkdir()
    return processes.lore(vault, "import", str(rows))


def _write_rows(path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["subject", "predicate", "object", "valid_from"])
        for number in range(IMPORTED):
            thing, version = divmod(number, 10)
            predicate = PREDICATES[thing % len(PREDICATES)]
            value = VALUES[predicate][number % len(VALUES[predicate])]
            writer.writerow([f"Vendor {thing:05}", predicate, value, date(2020, 1, 1) + timedelta(days=30 * version)])
