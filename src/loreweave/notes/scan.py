"""Which lines of a Markdown text are prose: one pass that jumps from marker to marker.

A line is hidden, not prose, where it begins inside

- frontmatter: a first line ``---`` (a word may follow, as in ``---js``) or ``+++``, up to the same mark alone on a
  line; a leading thematic break that nothing closes is not frontmatter;
- a code fence of three or more backticks or tildes, in list items and quotes too, less than four columns further in
  than what it stands in. It ends at a fence of the same character at least as long, or where a list item or quote it
  stands in ends (``fences.py``); never closed, it runs to the end of the text;
- a comment, ``<!-- … -->`` or ``%% … %%``. One that opens a line hides that line as well, and never closed, hides all
  that follows. One that opens further right leaves its own line prose, and never closed, is plain text.

A comment mark in inline code opens nothing, nor does one in a tagged bullet (``- [fact] …``): what a line of the record
says can never hide the lines below it.
Lines end at LF, CRLF or CR and nowhere else. A byte order mark at the start is no part of the first line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from loreweave.notes.fences import CONTAINER, Fence, Items

_CLOSERS = {"<!--": "-->", "%%": "%%"}
_MARKS = ("```", "~~~", *_CLOSERS)
_TAGGED = re.compile(r"[ \t]*+[-*+][ \t]*+\[\w++\]")
_RUN = re.compile("`++|~++")
_FRONTMATTER = re.compile(r"(---\w*+|\+\+\+)[ \t]*+\n")


class Scan(NamedTuple):
    """A text with its line ends made LF, and its hidden stretches as pairs of offsets, each at the start of a line.

    ``open_at_end``: a line appended at the left margin would not be prose.
    ``settled``: nothing that is appended can change how this text was read.
    """

    text: str
    hidden: list[tuple[int, int]]
    open_at_end: bool
    settled: bool

    def runs(self) -> Iterator[tuple[int, list[str]]]:
        """Yield each run of prose lines: the number of its first line, from 1, and the lines without their ends."""
        text, number, at = self.text, 1, 0
        for start, end in self.hidden:
            if at < start:
                yield number, text[at : start - 1].split("\n")
            number += text.count("\n", at, end)
            at = end
        if at < len(text):
            lines = text[at:].split("\n")
            if not lines[-1]:
                lines.pop()
            yield number, lines

    def line_count(self) -> int:
        """Count the lines, hidden ones too; a last line without its end counts."""
        return self.text.count("\n") + (self.text[-1:] not in ("\n", ""))


def scan(text: str, *, from_top: bool = True) -> Scan:
    """Find the prose of a text; one that does not begin ``from_top`` of its file has no frontmatter."""
    joinable = text[-1] != "\n" if text else from_top
    if from_top and text[:1] == "\ufeff":
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    scanner = _Scanner(text)
    if from_top:
        scanner.skip_frontmatter()
    scanner.run()
    return Scan(text, scanner.hidden, scanner.open, scanner.settled and not joinable)


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prose lines of a text: their numbers, from 1, and the lines without their ends."""
    for first, lines in scan(text).runs():
        yield from enumerate(lines, first)


def open_at_end(text: str) -> bool:
    """Say whether a fence or comment is open at the end, so that an appended line would not be read as prose."""
    return scan(text).open_at_end


def reads_alone(text: str) -> bool:
    """Say whether a text appended below a settled one reads alike without it: it does not go on in a list item."""
    return text[: len(text) - len(text.lstrip(" \t\r\n"))][-1:] not in (" ", "\t")


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.hidden: list[tuple[int, int]] = []
        self.open = False
        self.settled = True
        self._ahead = dict.fromkeys(_MARKS, -1)
        self._items = Items(text, self.hidden)
        self._start, self._end, self._content = 0, -1, 0
        self._tagged = False
        self._counted, self._ticks = 0, 0

    def skip_frontmatter(self) -> None:
        opening = _FRONTMATTER.match(self.text)
        if opening is None:
            return
        closing = re.compile(rf"\n{re.escape(opening[1][:3])}[ \t]*+(?:\n|\Z)").search(self.text, opening.end() - 1)
        if closing is None:
            self.settled = False
        else:
            self._hide(0, closing.end())

    def run(self) -> None:
        while (mark := self._next_mark()) is not None:
            if self.at > self._end:
                self._enter_line()
            if mark in _CLOSERS:
                self._comment(mark)
            else:
                self._fence()

    def _enter_line(self) -> None:
        """Note where the line of the mark begins, has its content, and ends: once, however many marks it has."""
        self._start = self._counted = self.text.rfind("\n", 0, self.at) + 1
        self._end = self.text.find("\n", self.at)
        if self._end < 0:
            self._end = len(self.text)
        lead = CONTAINER.match(self.text, self._start)
        self._content = lead.end() if lead else self._start
        self._tagged = _TAGGED.match(self.text, self._start) is not None
        self._ticks = 0

    def _in_code(self) -> bool:
        self._ticks += self.text.count("`", self._counted, self.at)
        self._counted = self.at
        return self._ticks % 2 == 1

    def _next_mark(self) -> str | None:
        """Move to the nearest mark from here on."""
        ahead = self._ahead
        for mark, place in ahead.items():
            if place < self.at:
                found = self.text.find(mark, self.at)
                ahead[mark] = len(self.text) if found < 0 else found
        mark = min(ahead, key=ahead.__getitem__)
        self.at = ahead[mark]
        return mark if self.at < len(self.text) else None

    def _comment(self, mark: str) -> None:
        if self._tagged:
            self.at = self._end
            return
        if self._in_code():
            self.at += len(mark)
            return
        opens_line = self.at == self._content
        close = self.text.find(_CLOSERS[mark], self.at + 2)
        if close < 0 and not opens_line:
            self.settled = False
            self._ahead[mark] = len(self.text)
            return
        self._hide_comment(self._start if opens_line else self._end + 1, close)

    def _hide_comment(self, start: int, close: int) -> None:
        end = len(self.text) if close < 0 else self.text.find("\n", close) + 1 or len(self.text)
        if start < end:
            self._hide(start, end)
        else:
            self.at = close + 2
        if close < 0:
            self.open, self.settled = True, False

    def _fence(self) -> None:
        run = _RUN.match(self.text, self.at)
        begins, self.at = self.at, run.end() if run else self.at
        if run is None or begins != self._content:
            return
        if run[0][0] == "`" and self.text.find("`", self.at, self._end) >= 0:
            return
        found = self._items.fence(self._start, self.text[self._start : begins])
        if found is not None:
            self._hide(self._start, self._fence_end(self._end + 1, Fence(run[0], found)))

    def _fence_end(self, at: int, fence: Fence) -> int:
        text = self.text
        while at < len(text):
            end = text.find("\n", at) + 1 or len(text)
            inside = fence.inside(text[at:end].rstrip("\n"))
            if inside is None:
                return at
            if fence.is_closed_by(inside):
                return end
            at = end
        self.open = not fence.containers
        self.settled = False
        return len(text)

    def _hide(self, start: int, end: int) -> None:
        self.hidden.append((start, end))
        self.at = end
