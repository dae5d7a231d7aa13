"""The review queue: what waits for a person, as a list to tick, brought up to date with all that is written in it.

An entry is known by the mark at its end. While what it tells of is still found it stays, ticked or not. When it is
found no longer, a ticked one goes below "Resolved earlier", and one that is not ticked goes. Lines below an entry that
are indented belong to it; what a person wrote elsewhere, blank lines within it too, is kept under "Added by hand".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import attrs

ENTRIES = 50
"""How many entries of a kind stand in the queue that are not ticked."""

RESOLVED, BY_HAND = "Resolved earlier", "Added by hand"

_PREAMBLE = (
    *("---", "title: Lore Review Queue", "tags: [lore-review]", "---", "", "# Review queue", ""),
    "Tick what is settled: it stays ticked, and goes below when it is found no more.",
    "`lore dream --apply` keeps this page up to date; lines indented below an entry stay with it.",
)
_entry = re.compile(r"[-*+] \[(.)\] .*\s\^lore-([0-9a-f]{10})\s*").fullmatch
_more = re.compile(r"and [0-9,]+ more\.").fullmatch


class Entry(NamedTuple):
    """What waits: its mark, and how it is told."""

    mark: str
    tell: Callable[[], str]


@attrs.frozen
class _Written:
    """An entry of the page as it stands, with the lines below it."""

    line: str
    ticked: bool
    resolved: bool
    below: list[str] = attrs.field(factory=list)


def merge(waiting: Mapping[str, Sequence[Entry]], page: str) -> str:
    """Give the page that tells of what waits, by heading, and keeps what was ticked and written on the old one."""
    known, by_hand = _read(page, {heading.capitalize() for heading in waiting})
    there = {entry.mark for entries in waiting.values() for entry in entries}
    left = [entry for mark, entry in known.items() if mark not in there]
    resolved = [[entry.line, *entry.below] for entry in left if entry.resolved or entry.ticked or entry.below]
    lines = [*_PREAMBLE]
    for heading, entries in waiting.items():
        lines += _section(heading.capitalize(), _told(entries, known))
    lines += _section(RESOLVED, chain(*resolved))
    lines += _section(BY_HAND, by_hand)
    return "\n".join(lines) + "\n"


def _told(entries: Sequence[Entry], known: Mapping[str, _Written]) -> Iterator[str]:
    """Tell of the entries: those that are not ticked first, and of these as many as a page is to have."""
    ticked = [entry for entry in entries if entry.mark in known and known[entry.mark].ticked]
    settled = {entry.mark for entry in ticked}
    open_ = [entry for entry in entries if entry.mark not in settled]
    shown = [entry for place, entry in enumerate(open_) if place < ENTRIES or _commented(known.get(entry.mark))]
    for entry in (*shown, *ticked):
        below = known[entry.mark].below if entry.mark in known else ()
        yield f"- [{'x' if entry.mark in settled else ' '}] {entry.tell()} ^lore-{entry.mark}"
        yield from below
    if len(open_) > len(shown):
        yield from ("", f"and {len(open_) - len(shown):,} more.")


def _commented(entry: _Written | None) -> bool:
    return entry is not None and bool(entry.below)


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    """Give a heading with what stands below it, nothing where there is nothing."""
    told = list(lines)
    return ["", f"## {heading}", "", *told] if told else []


def _read(page: str, headings: set[str]) -> tuple[dict[str, _Written], list[str]]:
    """Read a page: its entries by their marks, with the lines below each, and the lines that are no part of it."""
    reading = _Reading({f"## {heading}" for heading in (*headings, RESOLVED)})
    for line in page.replace("\r\n", "\n").split("\n"):
        reading.read(line)
    return _joined(reading.written), reading.by_hand


class _Reading:
    """Reads a page line by line; a blank line counts where what it stands in goes on below it."""

    def __init__(self, ours: set[str]) -> None:
        self.written: list[tuple[str, _Written]] = []
        self.by_hand: list[str] = []
        self._ours, self._heading, self._blanks = ours, "", list[str]()
        self._into: list[str] | None = None

    def read(self, line: str) -> None:
        """Read the next line."""
        if not line.strip():
            self._blanks.append(line)
        elif found := _entry(line):
            entry = _Written(line, found[1] != " ", self._heading == f"## {RESOLVED}")
            self.written.append((found[2], entry))
            self._go_on(entry.below)
        elif line[0] in " \t" and self._into is not None and self._into is not self.by_hand:
            self._into += [*self._blanks, line]
            self._blanks = []
        elif self._is_ours(line):
            self._go_on(None)
        else:
            self._add_by_hand(line)
        if line.startswith("## "):
            self._heading = line.rstrip()

    def _go_on(self, into: list[str] | None) -> None:
        self._into, self._blanks = into, []

    def _add_by_hand(self, line: str) -> None:
        """Keep a line; what stood apart stays apart."""
        apart = self._blanks if self._into is self.by_hand else [""] * bool(self.by_hand)
        self.by_hand += [*apart, line]
        self._go_on(self.by_hand)

    def _is_ours(self, line: str) -> bool:
        """Say whether we wrote a line that is no entry: a heading, what stands above the first, or a number of more."""
        plain = line.rstrip()
        if plain in self._ours or plain == f"## {BY_HAND}":
            return True
        if not self._heading and not self.written:
            return plain in _PREAMBLE
        return self._heading in self._ours and _more(plain) is not None


def _joined(written: Iterable[tuple[str, _Written]]) -> dict[str, _Written]:
    """Join the entries of one mark, as a syncer doubles them: ticked if one of them is, with all that stands below."""
    known: dict[str, _Written] = {}
    for mark, entry in written:
        first = known.setdefault(mark, entry)
        if first is entry:
            continue
        below = first.below if _has(first.below, entry.below) else first.below + entry.below
        line = entry.line if entry.ticked > first.ticked else first.line
        known[mark] = _Written(line, first.ticked or entry.ticked, first.resolved or entry.resolved, below)
    return known


def _has(lines: list[str], part: list[str]) -> bool:
    """Say whether lines stand among others, one after the other."""
    return any(lines[at : at + len(part)] == part for at in range(len(lines) - len(part) + 1))
