"""A note cut into spans, the passages that are searched and shown: at its headings, and inside where a section is long.

A section runs from its heading to the next one. One of more than 40 lines or 4,000 characters is cut at blank lines,
as late as it can be. What no blank line parts is whole: a paragraph, a list, a table, and a fence or comment with the
blank lines in it. Only where such a block is too long itself is it cut, at the end of a line, and a line of more than
4,000 characters inside it, after a blank if there is one, never within a character that is written with several.

A heading alone is no span, nor is a thematic break; frontmatter is part of none. A comment is part of its span: it
states nothing, but who wrote it may look for it.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple

from loreweave.notes.model import Frontmatter, Heading, Span
from loreweave.notes.plain import LineNumbers
from loreweave.notes.scan import Scan

LINES = 40
CHARACTERS = 4_000
DIGITS = 16
"""How many digits tell one text below a heading from another."""

_SAYS_SOMETHING = re.compile(r"[^\s*_-]")
_JOINED = re.compile("[\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_JOINS_NEXT = "\u200d"
_FURTHEST_BACK = 64


class _Part(NamedTuple):
    """Lines of a note, from one to before another, counted from 0, and their text."""

    start: int
    end: int
    text: str


def spans(scan: Scan, headings: Sequence[Heading]) -> tuple[Span, ...]:
    """Cut a note into its spans, in the order of its lines."""
    cutter, found = _Cutter(scan), []
    above: list[Heading] = []
    begun = body = scan.first_line() - 1
    for heading in (*headings, None):
        end = heading.line - 1 if heading else len(cutter.lines)
        path = tuple([each.text for each in above])
        for part in cutter.section(begun, body, end):
            start, stop, text = part
            hashes = _hashes(text, cutter.below(part, body))
            found.append(Span(path[-1] if path else "", path, start + 1, stop, text, *hashes))
        if heading:
            while above and above[-1].level >= heading.level:
                above.pop()
            above.append(heading)
            begun, body = heading.line - 1, heading.end_line
    return tuple(found)


def lone_span(title: str, frontmatter: Frontmatter, headings: Sequence[Heading] = ()) -> Span:
    """Give the one span of a note that has no other: its title, a line for each property and each heading."""
    properties = [f"{name}: {', '.join([item.text for item in items])}" for name, items, *_ in frontmatter.properties]
    text = "\n".join([title, *properties, *[heading.text for heading in headings]])
    last = headings[-1].end_line if headings else max(frontmatter.end_line, 1)
    return Span("", (), 1, last, text, *_hashes(text, text))


def _hashes(text: str, below: str) -> tuple[str, str]:
    """Give the hash of a text, and the beginning of that of what stands below its heading."""
    hashed = _hash(text)
    return hashed, (hashed if below == text else _hash(below))[:DIGITS]


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class _Cutter:
    """Cuts the lines of one note; places are numbers of lines, counted from 0, and an end is the line after."""

    def __init__(self, scan: Scan) -> None:
        self.scan = scan
        self.lines = scan.text.split("\n")

    def section(self, start: int, body: int, end: int) -> Iterator[_Part]:
        """Cut a section whose heading ends before ``body``; nothing is left where nothing is said below it."""
        start, end = self._trimmed(start, end)
        if end <= body or not any(map(_SAYS_SOMETHING.search, self.lines[body:end])):
            return
        text = "\n".join(self.lines[start:end])
        if end - start <= LINES and len(text) <= CHARACTERS:
            yield _Part(start, end, text)
        else:
            yield from self._long(start, max(start, body), end)

    def below(self, part: _Part, body: int) -> str:
        """Give what a part says below the heading, which ends before ``body``; a part that is nothing else is all."""
        if part.start >= body:
            return part.text
        start, end = self._trimmed(body, part.end)
        return "\n".join(self.lines[start:end]) or part.text

    def _long(self, start: int, body: int, end: int) -> Iterator[_Part]:
        begun = stop = start
        for first, after in self._blocks(body, end):
            if self._fits(begun, after):
                stop = after
                continue
            if stop > body:
                yield from self._part(begun, stop)
                begun = first
            elif self._fits(first, after):
                begun = first
            begun, stop = (yield from self._cut(begun, first, after)), after
        yield from self._part(begun, stop)

    def _cut(self, begun: int, first: int, after: int) -> Generator[_Part, None, int]:
        """Cut a block that is too long, with the heading above it; give where what is left of it begins."""
        while not self._fits(begun, after):
            stop = begun + 1
            while stop < after and self._fits(begun, stop + 1):
                stop += 1
            if stop <= first:
                stop = first
            elif len(self.lines[begun]) > CHARACTERS:
                yield from (_Part(begun, stop, text) for text in _pieces(self.lines[begun]))
            else:
                yield from self._part(begun, stop)
            begun = stop
        return begun

    def _blocks(self, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the runs of lines that no blank line parts, of fences and the like with the blank lines in them."""
        lines = self.lines
        while at < end:
            begun = at
            while at < end and (lines[at].strip() or self._is_inside(at)):
                at += 1
            if begun < at:
                yield begun, at
            at += 1

    def _is_inside(self, line: int) -> bool:
        """Say whether a line is in a fence, a comment or the like."""
        index = bisect_right(self._stretches, (line, len(self.lines))) - 1
        return index >= 0 and line <= self._stretches[index][1]

    @cached_property
    def _stretches(self) -> list[tuple[int, int]]:
        """The first and last lines of what is not gone through line by line."""
        number = LineNumbers(self.scan.text)
        return [(number(start) - 1, number(end - 1) - 1) for start, end in self.scan.opaque()]

    @cached_property
    def _ends(self) -> list[int]:
        """How many characters stand before each line, the ends of lines counted."""
        return list(accumulate((len(line) + 1 for line in self.lines), initial=0))

    def _fits(self, start: int, end: int) -> bool:
        return end - start <= LINES and self._ends[end] - self._ends[start] <= CHARACTERS + 1

    def _part(self, start: int, end: int) -> Iterator[_Part]:
        start, end = self._trimmed(start, end)
        if start < end:
            yield _Part(start, end, "\n".join(self.lines[start:end]))

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """Leave out the blank lines at both ends."""
        while end > start and not self.lines[end - 1].strip():
            end -= 1
        while start < end and not self.lines[start].strip():
            start += 1
        return start, end


def _pieces(line: str) -> Iterator[str]:
    """Cut a line that is too long, after a blank in the second half of what fits, or between two characters."""
    at = 0
    while at < len(line):
        end = at + CHARACTERS
        if end < len(line):
            blank = line.rfind(" ", at + CHARACTERS // 2, end)
            end = blank + 1 if blank >= 0 else _between_characters(line, end)
        yield line[at:end]
        at = end


def _between_characters(line: str, end: int) -> int:
    """Go back from a place inside a character that is written with several to where that begins."""
    for at in range(end, end - _FURTHEST_BACK, -1):
        here = line[at]
        is_joined = _JOINED.match(here) or line[at - 1] == _JOINS_NEXT or unicodedata.category(here)[0] == "M"
        if not is_joined:
            return at
    return end
