"""The prose of a note alone: all else made blanks, so that offsets stay and one search finds what is meant as such.

No prose is: frontmatter, code in fences, by indentation or between backticks, comments, HTML tags with what they say
of themselves, and scripts, styles and what is marked as preformatted. What stands between other tags is prose, even in
HTML that Markdown does not look into, and so is maths between dollars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loreweave.notes.indented import indented_code
from loreweave.notes.inline import BLOCK, CODE, CODE_IN_LINE, COMMENT, MARKUP, Inline, Stretch, in_paragraph
from loreweave.notes.nesting import HTML, PARAGRAPH, Nesting
from loreweave.notes.scan import Scan

_MARK = re.compile(r"\\|`|<(?=[A-Za-z/!?])|%%")
_BLANKS = {code: "\n" if code == 10 else " " for code in range(128)}
_BEGUN = re.compile(r"`|</?[A-Za-z]|<[!?]")


def plain(scan: Scan) -> str:
    """Give a text as long as that of the scan, in which all but prose and the ends of lines is blank."""
    text, at = scan.text, 0
    parts: list[str] = []
    for stretch in not_prose(scan):
        parts += text[at : stretch.start], _blank(text[stretch.start : stretch.end])
        at = stretch.end
    return "".join([*parts, text[at:]])


def not_prose(scan: Scan) -> Iterator[Stretch]:
    """Yield the stretches of a text that are no prose, in its order."""
    reader, at = _Reader(scan), 0
    for start, end in sorted([*scan.opaque(), *indented_code(scan)]):
        yield from reader.inside(at, start)
        yield Stretch(BLOCK, start, end)
        at = end
    yield from reader.inside(at, len(scan.text))


class LineNumbers:
    """The line of an offset, from 1: ``numbers(offset)``, cheap for offsets near the one asked for before."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._at, self._line = 0, 1

    def __call__(self, offset: int) -> int:
        """Count the line of an offset."""
        if offset >= self._at:
            self._line += self.text.count("\n", self._at, offset)
        else:
            self._line -= self.text.count("\n", offset, self._at)
        self._at = offset
        return self._line


def _blank(text: str) -> str:
    if "\n" not in text:
        return " " * len(text)
    if text.isascii():
        return text.translate(_BLANKS)
    return "\n".join([" " * len(line) for line in text.split("\n")])


class _Reader:
    def __init__(self, scan: Scan) -> None:
        self.text = scan.text
        self._inner = scan.inner
        self._nesting = Nesting(scan.text, scan.opaque(), scan.inner)
        self._line = Inline(self.text, -1)
        self._known_to = 0
        self._known: dict[int, Stretch] = {}

    def inside(self, at: int, end: int) -> Iterator[Stretch]:
        """Yield what is no prose among the lines between two places."""
        while found := _MARK.search(self.text, at, end):
            at = found.start()
            if code := CODE_IN_LINE.match(self.text, at, end):
                yield Stretch(CODE, at, code.end())
                at = code.end()
                continue
            stretch = self._percents(at) if found[0] == "%%" else self._stretch(at)
            if isinstance(stretch, Stretch):
                yield stretch if stretch.end <= end else Stretch(stretch.kind, at, end)
                at = stretch.end
            else:
                at = stretch

    def _enter_line(self, at: int) -> int:
        """Give the end of the line of a place."""
        if at >= self._line.end:
            end = self.text.find("\n", at)
            self._line = Inline(self.text, end if end >= 0 else len(self.text))
        return self._line.end

    def _percents(self, at: int) -> Stretch | int:
        end = self._enter_line(at)
        close = self.text.find("%%", at + 2, end)
        if close >= 0:
            return Stretch(COMMENT, at, close + 2)
        return Stretch(COMMENT, at, end) if self._inner.get(end + 1) == at else at + 2

    def _stretch(self, at: int) -> Stretch | int:
        """Read a mark with its line alone, and where it may go on below, with its paragraph."""
        end = self._enter_line(at)
        found = self._line.stretch(at)
        if isinstance(found, Stretch) or _BEGUN.match(self.text, at) is None:
            return found
        if self.text.startswith("<!--", at):
            return Stretch(COMMENT, at, end) if self._inner.get(end + 1) == at else found
        if at >= self._known_to:
            self._read(at)
        return self._known.get(at, found)

    def _read(self, at: int) -> None:
        """Read the paragraph, or HTML, that a place is in."""
        text, nesting = self.text, self._nesting
        leaf = nesting.leaf_at(text.rfind("\n", 0, at) + 1)
        stretches: Iterator[Stretch] = iter(())
        self._known_to = self._line.end
        if leaf == PARAGRAPH:
            begun, self._known_to = nesting.paragraph, nesting.end_of_leaf()
            stretches = in_paragraph(text, begun, self._known_to)
        elif leaf == HTML:
            self._known_to = nesting.end_of_leaf()
            stretches = (found for found in Inline(text, self._known_to).stretches(at) if found.kind == MARKUP)
        self._known = {found.start: found for found in stretches}
