"""Journals that stand for one difficulty each: many closes, and single slots with very many versions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from random import Random

START = datetime(2024, 1, 1, 9, tzinfo=UTC)
STEP = timedelta(minutes=5)
"""Between two lines; their days are the files."""

Line = tuple[int, str, str, int]
"""Slot, kind, value and the hour since START it speaks of."""


def facts(count: int, slots: int) -> Iterator[Line]:
    """Facts, each slot in turn, each later than the one before."""
    for number in range(count):
        yield number % slots, "fact", f"value {number}", number


def closed_in_turn(count: int, slots: int) -> Iterator[Line]:
    """Facts and as many closes: what is stated of a slot is closed before the next is stated of it."""
    for begin in range(0, 2 * count, 2 * slots):
        for slot in range(slots):
            yield slot, "fact", f"value {begin}", begin + slot
        for slot in range(slots):
            yield slot, "invalidate", "", begin + slots + slot


def closed_at_last(count: int, slots: int) -> Iterator[Line]:
    """Facts first, then as many closes that reach further and further back into them."""
    yield from facts(count, slots)
    for number in reversed(range(count)):
        yield number % slots, "invalidate", "", number + slots // 2


def in_order(count: int) -> Iterator[Line]:
    """One slot, each version later than the one before."""
    return facts(count, 1)


def in_any_order(count: int) -> Iterator[Line]:
    """One slot, versions whose starts come in any order."""
    starts = list(range(count))
    Random(7).shuffle(starts)
    for start in starts:
        yield 0, "fact", f"value {start}", start


def write(vault: Path, lines: Iterator[Line]) -> int:
    """Write lines into a vault, recorded one after another, and give their number."""
    folder = vault / "lore" / "journal"
    folder.mkdir(parents=True)
    recorded = [(START + STEP * number, line) for number, line in enumerate(lines)]
    for day, pairs in groupby(recorded, key=lambda pair: pair[0].date()):
        (folder / f"{day}.md").write_text("".join(_text(at, line) for at, line in pairs), "utf-8", newline="\n")
    return len(recorded)


def _text(recorded_at: datetime, line: Line) -> str:
    slot, kind, value, hour = line
    said = "valid_from" if kind == "fact" else "valid_until"
    at = (START + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")
    value = f" :: {value}" if value else ""
    return (
        f"- [{kind}] Vendor {slot:05} :: reliability{value} "
        f"{{{said}={at}, recorded_at={recorded_at.strftime('%Y-%m-%dT%H:%M:%SZ')}}}\n"
    )
