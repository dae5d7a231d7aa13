"""Journals as a desk of a dozen people would write them over years: the mix that replay is measured on.

The mix "desk": about ten lines a slot, slots drawn evenly save that 2 % of the lines fall on a few hot ones; record
times rise from line to line, a file a day. Of the lines 12 % are closes (a third of them weeks late), 5 % corrections
(the same start with another value, or a retraction), 8 % assertions backdated by up to two years, 10 % bounded values,
and the rest a new value from that day or the week before. The same number of lines gives the same bytes anywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from random import Random

SEED = 20240229
FIRST_DAY = date(2019, 1, 1)
DAYS = {10_000: 250, 100_000: 750, 1_000_000: 2000}
"""Days written on, hence files, for a number of lines; other numbers take 250."""

LINES_A_SLOT = 10
HOT_SHARE = 0.02
SLOTS_A_HOT_ONE = 5_000

CLOSE, CORRECTION, BACKDATED, BOUNDED = 0.13, 0.185, 0.265, 0.365
"""Upper bounds of the share of each kind of line, one upon the other."""

KINDS = ("Vendor", "Project", "Ledger", "Office", "Contract")
VALUES = {
    "status": ("draft", "in review", "final", "on hold"),
    "owner": ("Priya", "Tom", "Ana", "Bo", "Marta"),
    "reliability": ("good", "fair", "poor", "unknown"),
    "price": ("1,200 EUR", "1,350 EUR", "990 EUR", "2,400 EUR"),
    "location": ("Hyderabad", "Porto", "Leeds", "Graz"),
    "format": ("CSV", "Parquet", "JSON lines", "fixed width, 80 columns"),
    "phase": ("offer", "pilot", "in use", "to be replaced"),
    "contact": ("[[Priya]]", "[[Tom]]", "the desk", "nobody"),
}
PREDICATES = tuple(VALUES)


def write(vault: Path, count: int) -> int:
    """Write a journal of ``count`` lines into a vault and give the number of its files."""
    folder = vault / "lore" / "journal"
    folder.mkdir(parents=True)
    files = 0
    for day, lines in pages(count):
        (folder / f"{day.isoformat()}.md").write_text("".join(lines), "utf-8", newline="\n")
        files += 1
    return files


def pages(count: int) -> Iterator[tuple[date, list[str]]]:
    """Give each day that is written on, and its lines."""
    days = DAYS.get(count, 250)
    desk = _Desk(count)
    for number in range(days):
        here = count * (number + 1) // days - count * number // days
        day = FIRST_DAY + timedelta(days=number)
        yield day, [desk.line(day, position, here) for position in range(here)]


class _Desk:
    """What has been written so far: of each slot the latest start, and which value it was."""

    def __init__(self, count: int) -> None:
        self._random = Random(SEED)
        self._slots = max(1, count // LINES_A_SLOT)
        self._hot = max(2, self._slots // SLOTS_A_HOT_ONE)
        self._start: dict[int, date] = {}
        self._value: dict[int, int] = {}

    def line(self, day: date, position: int, of: int) -> str:
        """Write the next line, at its place among the lines of a day."""
        chance = self._random.random
        hot = chance() < HOT_SHARE
        slot = int(chance() * (self._hot if hot else self._slots))
        recorded_at = f"{day.isoformat()}T{_clock(position, of)}Z"
        kind = chance()
        if slot in self._start and kind < CLOSE:
            return self._close(slot, day, recorded_at)
        if slot in self._start and kind < CORRECTION:
            return self._correct(slot, kind, recorded_at)
        return self._assert(slot, kind, day, recorded_at)

    def _close(self, slot: int, day: date, recorded_at: str) -> str:
        late = int(self._random.random() * 60) if self._random.random() < 1 / 3 else 0
        until = max(day - timedelta(days=late), self._start[slot] + timedelta(days=1))
        because = ', because="the desk wrote to say so"' if late else ""
        return f"- [invalidate] {_named(slot)} {{valid_until={until}, recorded_at={recorded_at}, by=priya{because}}}\n"

    def _correct(self, slot: int, kind: float, recorded_at: str) -> str:
        start = self._start[slot]
        if kind > CORRECTION - 0.02:
            return f"- [retract] {_named(slot)} {{valid_from={start}, recorded_at={recorded_at}, by=tom}}\n"
        return self._fact(slot, f"valid_from={start}", recorded_at)

    def _assert(self, slot: int, kind: float, day: date, recorded_at: str) -> str:
        back = 1 + int(self._random.random() * 7)
        if CORRECTION <= kind < BACKDATED:
            back = 30 + int(self._random.random() * 700)
        start = day - timedelta(days=back)
        self._start[slot] = max(start, self._start.get(slot, start))
        times = f"valid_from={start}"
        if BACKDATED <= kind < BOUNDED:
            times += f", valid_until={start + timedelta(days=14 + back * 10)}"
        return self._fact(slot, times, recorded_at)

    def _fact(self, slot: int, times: str, recorded_at: str) -> str:
        values = VALUES[PREDICATES[slot % len(PREDICATES)]]
        value = (self._value.get(slot, slot) + 1) % len(values)
        self._value[slot] = value
        said = f"{times}, recorded_at={recorded_at}, confidence=0.9, source=stated, by=priya"
        return f"- [fact] {_named(slot)} :: {values[value]} {{{said}}}\n"


def _named(slot: int) -> str:
    thing = slot // len(PREDICATES)
    return f"{KINDS[thing % len(KINDS)]} {thing:06} :: {PREDICATES[slot % len(PREDICATES)]}"


def _clock(position: int, of: int) -> str:
    """Spread the lines of a day over its working hours, to the microsecond."""
    second, micro = divmod(8 * 3600 * 1_000_000 + position * (10 * 3600 * 1_000_000 // of), 1_000_000)
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{micro:06}"


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2])), "files")
