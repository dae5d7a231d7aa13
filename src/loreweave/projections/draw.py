"""Drawing a stretch of the valid timeline: at each instant the claim that gives the value."""

from __future__ import annotations

from bisect import bisect_right
from heapq import heappop, heappush
from itertools import pairwise

from loreweave.projections.claims import Claims
from loreweave.projections.rows import ASSERTED, INF, NOTED

Drawn = tuple[int, int, int]
"""start, end, row"""


def draw(claims: Claims, low: int, high: int) -> list[Drawn]:
    """Give the maximal intervals within [low, high) on which one claim wins, in order of valid time."""
    asserted = claims.reaching(ASSERTED, low, high)
    noted = claims.reaching(NOTED, low, high) if claims.layers[NOTED].starts else []
    if not noted and len(asserted) <= 1:
        return [clip for row in asserted if (clip := _clip(claims, row, low, high))[0] < clip[1]]
    points = {low, high}
    for row in asserted + noted:
        points.add(max(low, claims.rows.start[row]))
        points.add(min(high, claims.end[row]))
    if noted:
        points.update(end for end, _ in claims.layers[ASSERTED].ends if low < end < high)
    upper, lower = _Stack(claims, asserted), _Stack(claims, noted)
    drawn: list[Drawn] = []
    for start, end in pairwise(sorted(points)):
        row = upper.greatest(start)
        if row < 0 and noted:
            row = lower.greatest(start, _latest_end(claims, start))
        if row < 0:
            continue
        if drawn and drawn[-1][1] == start and drawn[-1][2] == row:
            drawn[-1] = (drawn[-1][0], end, row)
        else:
            drawn.append((start, end, row))
    return drawn


def _clip(claims: Claims, row: int, low: int, high: int) -> Drawn:
    return max(low, claims.rows.start[row]), min(high, claims.end[row]), row


def _latest_end(claims: Claims, instant: int) -> int:
    """Give f: the latest end of an asserted reach at or before this instant, -INF if there is none."""
    ends = claims.layers[ASSERTED].ends
    i = bisect_right(ends, (instant, INF))
    return ends[i - 1][0] if i else -INF


class _Stack:
    """Claims by start, of which the greatest that still reaches is asked at instants that only grow."""

    def __init__(self, claims: Claims, rows: list[int]) -> None:
        self._claims = claims
        self._waiting = sorted(rows, key=claims.rows.start.__getitem__, reverse=True)
        self._heap: list[tuple[int, int, int, int]] = []

    def greatest(self, instant: int, earliest: int = -INF) -> int:
        """Give the claim of greatest priority that reaches the instant and starts at ``earliest`` or later."""
        claims, heap, waiting = self._claims, self._heap, self._waiting
        start = claims.rows.start
        while waiting and start[waiting[-1]] <= instant:
            recorded, begins, rank, row = claims.priority(waiting.pop())
            heappush(heap, (-recorded, -begins, -rank, -row))
        while heap and (claims.end[-heap[0][3]] <= instant or -heap[0][1] < earliest):
            heappop(heap)
        return -heap[0][3] if heap else -1
