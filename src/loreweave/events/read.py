"""The record read: the text of a file under ``lore/journal/`` or ``lore/ledger/`` made rows of events, and findings.

Where a kind counts, where its record time comes from, and what is quarantined is decided here and nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple, cast

import attrs

from loreweave import times
from loreweave.errors import WARNING, Finding
from loreweave.events.lines import parse_by_grammar
from loreweave.events.matcher import match
from loreweave.events.model import DEFAULT_SCOPE, JOURNAL_KINDS, LEDGER_KINDS, RANKS, EventRow, Line
from loreweave.events.quarantine import fault
from loreweave.events.rows import id_of, row_of
from loreweave.events.slots import key
from loreweave.notes.scan import reads_alone, scan
from loreweave.notes.visible import is_blank, reveal
from loreweave.times import Instant

JOURNAL = "lore/journal/"
LEDGER = "lore/ledger/"

_KEYS, _START, _END, _LINE = slice(6, 10), 10, 11, -1

_CONFLICT = ("<<<<<<<", "|||||||", ">>>>>>>")
_conflict_mark = re.compile(r"(<{7}|\|{7}|={7}|>{7})(?: |\Z)").match


class Tail(NamedTuple):
    """Where reading may go on below a text already read: its lines, and the greatest record time written in it."""

    lines: int
    latest: Instant | None


class Record(NamedTuple):
    """What one file says: rows and findings in the order of its lines.

    ``tail`` is None where what is appended cannot be read without what stands above: a fence, a comment or the last
    line is open, a merge conflict is left, or a line without a record time must be told from later ones like it.
    """

    rows: list[EventRow]
    findings: list[Finding]
    lines: int
    latest: Instant | None
    tail: Tail | None


def read_record(path: str, text: str, after: Tail | None = None) -> Record:
    """Read a file of the record; ``path`` is relative to the vault, with ``/``.

    With ``after``, the tail of the same file, ``text`` is only what was appended since (ask ``can_follow`` first).
    """
    found = scan(text, from_top=after is None)
    reader = _Reader(path, after or Tail(0, None))
    in_conflict = any(mark in text for mark in _CONFLICT)
    for first, lines in found.runs():
        reader.read(first, lines)
        if in_conflict:
            reader.find_conflict_marks(first, lines)
    if in_conflict:
        reader.findings.sort(key=lambda finding: finding.line)
    tail = Tail(reader.above + found.line_count(), reader.latest)
    readable = found.settled and not in_conflict and not reader.undated
    return Record(reader.rows, reader.findings, *tail, tail if readable else None)


def can_follow(tail: Tail | None, text: str) -> bool:
    """Say whether appended text can be read with ``read_record(path, text, after=tail)`` as it would be in its file."""
    return tail is not None and reads_alone(text)


class _Reader:
    def __init__(self, path: str, after: Tail) -> None:
        self.path = path
        self.above, self.latest = after
        self.in_journal = path.startswith(JOURNAL)
        self.kinds = JOURNAL_KINDS if self.in_journal else LEDGER_KINDS if path.startswith(LEDGER) else frozenset()
        self.day = _day_of(path) if self.in_journal else None
        self.undated: Counter[Line] = Counter()
        self.rows: list[EventRow] = []
        self.findings: list[Finding] = []
        self._between_marks = False

    def read(self, first: int, lines: list[str]) -> None:
        for number, text in enumerate(lines, first + self.above):
            line = match(text)
            if line is None:
                if "[" not in text:
                    continue
                line, findings = parse_by_grammar(text)
                self._find(number, line, *findings)
            if line is not None:
                self._take(line, number, text)

    def _take(self, line: Line, number: int, text: str) -> None:
        recorded_at = line.recorded_at
        if recorded_at is None or line.kind not in self.kinds:
            self._take_unusual(line, number, text)
            return
        row = row_of(line, recorded_at, self.path, number, id_of(line, recorded_at))
        if self._is_sound(line, recorded_at, row, text):
            self.rows.append(row)
            if self.latest is None or recorded_at > self.latest:
                self.latest = recorded_at

    def _take_unusual(self, line: Line, number: int, text: str) -> None:
        """Take a line without a record time of its own, or refuse one that does not belong here."""
        if line.kind not in self.kinds:
            self._find(number, line, self._misplaced(line.kind, text))
            return
        recorded_at = self.day if self.day is None or self.latest is None else max(self.day, self.latest)
        if recorded_at is None:
            self._find(number, line, fault(line, None))
            return
        event_id = id_of(line, recorded_at, (self.path, str(self.undated[line])))
        self.undated[line] += 1
        row = row_of(line, recorded_at, self.path, number, event_id)
        if self._is_sound(line, recorded_at, row, text):
            self.rows.append(row)

    def _is_sound(self, line: Line, recorded_at: Instant, row: EventRow, text: str) -> bool:
        source, start, end, number = line.source, row[_START], row[_END], cast(int, row[_LINE])
        if source is not None and not (self.in_journal and source in RANKS):
            self._find(number, line, self._about_source(source, text))
        is_inverted = start is not None and end is not None and cast(int, end) <= cast(int, start)
        named = line.object
        if is_inverted or "" in row[_KEYS] or (named is not None and not named.isascii() and is_blank(named)):
            self._find(number, line, fault(line, recorded_at))
            return False
        return True

    def _misplaced(self, kind: str, text: str) -> Finding:
        message = f"A [{kind}] line has no effect in {reveal(self.path)}."
        home = JOURNAL if kind in JOURNAL_KINDS else LEDGER
        return Finding("misplaced", message, f"[{kind}] lines count under {home}", column=text.find("[") + 1)

    def _about_source(self, source: str, text: str) -> Finding | None:
        column = text.rfind("source") + 1
        if self.in_journal:
            message = f"The source {reveal(source)} is not one of {', '.join(RANKS)}: the line counts as extracted."
            hint = "write source=stated, source=inferred or source=extracted"
            return Finding("unknown-source", message, hint, column=column, severity=WARNING)
        if source == "extracted":
            return None
        message = f"The source {reveal(source)} is ignored: what stands in the ledger is extracted."
        return Finding("forged-source", message, "leave it out", column=column, severity=WARNING)

    def _find(self, number: int, line: Line | None, *findings: Finding | None) -> None:
        scope_key = key(DEFAULT_SCOPE if line.scope is None else line.scope) if line else None
        for finding in findings:
            if finding is not None:
                placed = attrs.evolve(finding, path=self.path, line=number, column=finding.column or 1)
                self.findings.append(attrs.evolve(placed, scope_key=scope_key or None))

    def find_conflict_marks(self, first: int, lines: list[str]) -> None:
        """Report the marks a merge left; ``=======`` only between others, for alone it underlines a heading."""
        for number, text in enumerate(lines, first + self.above):
            found = _conflict_mark(text)
            if found is None or (text[0] == "=" and not self._between_marks):
                continue
            self._between_marks = text[0] != ">"
            message = f"A merge left the conflict marker {reveal(found[1])} here; both sides are read."
            hint = "delete the marker lines, and the lines that should not stand"
            self._find(number, None, Finding("conflict-markers", message, hint, column=1, severity=WARNING))


def _day_of(path: str) -> Instant | None:
    day = path.rpartition("/")[2][:10]
    try:
        return times.read_instant(day) if len(day) == 10 else None
    except ValueError:
        return None
