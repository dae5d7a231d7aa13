"""The claims of one sub-slot: which are visible, which of one start is alive, how far each reaches."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from heapq import heappush

from loreweave.projections.closes import Closes
from loreweave.projections.layer import Layer
from loreweave.projections.rows import ASSERTED, INF, NOTED, Rows


class Claims:
    """Claims, retractions, withdrawals and closes of one sub-slot, kept so that each finds what it hits.

    ``first`` gives for an observation the first row of the slot with the same object and times; an
    assertion is its own first. ``end`` is the end of the reach of each alive claim.
    """

    __slots__ = (
        "_by_note",
        "_by_object",
        "_changed",
        "_retracts",
        "_silenced",
        "_touched",
        "closes",
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
        self.closes = Closes(rows, first)
        self._retracts: dict[tuple[int, int], list[int]] = {}
        self._touched: dict[tuple[int, int], None] = {}
        self._by_object: dict[int, dict[int, None]] = {}
        self._by_note: dict[int, dict[int, None]] = {}
        self._silenced: dict[int, list[int]] = {}
        self._changed: list[int] = []

    def state(self, row: int) -> None:
        """Take in an assertion or an observation."""
        rows = self.rows
        first = self.first.get(row, row)
        if first != row and self._unsaid(row, first):
            self._silenced.setdefault(rows.note[row], []).append(row)
            return
        start, kind = rows.start[row], rows.kind[row]
        layer = self.layers[kind]
        layer.visible.setdefault(start, {})[row] = None
        heappush(layer.ranked.setdefault(start, []), (-rows.recorded[row], -rows.rank[row], -row))
        self._by_object.setdefault(rows.object[row], {})[row] = None
        if kind == NOTED:
            self._by_note.setdefault(rows.note[row], {})[row] = None
        self._touched[kind, start] = None

    def retract(self, row: int) -> None:
        """Unsay the visible claims before this retraction that its guards fit."""
        start, wanted = self.rows.start[row], self.rows.object[row]
        self._retracts.setdefault((start, wanted), []).append(row)
        for claim in self._guarded(start, wanted):
            if self.first.get(claim, claim) < row:
                self._remove(claim)
                self.effective.add(row)
                if self.rows.kind[claim] == NOTED:
                    self._silenced.setdefault(self.rows.note[claim], []).append(claim)

    def withdraw(self, row: int) -> None:
        """Drop what this note was seen to say before, all of it or the one object named, unsaid meanwhile or not."""
        wanted, note = self.rows.object[row], self.rows.note[row]
        for claim in list(self._by_note.get(note, ())):
            if wanted < 0 or self.rows.object[claim] == wanted:
                self._remove(claim)
                self.effective.add(row)
        silenced = self._silenced.get(note, [])
        rest = [claim for claim in silenced if wanted >= 0 and self.rows.object[claim] != wanted]
        if len(rest) < len(silenced):
            self._silenced[note] = rest
            self.effective.add(row)

    def settle(self) -> None:
        """Choose the alive claim of every start that was touched, and fit the reaches to it."""
        for kind, start in self._touched:
            self._revive(kind, start)
        self._touched.clear()

    def close(self, row: int) -> None:
        """End every alive claim that this close hits and that reaches beyond it."""
        instant = self.rows.until[row]
        for kind, layer in enumerate(self.layers):
            for claim in self.reaching(kind, instant, instant + 1):
                if self.closes.hit(row, claim):
                    self._set_end(layer, claim, instant)
                    self.effective.add(row)
        self.closes.add(row)

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

    def covers(self, row: int, low: int, high: int) -> bool:
        """Tell whether a claim of the latest record instant wins exactly [low, high): nothing has priority over it."""
        kind, masked = self.rows.kind[row], bool(self.layers[ASSERTED].starts)
        wins = kind == ASSERTED or (kind == NOTED and not masked)
        return wins and self.rows.start[row] == low < high == self.end.get(row, low)

    def take_changed(self) -> tuple[int, int] | None:
        """Give the stretch of valid time changed since it was last taken, None if nothing has."""
        if not self._changed:
            return None
        stretch = min(self._changed), max(self._changed)
        self._changed.clear()
        return stretch

    def _guarded(self, start: int, wanted: int) -> list[int]:
        """Give the visible claims with this start and this object; -INF and -1 are any."""
        rows = self.rows
        named = self._by_object.get(wanted, {})
        begun = [layer.visible.get(start, {}) for layer in self.layers]
        if wanted >= 0 and (start == -INF or len(named) < sum(map(len, begun))):
            return [claim for claim in named if start in (-INF, rows.start[claim])]
        if start > -INF:
            return [claim for claims in begun for claim in claims if wanted in (-1, rows.object[claim])]
        return [claim for claims in self._by_object.values() for claim in claims]

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
        self._touched[kind, start] = None

    def _revive(self, kind: int, start: int) -> None:
        layer = self.layers[kind]
        old, new = layer.alive.get(start, -1), layer.greatest(start)
        if new == old:
            return
        if old >= 0:
            self._change(kind, start, self.end[old])
            self._move_end(layer, old, None)
        if new < 0:
            del layer.alive[start], layer.visible[start], layer.ranked[start]
            layer.starts.pop(bisect_left(layer.starts, start))
        else:
            layer.alive[start] = new
            if old < 0:
                insort(layer.starts, start)
            self._move_end(layer, new, self._reach(layer, new))
            self._change(kind, start, self.end[new])
        if old < 0 or new < 0:
            self._refit(layer, layer.previous(start))

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
        until = self.rows.until[claim]
        return self.closes.earliest(claim, until if until < INF else layer.next_start(self.rows.start[claim]))

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
