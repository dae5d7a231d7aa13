"""The short way through a slot whose claims are stated, single and come in order of start.

Most slots are such: each row touches the last interval only. Where a row would reach further back,
or two rows share a record instant, the slot is folded on its plane instead. Both ways give the same
beliefs (a law).
"""

from __future__ import annotations

from loreweave.projections.claims import ASSERTED, CLOSE, INF, Rows
from loreweave.projections.plane import Rectangle

STATED = 3


def fold_in_order(rows: Rows, low: int, high: int, ineffective: list[int]) -> list[Rectangle] | None:
    """Fold rows [low, high) of one slot; None where the short way does not do.

    Closes without effect are added to ``ineffective``.
    """
    line = _Line(rows)
    for row in range(low, high):
        kind = rows.kind[row]
        if rows.recorded[row] == line.known or rows.many[row]:
            return None
        if kind == ASSERTED and rows.rank[row] == STATED:
            fits = line.state(row)
        elif kind == CLOSE and rows.object[row] < 0:
            fits = line.close(row)
        else:
            return None
        if not fits:
            return None
    ineffective += line.idle
    return line.finish()


class _Line:
    """The last claim of the slot, [start, end) of it, and all that is settled before."""

    __slots__ = ("_beliefs", "_end", "_ended_by", "_row", "_rows", "_since", "_start", "_succeeds", "idle", "known")

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._beliefs: list[Rectangle] = []
        self._row = self._ended_by = -1
        self._start = self._end = self._since = self.known = -INF
        self._succeeds = False
        self.idle: list[int] = []

    def state(self, row: int) -> bool:
        """Take in an assertion; False where it reaches back."""
        rows, start, end = self._rows, self._start, self._end
        begins, self.known = rows.start[row], rows.recorded[row]
        if begins < start or (begins == start and self._succeeds):
            return False
        if begins > start:
            self._succeeds = begins < end
            if begins >= end:
                self._settle(INF)
            elif rows.until[self._row] < INF:
                return False
            else:
                self._part(begins, row)
        else:
            self._settle(self.known)
        self._row, self._start, self._end = row, begins, rows.until[row]
        self._ended_by, self._since = -1, self.known
        return True

    def close(self, row: int) -> bool:
        """Take in a close of the whole slot; False where it reaches back."""
        instant, self.known = self._rows.until[row], self._rows.recorded[row]
        if self._row < 0 or instant >= self._end:
            self.idle.append(row)
            return True
        if instant < self._start:
            return False
        self._settle(self.known)
        self._end, self._ended_by, self._since = instant, row, self.known
        return True

    def finish(self) -> list[Rectangle]:
        """Give the beliefs of the slot."""
        self._settle(INF)
        return self._beliefs

    def _part(self, begins: int, row: int) -> None:
        self._settle(self.known)
        self._beliefs.append(Rectangle(self.known, self._start, begins, self._row, row, INF))

    def _settle(self, known_until: int) -> None:
        if self._start < self._end:
            self._beliefs.append(Rectangle(self._since, self._start, self._end, self._row, self._ended_by, known_until))
