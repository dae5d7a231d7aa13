"""Which lines of a Markdown text are prose: one pass that jumps from marker to marker.

A line is hidden, not prose, where it begins inside

- frontmatter: a first line ``---`` (a word may follow, as in ``---js``) or ``+++``, up to the same mark alone on a
  line; a leading thematic break that nothing closes is not frontmatter;
- a code fence of three or more backticks or tildes, in list items and quotes too, less than four columns further in
  than what it stands in. It ends at a fence of the same character at least as long, or where its list item or quote
  ends; never closed, it runs to the end of the text;
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

_CLOSERS = {"<!--": "-->", "%%": "%%"}
_MARKS = ("```", "~~~", *_CLOSERS)
_CONTAINER = re.compile(r"[ \t]*+(?:>[ \t]*+|(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)*+")
_ITEM = re.compile(r"[ \t]*+(?:[-*+]|[0-9]{1,9}[.)])[ \t]++")
_TAGGED = re.compile(r"[ \t]*+[-*+][ \t]*+\[\w++\]")
_CLOSING_FENCE = re.compile(r"([ \t>]*+)(`{3,}+|~{3,}+)[ \t]*+\Z")
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
    joinable = text[-1:] not in ("\n", "")
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


class _Fence(NamedTuple):
    mark: str
    quoted: bool
    indent: int
    """Columns to the content of the list item the fence stands in, 0 where it stands in none."""

    def is_left_at(self, line: str) -> bool:
        body = line.lstrip(" \t")
        if self.quoted:
            return not body.startswith(">")
        return bool(body) and self.indent > 0 and _indent(line) < self.indent

    def is_closed_by(self, line: str) -> bool:
        found = _CLOSING_FENCE.match(line)
        if found is None or not found[2].startswith(self.mark):
            return False
        return self.quoted or (">" not in found[1] and _width(found[1]) < self.indent + 4)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.hidden: list[tuple[int, int]] = []
        self.open = False
        self.settled = True
        self._ahead = dict.fromkeys(_MARKS, -1)
        self._fences: dict[int, int] = {}

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
            start = self.text.rfind("\n", 0, self.at) + 1
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            if mark in _CLOSERS:
                self._comment(mark, start, end)
            else:
                self._fence(start, end)

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

    def _comment(self, mark: str, start: int, end: int) -> None:
        head = self.text[start : self.at]
        if _TAGGED.match(self.text, start):
            self.at = end
            return
        if head.count("`") % 2:
            self.at += len(mark)
            return
        opens_line = _CONTAINER.fullmatch(head) is not None
        close = self.text.find(_CLOSERS[mark], self.at + 2)
        if close < 0 and not opens_line:
            self.settled = False
            self._ahead[mark] = len(self.text)
            return
        self._hide_comment(start if opens_line else end + 1, close)

    def _hide_comment(self, start: int, close: int) -> None:
        end = len(self.text) if close < 0 else self.text.find("\n", close) + 1 or len(self.text)
        if start < end:
            self._hide(start, end)
        else:
            self.at = close + 2
        if close < 0:
            self.open, self.settled = True, False

    def _fence(self, start: int, end: int) -> None:
        head, mark = self.text[start : self.at], self.text[self.at]
        self.at = after = end - len(self.text[self.at : end].lstrip(mark))
        if _CONTAINER.fullmatch(head) is None or (mark == "`" and "`" in self.text[after:end]):
            return
        fence = _Fence(mark * (after - start - len(head)), ">" in head, self._item_indent(start, head))
        if not head.strip(" \t") and _width(head) >= fence.indent + 4:
            return
        if not fence.quoted or head[0] == ">":
            self._fences[start] = fence.indent
        self._hide(start, self._fence_end(end + 1, fence))

    def _fence_end(self, at: int, fence: _Fence) -> int:
        text = self.text
        while at < len(text):
            end = text.find("\n", at) + 1 or len(text)
            line = text[at:end].rstrip("\n")
            if fence.is_left_at(line):
                return at
            if fence.is_closed_by(line):
                return end
            at = end
        self.open = not (fence.quoted or fence.indent)
        self.settled = False
        return len(text)

    def _item_indent(self, start: int, head: str) -> int:
        """Give the content column of the list item around a fence: on its own line, or looked for upwards."""
        if ">" in head:
            return 0
        if head.strip(" \t"):
            return _width(head)
        width, hidden = _width(head), len(self.hidden)
        while start > 0 and width > 0:
            if hidden and self.hidden[hidden - 1][1] == start:
                hidden -= 1
                start = self.hidden[hidden][0]
                known = self._fences.get(start)
                if known is not None and known <= width:
                    return known
                continue
            end, start = start - 1, self.text.rfind("\n", 0, start - 1) + 1
            line = self.text[start:end]
            item = _ITEM.match(line)
            if item is not None and _width(item[0]) <= width:
                return _width(item[0])
            if line[:1].strip():
                return 0
        return 0

    def _hide(self, start: int, end: int) -> None:
        self.hidden.append((start, end))
        self.at = end


def _indent(line: str) -> int:
    return _width(line[: len(line) - len(line.lstrip(" \t"))])


def _width(head: str) -> int:
    return len(head.expandtabs(4))
