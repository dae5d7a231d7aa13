"""One layer of a sub-slot: its visible claims, those alive of them, and where these end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from heapq import heappop

from loreweave.projections.rows import INF


class Layer:
    """The visible claims of one layer by start, the alive one of each start, and their ends in order.

    ``ranked`` has the claims of each start by priority, the greatest first, some no longer visible;
    ``bounded`` holds the ends of those alive claims that say their own end.
    """

    __slots__ = ("alive", "bounded", "ends", "ranked", "starts", "visible")

    def __init__(self) -> None:
        self.visible: dict[int, dict[int, None]] = {}
        self.ranked: dict[int, list[tuple[int, int, int]]] = {}
        self.alive: dict[int, int] = {}
        self.starts: list[int] = []
        self.ends: list[tuple[int, int]] = []
        self.bounded: list[tuple[int, int]] = []

    def next_start(self, start: int) -> int:
        """Give the least alive start after this one, INF if there is none."""
        i = bisect_right(self.starts, start)
        return self.starts[i] if i < len(self.starts) else INF

    def greatest(self, start: int) -> int:
        """Give the visible claim of greatest priority among those with one start, -1 if there is none."""
        ranked, visible = self.ranked[start], self.visible[start]
        while ranked and -ranked[0][2] not in visible:
            heappop(ranked)
        return -ranked[0][2] if ranked else -1

    def previous(self, start: int) -> int:
        """Give the alive claim with the greatest start before this one, -1 if there is none."""
        i = bisect_left(self.starts, start)
        return self.alive[self.starts[i - 1]] if i else -1
