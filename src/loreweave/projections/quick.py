"""The short way through a slot of one claim, or of single claims of which no explicit interval is overlapped.

Most slots are such: claims that are stated, also with backdated values, corrections and closes, or claims that one
note makes. Each row then changes at most two intervals. Where a row could bring an older interval back, or two rows
share a record instant, the slot is folded on its plane instead. Both ways give the same beliefs (a law).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from loreweave.events.model import RANKS
from loreweave.projections.plane import Rectangle
from loreweave.projections.rows import ASSERTED, CLOSE, INF, NOTED, STATED_AS_NOTED, Rows

_STATED = RANKS["stated"]


def fold_simple(rows: Rows, low: int, high: int, ineffective: list[int]) -> list[Rectangle] | None:
    """Fold rows [low, high) of one slot; None where the short way does not do.

    Closes without effect are added to ``ineffective``.
    """
    if high - low == 1 and rows.kind[low] <= NOTED:
        return [Rectangle(rows.recorded[low], rows.start[low], rows.until[low], low, -1, INF)]
    recorded, many = rows.recorded, rows.many
    line = _Line(rows)
    before = -INF
    for row in range(low, high):
        now = recorded[row]
        if now == before or many[row]:
            return None
        before = now
        if _is_like(rows, row, low):
            fits = line.state(row, now)
        elif rows.kind[row] == CLOSE and rows.kind[low] != NOTED:
            fits = line.close(row, now)
        else:
            return None
        if not fits:
            return None
    ineffective += line.idle
    return line.finish()


def _is_like(rows: Rows, row: int, first: int) -> bool:
    """Tell whether a row is a stated claim, or one of the note whose claim is the first of the slot."""
    kind = rows.kind[row]
    if kind == ASSERTED:
        return rows.kind[first] != NOTED and rows.rank[row] == _STATED
    return kind == NOTED == rows.kind[first] and rows.note[row] == rows.note[first] != STATED_AS_NOTED


class _Line:
    """The valid timeline as parallel lists by start: alive row, end, what ended it, since when that is known."""

    __slots__ = ("_alive", "_beliefs", "_ended_by", "_ends", "_rows", "_since", "_starts", "idle")

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._beliefs: list[Rectangle] = []
        self._starts: list[int] = []
        self._alive: list[int] = []
        self._ends: list[int] = []
        self._ended_by: list[int] = []
        self._since: list[int] = []
        self.idle: list[int] = []

    def state(self, row: int, now: int) -> bool:
        """Take in an assertion; False where it overlaps an explicit interval."""
        start, until, starts = self._rows.start[row], self._rows.until[row], self._starts
        i = bisect_left(starts, start)
        again = i < len(starts) and starts[i] == start
        after = i + again
        following = starts[after] if after < len(starts) else INF
        if following < until < INF or not self._make_way(i, start, row, now):
            return False
        ended_by = self._alive[after] if until == INF and following < INF else -1
        if again:
            self._settle(i, now)
        else:
            for column in (starts, self._alive, self._ends, self._ended_by, self._since):
                column.insert(i, start)
        self._alive[i], self._ends[i], self._ended_by[i], self._since[i] = row, min(until, following), ended_by, now
        return True

    def close(self, row: int, now: int) -> bool:
        """Take in a close; False where it falls on an end, whose cause it then shares."""
        instant, wanted = self._rows.until[row], self._rows.object[row]
        i = bisect_right(self._starts, instant) - 1
        if i < 0:
            self.idle.append(row)
            return True
        if self._ends[i] == instant or (i and self._starts[i] == instant == self._ends[i - 1]):
            return False
        if self._ends[i] < instant or (wanted >= 0 and self._rows.object[self._alive[i]] != wanted):
            self.idle.append(row)
            return True
        self._settle(i, now)
        self._ends[i], self._ended_by[i], self._since[i] = instant, row, now
        return True

    def finish(self) -> list[Rectangle]:
        """Give the beliefs of the slot."""
        for i in range(len(self._starts)):
            self._settle(i, INF)
        return self._beliefs

    def _make_way(self, i: int, start: int, row: int, now: int) -> bool:
        """End the claim before at the start of a new one, or let it know by which it is ended now."""
        if not i:
            return True
        end = self._ends[i - 1]
        if end > start:
            if self._rows.until[self._alive[i - 1]] < INF:
                return False
        elif end < start or i == len(self._starts) or self._ended_by[i - 1] != self._alive[i]:
            return True
        self._settle(i - 1, now)
        self._ends[i - 1], self._ended_by[i - 1], self._since[i - 1] = start, row, now
        return True

    def _settle(self, i: int, known_until: int) -> None:
        start, end = self._starts[i], self._ends[i]
        if start < end:
            self._beliefs.append(Rectangle(self._since[i], start, end, self._alive[i], self._ended_by[i], known_until))
