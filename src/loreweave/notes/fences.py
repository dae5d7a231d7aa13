"""Code fences: what one stands in, list items and quotes from the outside in, and where it ends.

Columns are counted with tabs at every fourth. A quote is left by a line without its ``>``, a list item by a line that
is not blank and begins before its content: what a fence stands in ends it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

Containers = tuple[int, ...]
"""From the outside in: for a list item the columns from what holds it to its content, for a quote ``QUOTE``."""

QUOTE = 0
TAB = 4
CONTAINER = re.compile(r"[ \t]*+(?:>[ \t]*+|(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)*+")
_PIECE = re.compile(r"( *+)(?:(>) ?+|(?:[-*+]|[0-9]{1,9}[.)])(?: {1,4}(?! )| ))")
_QUOTE = re.compile(r" *+> ?+")
_BREAK = re.compile(r"[ \t]*+([-*_])(?:[ \t]*+\1){2,}+[ \t]*+$", re.MULTILINE)
_CLOSING = re.compile(r" {0,3}(`{3,}+|~{3,}+) *+\Z")


class Fence(NamedTuple):
    """An open fence: its mark, as long as it was written, and what it stands in."""

    mark: str
    containers: Containers

    def inside(self, line: str) -> str | None:
        """Give what a line says in there; None where it is outside, so that the fence has ended above it."""
        line = line.expandtabs(TAB)
        for width in self.containers:
            if width == QUOTE:
                found = _QUOTE.match(line)
                if found is None:
                    return None
                line = line[found.end() :]
            elif line[:width].strip(" "):
                return None
            else:
                line = line[width:]
        return line

    def is_closed_by(self, inside: str) -> bool:
        """Say whether this is a fence of the same character at least as long, and nothing else."""
        found = _CLOSING.match(inside)
        return found is not None and found[1].startswith(self.mark)


def containers(head: str, outer: int) -> Containers | None:
    """Give what stands open after ``head``, the blanks and marks that begin a line, its tabs made blanks.

    ``outer`` is the column of the list item the line goes on in, or 0. None: it is too far in, and so it is code. In a
    quote nothing is: a list item of the quote may stand further up.
    """
    found = [outer] if outer else []
    at = outer
    while piece := _PIECE.match(head, at):
        if len(piece[1]) >= TAB and QUOTE not in found:
            return None
        found.append(QUOTE if piece[2] else piece.end() - at)
        at = piece.end()
    rest = head[at:]
    return tuple(found) if QUOTE in found or (len(rest) < TAB and not rest.strip(" ")) else None


class Items:
    """The list items that are open at a place of a text, found by walking up to the last line at the left margin.

    Places are asked for in order, and no line is walked over twice. ``hidden`` is the scanner's own list; of a hidden
    stretch only the first line counts.
    """

    def __init__(self, text: str, hidden: list[tuple[int, int]]) -> None:
        self.text, self.hidden = text, hidden
        self._fences: dict[int, tuple[int, Containers]] = {}
        self._at = 0
        self._columns: list[int] = []
        self._in_paragraph = False

    def fence(self, start: int, head: str) -> Containers | None:
        """Give what a fence in the line at ``start`` stands in, after ``head``; None where it is none."""
        head = head.expandtabs(TAB)
        outer = 0
        if width := len(head) - len(head.lstrip(" ")):
            self._walk(start)
            outer = self._holding(width)
        found = containers(head, outer)
        if found is not None:
            self._fences[start] = outer, found
        return found

    def _walk(self, start: int) -> None:
        at, hidden, lines = start, len(self.hidden), []
        while at > self._at:
            if hidden and self.hidden[hidden - 1][1] == at:
                hidden -= 1
                at = self.hidden[hidden][0]
            else:
                at = self.text.rfind("\n", 0, at - 1) + 1
            lines.append(at)
            if self.text[at] not in " \t\n":
                self._columns.clear()
                break
        for at in reversed(lines):
            self._pass(at)
        self._at = start

    def _pass(self, at: int) -> None:
        """Take one line, or the fence that begins there, into account."""
        if (fence := self._fences.get(at)) is not None:
            self._open(*fence)
            self._in_paragraph = False
            return
        lead = CONTAINER.match(self.text, at)
        head = lead[0].expandtabs(TAB) if lead else ""
        width = len(head) - len(head.lstrip(" "))
        end = at + len(lead[0]) if lead else at
        is_blank = width == len(head) and self.text[end : end + 1] in ("\n", "")
        outer = self._holding(width)
        if _BREAK.match(self.text, at):
            self._open(outer)
        elif width < len(head):
            if (found := containers(head, outer)) is not None:
                self._open(outer, found)
        elif not (self._in_paragraph or is_blank):
            self._open(outer)
        self._in_paragraph = not is_blank

    def _holding(self, width: int) -> int:
        found = bisect_right(self._columns, width)
        return self._columns[found - 1] if found else 0

    def _open(self, outer: int, pieces: Containers = ()) -> None:
        """Leave the items further in than ``outer``, and enter those of ``pieces`` that stand in no quote."""
        del self._columns[bisect_right(self._columns, outer) :]
        column = 0
        for width in pieces:
            if width == QUOTE:
                return
            column += width
            if column > outer:
                self._columns.append(column)
