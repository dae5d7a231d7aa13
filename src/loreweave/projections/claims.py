"""The claims of one sub-slot: which are visible, which of one start is alive, how far each reaches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort

from loreweave.projections.rows import ASSERTED, INF, NOTED, Rows


class Layer:
    """The visible claims of one layer by start, the alive one of each start, and their ends in order.

    ``bounded`` holds the ends of those alive claims that say their own end.
    """

    __slots__ = ("alive", "bounded", "ends", "starts", "visible")

    def __init__(self) -> None:
        self.visible: dict[int, dict[int, None]] = {}
        self.alive: dict[int, int] = {}
        self.starts: list[int] = []
        self.ends: list[tuple[int, int]] = []
        self.bounded: list[tuple[int, int]] = []

    def next_start(self, start: int) -> int:
        """Give the least alive start after this one, INF if there is none."""
        i = bisect_right(self.starts, start)
        return self.starts[i] if i < len(self.starts) else INF

    def previous(self, start: int) -> int:
        """Give the alive claim with the greatest start before this one, -1 if there is none."""
        i = bisect_left(self.starts, start)
        return self.alive[self.starts[i - 1]] if i else -1


class Claims:
    """Claims, retractions, withdrawals and closes of one sub-slot, kept so that each finds what it hits.

    ``first`` gives for an observation the first row of the slot with the same object and times; an
    assertion is its own first. ``end`` is the end of the reach of each alive claim.
    """

    __slots__ = (
        "_added",
        "_by_note",
        "_by_object",
        "_changed",
        "_closes",
        "_retracts",
        "closes_at",
        "effective",
        "end",
        "first",
        "layers",
        "rows",
    )

    def __init__(self, rows: Rows, first: dict[int, int]) -> None:
        self.rows = rows
        self.first = first
        self.layers = (Layer(), Layer())
        self.end: dict[int, int] = {}
        self.effective: set[int] = set()
        self.closes_at: dict[int, list[int]] = {}
        self._closes: list[tuple[int, int]] = []
        self._retracts: dict[tuple[int, int], list[int]] = {}
        self._added: dict[tuple[int, int], list[int]] = {}
        self._by_object: dict[int, dict[int, None]] = {}
        self._by_note: dict[int, dict[int, None]] = {}
        self._changed: list[int] = []

    def state(self, row: int) -> None:
        """Take in an assertion or an observation."""
        rows = self.rows
        first = self.first.get(row, row)
        if first != row and self._unsaid(row, first):
            return
        start, kind = rows.start[row], rows.kind[row]
        self.layers[kind].visible.setdefault(start, {})[row] = None
        self._by_object.setdefault(rows.object[row], {})[row] = None
        if kind == NOTED:
            self._by_note.setdefault(rows.note[row], {})[row] = None
        self._added.setdefault((kind, start), []).append(row)

    def retract(self, row: int) -> None:
        """Unsay the visible claims before this retraction that its guards fit."""
        start, wanted = self.rows.start[row], self.rows.object[row]
        self._retracts.setdefault((start, wanted), []).append(row)
        if start > -INF:
            found = [r for layer in self.layers for r in layer.visible.get(start, ())]
        elif wanted >= 0:
            found = list(self._by_object.get(wanted, ()))
        else:
            found = [r for claims in self._by_object.values() for r in claims]
        for claim in found:
            fits = wanted < 0 or self.rows.object[claim] == wanted
            if fits and self.first.get(claim, claim) < row:
                self._remove(claim)
                self.effective.add(row)

    def withdraw(self, row: int) -> None:
        """Drop what this note was seen to say before, all of it or the one object named."""
        wanted = self.rows.object[row]
        for claim in list(self._by_note.get(self.rows.note[row], ())):
            if wanted < 0 or self.rows.object[claim] == wanted:
                self._remove(claim)
                self.effective.add(row)

    def settle(self) -> None:
        """Choose the alive claim of every start that was touched, and fit the reaches to it."""
        for kind, start in self._added:
            self._revive(kind, start)
        self._added.clear()

    def close(self, row: int) -> None:
        """End every alive claim that this close hits and that reaches beyond it."""
        instant = self.rows.until[row]
        for kind, layer in enumerate(self.layers):
            for claim in self.reaching(kind, instant, instant + 1):
                if self.hits(row, claim):
                    self._set_end(layer, claim, instant)
                    self.effective.add(row)
        insort(self._closes, (instant, row))
        self.closes_at.setdefault(instant, []).append(row)

    def hits(self, close: int, claim: int) -> bool:
        """Tell whether a close hits a claim: its guard fits, and it comes after in record and in valid time."""
        rows = self.rows
        start, instant, wanted = rows.start[claim], rows.until[close], rows.object[close]
        if start > instant or (wanted >= 0 and rows.object[claim] != wanted):
            return False
        first = self.first.get(claim, claim)
        if rows.recorded[first] == rows.recorded[close]:
            return start < instant or first < close
        return first < close

    def priority(self, row: int) -> tuple[int, int, int, int]:
        """Give what decides between two claims: the greater wins."""
        rows = self.rows
        return rows.recorded[row], rows.start[row], rows.rank[row], row

    def reaching(self, kind: int, low: int, high: int) -> list[int]:
        """Give the alive claims of a layer whose reach meets [low, high).

        Open claims end at the next start, so of those that start before the last start at or before
        ``low`` only bounded ones can reach it; these are found by the shorter of two ways.
        """
        layer, end, start = self.layers[kind], self.end, self.rows.start
        starts, alive, bounded = layer.starts, layer.alive, layer.bounded
        i = max(bisect_right(starts, low) - 1, 0)
        near = [row for s in starts[i : bisect_left(starts, high)] if end[row := alive[s]] > low]
        late = bisect_right(bounded, (low, INF))
        if not i or late == len(bounded):
            return near
        if len(bounded) - late < i:
            return near + [row for _, row in bounded[late:] if start[row] < starts[i]]
        return near + [row for s in starts[:i] if end[row := alive[s]] > low]

    def take_changed(self) -> tuple[int, int] | None:
        """Give the stretch of valid time changed since it was last taken, None if nothing has."""
        if not self._changed:
            return None
        stretch = min(self._changed), max(self._changed)
        self._changed.clear()
        return stretch

    def _unsaid(self, row: int, first: int) -> bool:
        """Tell whether an earlier retraction reaches an observation through its first sighting."""
        start, wanted = self.rows.start[row], self.rows.object[row]
        guards = ((start, wanted), (start, -1), (-INF, wanted), (-INF, -1))
        fitting = [self._retracts.get(guard, []) for guard in guards]
        hit = min((r[i] for r in fitting if (i := bisect_right(r, first)) < len(r)), default=-1)
        if hit >= 0 and self.rows.recorded[hit] == self.rows.recorded[row]:
            self.effective.add(hit)
        return hit >= 0

    def _remove(self, row: int) -> None:
        rows = self.rows
        start, kind = rows.start[row], rows.kind[row]
        del self.layers[kind].visible[start][row]
        del self._by_object[rows.object[row]][row]
        if kind == NOTED:
            del self._by_note[rows.note[row]][row]
        self._added.setdefault((kind, start), [])

    def _revive(self, kind: int, start: int) -> None:
        layer = self.layers[kind]
        visible = layer.visible[start]
        old = layer.alive.get(start, -1)
        new = self._greatest(visible, old, self._added[kind, start])
        if new == old:
            return
        if old >= 0:
            self._change(kind, start, self.end[old])
            self._move_end(layer, old, None)
        if new < 0:
            del layer.alive[start], layer.visible[start]
            layer.starts.pop(bisect_left(layer.starts, start))
        else:
            layer.alive[start] = new
            if old < 0:
                insort(layer.starts, start)
            self._move_end(layer, new, self._reach(layer, new))
            self._change(kind, start, self.end[new])
        if old < 0 or new < 0:
            self._refit(layer, layer.previous(start))

    def _greatest(self, visible: dict[int, None], old: int, added: list[int]) -> int:
        pool = [old, *(row for row in added if row in visible)] if old in visible else list(visible)
        return max(pool, key=self.priority, default=-1)

    def _refit(self, layer: Layer, claim: int) -> None:
        """Fit an open claim to a later start that came or went."""
        if claim >= 0 and self.rows.until[claim] == INF:
            reach = self._reach(layer, claim)
            if reach != self.end[claim]:
                self._set_end(layer, claim, reach)

    def _set_end(self, layer: Layer, claim: int, end: int) -> None:
        old = self.end[claim]
        self._move_end(layer, claim, end)
        self._change(self.rows.kind[claim], min(old, end), max(old, end))

    def _move_end(self, layer: Layer, claim: int, end: int | None) -> None:
        """Keep the sorted ends; None where the claim is no longer alive."""
        old = self.end.pop(claim, None)
        for ends in (layer.ends, layer.bounded) if self.rows.until[claim] < INF else (layer.ends,):
            if old is not None:
                del ends[bisect_left(ends, (old, claim))]
            if end is not None:
                insort(ends, (end, claim))
        if end is not None:
            self.end[claim] = end

    def _reach(self, layer: Layer, claim: int) -> int:
        """Give the end of a claim: its own or the next start, cut by the earliest close that hits it."""
        start, until = self.rows.start[claim], self.rows.until[claim]
        end = until if until < INF else layer.next_start(start)
        for instant, close in self._closes[bisect_left(self._closes, (start, -1)) :]:
            if instant >= end:
                break
            if self.hits(close, claim):
                return instant
        return end

    def _change(self, kind: int, low: int, high: int) -> None:
        """Note a changed stretch, and with it what an asserted end allows notes to say after it.

        Later than the next asserted end, or than the reach of every noted claim that starts before
        ``high``, that end makes no difference.
        """
        asserted, noted = self.layers
        if kind == ASSERTED and noted.starts:
            following = bisect_right(asserted.ends, (high, INF))
            next_end = asserted.ends[following][0] if following < len(asserted.ends) else INF
            high = max(high, min(next_end, self._noted_reach(high)))
        self._changed += (low, high)

    def _noted_reach(self, instant: int) -> int:
        """Give the latest end of the noted claims that start before an instant, -INF if there is none."""
        noted, start = self.layers[NOTED], self.rows.start
        last = noted.previous(instant)
        reach = self.end.get(last, -INF)
        for end, row in reversed(noted.bounded):
            if end <= reach or start[row] < instant:
                return max(reach, end)
        return reach
