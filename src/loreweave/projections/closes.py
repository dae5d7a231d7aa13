"""The closes of one sub-slot: which claims each hits, and the earliest that hits a claim."""

from __future__ import annotations

from bisect import bisect_left, insort

from loreweave.projections.rows import Rows


class Closes:
    """Closes on record so far, by their instant and in the order of the record."""

    __slots__ = ("_at", "_by_instant", "_first", "_recorded", "_rows")

    def __init__(self, rows: Rows, first: dict[int, int]) -> None:
        self._rows = rows
        self._first = first
        self._at: dict[int, list[int]] = {}
        self._by_instant: list[tuple[int, int]] = []
        self._recorded: list[tuple[int, int]] = []

    def add(self, close: int) -> None:
        """Take in a close; they come in the order of the record."""
        instant = self._rows.until[close]
        self._at.setdefault(instant, []).append(close)
        insort(self._by_instant, (instant, close))
        self._recorded.append((self._rows.recorded[close], close))

    def hit(self, close: int, claim: int) -> bool:
        """Tell whether a close hits a claim: its guard fits, and it comes after in record and in valid time."""
        rows = self._rows
        start, instant, wanted = rows.start[claim], rows.until[close], rows.object[close]
        if start > instant or (wanted >= 0 and rows.object[claim] != wanted):
            return False
        first = self._first.get(claim, claim)
        if rows.recorded[first] == rows.recorded[close]:
            return start < instant or first < close
        return first < close

    def at(self, instant: int, claim: int) -> list[int]:
        """Give the closes at an instant that hit a claim."""
        return [close for close in self._at.get(instant, ()) if self.hit(close, claim)]

    def earliest(self, claim: int, before: int) -> int:
        """Give the earliest instant at which a close hits a claim, ``before`` if there is none earlier.

        Closes on record before the claim never hit it, nor do those before its start: the fewer are looked at.
        """
        rows = self._rows
        since = bisect_left(self._recorded, (rows.recorded[self._first.get(claim, claim)], -1))
        low = bisect_left(self._by_instant, (rows.start[claim], -1))
        high = bisect_left(self._by_instant, (before, -1))
        if len(self._recorded) - since < high - low:
            late = (close for _, close in self._recorded[since:] if self.hit(close, claim))
            return min(before, min((rows.until[close] for close in late), default=before))
        return next((instant for instant, close in self._by_instant[low:high] if self.hit(close, claim)), before)
