"""The headings that cut a note into sections: ``# …``, and lines underlined with ``===`` or ``---``.

They are those of CommonMark that stand in nothing else. One in a list item or a quote heads that item or quote and
cuts no section, and none stands in code, comments, frontmatter or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from loreweave.notes.model import Heading
from loreweave.notes.nesting import HEADING, UNDERLINE, Nesting, without_definitions
from loreweave.notes.scan import Scan
from loreweave.notes.scanner import may_hold_html

_MARK = re.compile(r"\n {0,3}(?:(#{1,6})(?=[ \t\n]|\Z)|[=-]++[ \t]*+(?=\n|\Z))")
_NONE = (1 << 62, 1 << 62)
_FIRST = re.compile(r" {0,3}(#{1,6})(?=[ \t\n]|\Z)")


def headings(scan: Scan) -> tuple[Heading, ...]:
    """Find the headings of a note, in the order of its lines."""
    text, line, at, found = scan.text, 1, 0, []
    reader = _Reader(scan)
    for mark, start in _marks(scan):
        hashes = mark[1]
        words, begun = reader.beside(mark, start) if hashes else reader.above(start)
        if words is not None:
            line += text.count("\n", at, begun)
            last = line + text.count("\n", begun, start) if begun < start else line
            found.append(Heading(len(hashes) if hashes else 1 if "=" in mark[0] else 2, words, line, last))
            at = begun
    return tuple(found)


def _marks(scan: Scan) -> Iterator[tuple[re.Match[str], int]]:
    """Yield the marks of what may be headings, and where their lines begin."""
    if first := _FIRST.match(scan.text):
        yield first, 0
    stretches = iter(scan.opaque())
    start, end = next(stretches, _NONE)
    for mark in _MARK.finditer(scan.text):
        at = mark.start() + 1
        while end <= at:
            start, end = next(stretches, _NONE)
        if at < start:
            yield mark, at


class _Reader:
    def __init__(self, scan: Scan) -> None:
        self.scan, self.text = scan, scan.text
        self._may_hold_html = may_hold_html(scan.text)

    @cached_property
    def _nesting(self) -> Nesting:
        return Nesting(self.text, self.scan.opaque(), self.scan.inner)

    def beside(self, mark: re.Match[str], start: int) -> tuple[str | None, int]:
        """Read what stands beside the ``#``s of a line; None where it is no heading that stands in nothing."""
        text, at = self.text, mark.end()
        if (at - start > len(mark[1]) or self._may_hold_html) and not self._stands_alone(mark, start):
            return None, start
        end = text.find("\n", at)
        words = text[at : end if end >= 0 else len(text)].strip(" \t")
        if words[-1:] == "#" and (unclosed := words.rstrip("#"))[-1:] in ("", " ", "\t"):
            words = unclosed.rstrip(" \t")
        return words, start

    def _stands_alone(self, mark: re.Match[str], start: int) -> bool:
        if mark.end() - start == len(mark[1]) and self.text.endswith("\n\n", 0, start):
            return True
        return self._nesting.leaf_at(start) == HEADING and not self._nesting.containers

    def above(self, start: int) -> tuple[str | None, int]:
        """Read the paragraph that is underlined at a place, and where it begins; None where none is."""
        text = self.text
        if text.endswith("\n\n", 0, start):
            return None, start
        if self._nesting.leaf_at(start) != UNDERLINE or self._nesting.containers:
            return None, start
        paragraph = without_definitions(text[self._nesting.paragraph : start])
        words = " ".join([line.strip(" \t") for line in paragraph.strip().split("\n")])
        return words, start - len(paragraph)
