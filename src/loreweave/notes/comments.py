"""HTML comments that begin inside a line: they end within their paragraph, or are none."""

from __future__ import annotations

from loreweave.notes.inline import COMMENT, in_paragraph
from loreweave.notes.nesting import HTML, PARAGRAPH, Nesting


class Comments:
    """The comments of a text, asked for from its top down; ``nesting`` moves along."""

    def __init__(self, text: str, nesting: Nesting) -> None:
        self.text, self.nesting = text, nesting
        self._closing = 0
        self._ends: dict[int, int] = {}
        self._known_to = 0

    def closing(self, at: int) -> int:
        """Find the next ``-->`` after the mark at a place; the length of the text where there is none."""
        if self._closing < at + 2:
            found = self.text.find("-->", at + 2)
            self._closing = found if found >= 0 else len(self.text)
        return self._closing

    def end(self, line: int, at: int) -> int | None:
        """Give the end of the comment that begins at a place of a line; None where it is none."""
        if at >= self._known_to:
            self._read(line, at)
        return self._ends.get(at)

    def _read(self, line: int, at: int) -> None:
        close, self._ends = self.closing(at), {}
        gap = self.text.find("\n\n", at, close)
        if gap >= 0:
            self._known_to = gap
            return
        leaf = self.nesting.leaf_at(line)
        self._known_to = self.text.find("\n", at)
        if leaf == HTML:
            self._ends[at] = close + 3
        elif leaf == PARAGRAPH:
            begun, self._known_to = self.nesting.paragraph, self.nesting.end_of_leaf()
            stretches = in_paragraph(self.text, begun, self._known_to)
            self._ends = {start: end for kind, start, end in stretches if kind == COMMENT}
