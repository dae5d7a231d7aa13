"""The review queue: what waits for a person, as a list to tick, brought up to date with all that is written in it.

An entry is known by the mark at its end. While what it tells of is still found it stays, ticked or not. When it is
found no longer, a ticked one goes below "Resolved earlier", and one that is not ticked goes. Lines below an entry that
are indented belong to it; what a person wrote elsewhere is kept under "Added by hand".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

ENTRIES = 50
"""How many entries of a kind stand in the queue that are not ticked."""

RESOLVED, BY_HAND = "Resolved earlier", "Added by hand"

_PREAMBLE = (
    *("---", "title: Lore Review Queue", "tags: [lore-review]", "---", "", "# Review queue", ""),
    "Tick what is settled: it stays ticked, and goes below when it is found no more.",
    "`lore dream --apply` keeps this page up to date; lines indented below an entry stay with it.",
)
_entry = re.compile(r"[-*+] \[(.)\] (.*?)(?:\s+\^lore-([0-9a-f]{10}))?\s*").fullmatch
_more = re.compile(r"and [0-9,]+ more\.").fullmatch


class Entry(NamedTuple):
    """What waits: its mark, and how it is told."""

    mark: str
    tell: Callable[[], str]


class _Written(NamedTuple):
    """An entry of the page as it stands, with the lines below it."""

    mark: str | None
    ticked: bool
    lines: tuple[str, ...]
    resolved: bool


def merge(waiting: Mapping[str, Sequence[Entry]], page: str) -> str:
    """Give the page that tells of what waits, by heading, and keeps what was ticked and written on the old one."""
    written, by_hand = _read(page, {heading.capitalize() for heading in waiting})
    known = {entry.mark: entry for entry in sorted(written, key=lambda entry: entry.ticked) if entry.mark}
    there = {entry.mark for entries in waiting.values() for entry in entries}
    left = [entry for entry in written if entry.mark is None or entry.mark not in there]
    resolved = [entry.lines for entry in left if entry.resolved or entry.ticked or len(entry.lines) > 1]
    lines = [*_PREAMBLE]
    for heading, entries in waiting.items():
        lines += _section(heading.capitalize(), _told(entries, known))
    lines += _section(RESOLVED, [line for kept in dict.fromkeys(resolved) for line in kept])
    lines += _section(BY_HAND, by_hand)
    return "\n".join(lines) + "\n"


def _told(entries: Sequence[Entry], known: Mapping[str, _Written]) -> Iterator[str]:
    """Tell of the entries: those that are not ticked first, and of these as many as a page is to have."""
    ticked = [entry for entry in entries if entry.mark in known and known[entry.mark].ticked]
    settled = {entry.mark for entry in ticked}
    open_ = [entry for entry in entries if entry.mark not in settled]
    shown = [entry for place, entry in enumerate(open_) if place < ENTRIES or _commented(known.get(entry.mark))]
    for entry in (*shown, *ticked):
        below = known[entry.mark].lines[1:] if entry.mark in known else ()
        yield f"- [{'x' if entry.mark in settled else ' '}] {entry.tell()} ^lore-{entry.mark}"
        yield from below
    if len(open_) > len(shown):
        yield from ("", f"and {len(open_) - len(shown):,} more.")


def _commented(entry: _Written | None) -> bool:
    return entry is not None and len(entry.lines) > 1


def _section(heading: str, lines: Iterable[str]) -> list[str]:
    """Give a heading with what stands below it, nothing where there is nothing."""
    told = list(lines)
    return ["", f"## {heading}", "", *told] if told else []


def _read(page: str, headings: set[str]) -> tuple[list[_Written], list[str]]:
    """Read a page: its entries with the lines below each, and the lines that are no part of it."""
    ours = {*_PREAMBLE, *(f"## {heading}" for heading in (*headings, RESOLVED, BY_HAND))}
    written: list[_Written] = []
    by_hand: list[str] = []
    resolved = is_below = False
    for line in page.splitlines():
        found = _entry(line)
        if line.startswith("## "):
            resolved, is_below = line[3:].strip() == RESOLVED, False
        if found and (found[3] or found[1] != " " or resolved):
            written.append(_Written(found[3], found[1] != " ", (line,), resolved))
            is_below = True
        elif is_below and line[:1] in " \t" and line.strip():
            written[-1] = written[-1]._replace(lines=(*written[-1].lines, line))
        elif line.strip() and line not in ours and not _more(line):
            by_hand.append(line)
            is_below = False
    return written, by_hand
