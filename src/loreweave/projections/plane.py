"""The belief plane of one sub-slot: its valid timeline, moved on from one record instant to the next.

Only the stretch of valid time that a record instant can change is drawn again, so the work follows
what changes and not what is known. The words are those of ``docs/semantics.md``: visible claims,
same start, reach, closes, value.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from loreweave.projections.claims import Claims
from loreweave.projections.draw import Drawn, draw
from loreweave.projections.rows import ASSERTED, CLOSE, INF, NOTED, RETRACT, Rows


class Segment(NamedTuple):
    """One interval of the timeline: the row that wins it, what set its end, and since when we know."""

    start: int
    end: int
    row: int
    ended_by: int
    known_from: int


class Rectangle(NamedTuple):
    """A belief: a segment over the record instants for which it stayed the same; -1 for no ``ended_by``."""

    known_from: int
    start: int
    end: int
    row: int
    ended_by: int
    known_until: int


class Plane:
    """The state of one sub-slot at the latest record instant applied, and the beliefs that are past."""

    __slots__ = ("beliefs", "claims", "effective", "segments", "starts")

    def __init__(self, rows: Rows, first: dict[int, int]) -> None:
        self.claims = Claims(rows, first)
        self.effective = self.claims.effective
        self.segments: list[Segment] = []
        self.starts: list[int] = []
        self.beliefs: list[Rectangle] = []

    def apply(self, batch: Sequence[int]) -> None:
        """Take in all rows of one record instant, which act together; ``batch`` is in order."""
        claims = self.claims
        kinds = claims.rows.kind
        closes = []
        for row in batch:
            kind = kinds[row]
            if kind <= NOTED:
                claims.state(row)
            elif kind == CLOSE:
                closes.append(row)
            elif kind == RETRACT:
                claims.retract(row)
            else:
                claims.withdraw(row)
        claims.settle()
        for row in closes:
            claims.close(row)
        stretch = claims.take_changed()
        if stretch is not None:
            covered = len(batch) == 1 and claims.covers(batch[0], *stretch)
            self._redraw(*stretch, claims.rows.recorded[batch[0]], batch[0] if covered else -1)

    def finish(self) -> list[Rectangle]:
        """Give every belief of the sub-slot, those still held with ``known_until`` INF."""
        held = [Rectangle(s.known_from, s.start, s.end, s.row, s.ended_by, INF) for s in self.segments]
        return self.beliefs + held

    def _redraw(self, low: int, high: int, recorded: int, winner: int) -> None:
        """Draw [low, high] again, with what touches it, and let go of the beliefs that changed.

        ``winner`` is the row that wins all of it, -1 where that has to be found out.
        """
        segments = self.segments
        i = bisect_left(self.starts, low)
        if i and segments[i - 1].end >= low:
            i -= 1
        j = bisect_right(self.starts, high)
        old = segments[i:j]
        if winner >= 0:
            drawn = _painted(old, low, high, winner)
        else:
            drawn = draw(self.claims, min([low, *(s.start for s in old[:1])]), max([high, *(s.end for s in old[-1:])]))
        if not drawn and not old:
            return
        end = drawn[-1][1] if drawn else high
        after = segments[j].row if j < len(segments) and segments[j].start == end else -1
        fresh = self._segments(drawn, after, recorded)
        kept = {segment[:4]: segment.known_from for segment in old}
        for k, segment in enumerate(fresh):
            known_from = kept.pop(segment[:4], None)
            if known_from is not None:
                fresh[k] = segment._replace(known_from=known_from)
        for (start, end, row, ended_by), known_from in kept.items():
            self.beliefs.append(Rectangle(known_from, start, end, row, ended_by, recorded))
        segments[i:j] = fresh
        self.starts[i:j] = [segment.start for segment in fresh]

    def _segments(self, drawn: list[Drawn], after: int, recorded: int) -> list[Segment]:
        """Tell what ended each interval drawn; ``after`` is the row that wins after the last, -1 for none."""
        following = [*(row for _, _, row in drawn[1:]), after]
        return [
            Segment(start, end, row, self._ended_by(row, end, then), recorded)
            for (start, end, row), then in zip(drawn, following, strict=False)
        ]

    def _ended_by(self, row: int, end: int, following: int) -> int:
        """Give the row that set this end: a close or the claim that takes over, of several the first recorded."""
        claims, rows = self.claims, self.claims.rows
        if end == INF or rows.until[row] == end:
            return -1
        causes = []
        if claims.end[row] == end:
            causes = claims.closes.at(end, row)
            if rows.until[row] == INF:
                causes.append(claims.layers[rows.kind[row]].alive.get(end, INF))
        if following >= 0 and rows.start[following] == end and self._displaces(following, row):
            causes.append(following)
        if not causes:
            causes.append(claims.layers[ASSERTED].alive.get(end, INF))
        cause = min(causes)
        return -1 if cause == INF else cause

    def _displaces(self, later: int, row: int) -> bool:
        """Tell whether a claim that starts within the reach of another takes its place."""
        kinds = self.claims.rows.kind
        if kinds[later] != kinds[row]:
            return kinds[later] == ASSERTED
        return self.claims.priority(later) > self.claims.priority(row)


def _painted(old: list[Segment], low: int, high: int, winner: int) -> list[Drawn]:
    """Lay one interval over what stands, of which it leaves what is before and after it."""
    before = [(s.start, min(s.end, low), s.row) for s in old if s.start < low]
    after = [(max(s.start, high), s.end, s.row) for s in old if s.end > high]
    return [*before, (low, high, winner), *after]
