"""Which lines of a Markdown text are prose: one pass that jumps from marker to marker.

A line is hidden, not prose, where it begins inside

- frontmatter: a first line ``---`` (a word may follow, as in ``---js``) or ``+++``, up to the same mark alone on a
  line. A thematic break that begins a note is not frontmatter: nothing closes it, or an empty line follows it and no
  ``key:``;
- a code fence, as CommonMark has it: in list items and quotes too, which end it where they end; never closed, it runs
  to the end of the text;
- a comment, ``<!-- … -->`` or ``%% … %%``. One that opens a line hides that line as well, and never closed, hides all
  that follows. One that opens further right leaves its own line prose, and never closed, is plain text. An HTML comment
  ends where what it stands in ends: its list item or quote, or its paragraph if it opens inside a line.

A comment mark in inline code opens nothing, nor does one in a tagged bullet (``- [fact] …``): what a line of the record
says can never hide the lines below it.
Lines end at LF, CRLF or CR and nowhere else. A byte order mark at the start is no part of the first line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from loreweave.notes.scanner import Scanner

_FIRST = re.compile(r"[-*+][ \t]++\S")


class Scan(NamedTuple):
    """A text with its line ends made LF, and its hidden stretches as pairs of offsets, each at the start of a line.

    ``inner`` tells of a stretch, by its start, what comment mark in the line above opens it.
    ``raw`` are those of HTML that only its own end closes, as a script is; their lines count as prose.
    ``body`` is where the text below the frontmatter begins.
    ``open_at_end``: a line appended at the left margin would not be prose.
    ``settled``: nothing that is appended can change how this text was read.
    """

    text: str
    hidden: list[tuple[int, int]]
    raw: list[tuple[int, int]]
    inner: dict[int, int]
    body: int
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

    def first_line(self) -> int:
        """Count the line, from 1, where the text below the frontmatter begins."""
        return self.text.count("\n", 0, self.body) + 1 + (self.text[self.body - 1 : self.body] not in ("\n", ""))

    def line_count(self) -> int:
        """Count the lines, hidden ones too; a last line without its end counts."""
        return self.text.count("\n") + (self.text[-1:] not in ("\n", ""))

    def opaque(self) -> list[tuple[int, int]]:
        """Give the hidden stretches and the raw ones in the order of the text."""
        return sorted([*self.hidden, *self.raw]) if self.raw else self.hidden


def scan(text: str, *, from_top: bool = True) -> Scan:
    """Find the prose of a text; one that does not begin ``from_top`` of its file has no frontmatter."""
    joinable = text[-1] != "\n" if text else from_top
    if from_top and text[:1] == "\ufeff":
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    scanner = Scanner(text)
    if from_top:
        scanner.skip_frontmatter()
    scanner.run()
    settled = scanner.settled and not joinable
    return Scan(text, scanner.hidden, scanner.raw, scanner.inner, scanner.body, scanner.open, settled)


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prose lines of a text: their numbers, from 1, and the lines without their ends."""
    for first, lines in scan(text).runs():
        yield from enumerate(lines, first)


def open_at_end(text: str) -> bool:
    """Say whether a fence or comment is open at the end, so that an appended line would not be read as prose."""
    return scan(text).open_at_end


def reads_alone(text: str) -> bool:
    """Say whether a text appended below a settled one reads alike without it: it goes on nothing that stands there."""
    begun = text.lstrip(" \t\r\n")
    above = text[: len(text) - len(begun)]
    return above[-1:] not in (" ", "\t") and (above != "" or _FIRST.match(begun) is not None)
