"""Ways to break the fold: each is wrong in one respect, and laws and situations must notice.

Some change what the fold is given, some change the fold itself; those fold every slot on its plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import attrs
import pytest

from loreweave.events.model import Event, FactAsserted, FactInvalidated, FactRetracted, ValueObserved, event_of
from loreweave.projections import draw, events, slots
from loreweave.projections.claims import Claims
from loreweave.projections.closes import Closes
from loreweave.projections.layer import Layer
from loreweave.projections.rows import ASSERTED, INF, NOTED
from oracle import slot_of

Mutation = Callable[[pytest.MonkeyPatch], None]
Events = list[Event]
MUTATIONS: dict[str, Mutation] = {}


def given_instead(change: Callable[[Events], Events]) -> Mutation:
    """The fold is given other events, slot by slot."""
    real = events.batch

    def batch(rows: Iterable[tuple[Any, ...]]) -> Any:
        by_slot = groupby(sorted(map(event_of, rows), key=slot_of), slot_of)
        changed = [event for _, slot in by_slot for event in change(list(slot))]
        return real([attrs.astuple(event, recurse=False) for event in changed])

    return lambda patch: patch.setattr(events, "batch", batch)


def each(*kinds: type[Event], **change: Callable[[Event], Any]) -> Mutation:
    """The fold is given every event of these kinds with some fields changed."""

    def changed(event: Event) -> Event:
        if not isinstance(event, kinds):
            return event
        return attrs.evolve(event, **{name: value(event) for name, value in change.items()})

    return given_instead(lambda slot: [changed(event) for event in slot])


def folding_instead(*changes: tuple[object, str, object]) -> Mutation:
    """The fold itself is another one."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(slots, "fold_simple", lambda *_: None)
        for owner, name, value in changes:
            patch.setattr(owner, name, value)

    return mutate


def _reaching_back(slot: Events) -> Events:
    """Every close is taken as recorded with the latest claim before it."""
    claimed = [event.recorded_at for event in slot if isinstance(event, (FactAsserted, ValueObserved))]

    def reaching_back(close: Event) -> Event:
        earlier = [at for at in claimed if at < close.recorded_at]
        return attrs.evolve(close, recorded_at=max(earlier, default=close.recorded_at))

    return [reaching_back(event) if isinstance(event, FactInvalidated) else event for event in slot]


def _after_everything(slot: Events) -> Events:
    last = max(event.recorded_at for event in slot) + 1
    return [attrs.evolve(e, recorded_at=last) if isinstance(e, FactInvalidated) else e for e in slot]


def _hits_whatever_the_record(self: Closes, close: int, claim: int) -> bool:
    rows = self._rows
    fits = rows.object[close] in (-1, rows.object[claim])
    return fits and rows.start[claim] <= rows.until[close]


def _earliest_whatever_the_record(self: Closes, claim: int, before: int) -> int:
    return min([before, *(instant for instant, close in self._by_instant if self.hit(close, claim))])


def _reach_past_bounded_starts(self: Claims, layer: Layer, claim: int) -> int:
    """The end of an open claim is the next start of another open one."""
    start, until = self.rows.start, self.rows.until
    later = [s for s, row in layer.alive.items() if s > start[claim] and until[row] == INF]
    end = until[claim] if until[claim] < INF else min(later, default=INF)
    return self.closes.earliest(claim, end)


MUTATIONS |= {
    "a close takes the record time of its instant": each(FactInvalidated, recorded_at=lambda e: e.valid_until),
    "a late close reaches back to earlier record times": given_instead(_reaching_back),
    "closes are applied after everything": given_instead(_after_everything),
    "a close hits what is recorded after it": folding_instead(
        (Closes, "hit", _hits_whatever_the_record), (Closes, "earliest", _earliest_whatever_the_record)
    ),
    "a close ignores the object it names": each(FactInvalidated, object=lambda _: None, object_key=lambda _: None),
    "retractions are skipped": given_instead(lambda slot: [e for e in slot if not isinstance(e, FactRetracted)]),
    "a tie is broken by arrival": lambda patch: patch.setattr(events, "ORDER", events.ORDER[:4]),
    "an end that a claim gives is forgotten": each(FactAsserted, ValueObserved, valid_until=lambda _: None),
    "an open claim resumes after a bounded one": folding_instead((Claims, "_reach", _reach_past_bounded_starts)),
    "noted masks asserted": folding_instead((draw, "ASSERTED", NOTED), (draw, "NOTED", ASSERTED)),
    "a note may follow a statement from before its end": folding_instead((draw, "_latest_end", lambda *_: -INF)),
    "the first observation is forgotten": folding_instead((slots, "_first_sightings", lambda *_: {})),
    "a withdrawal of one note hits another": each(Event, note=lambda event: event.note and "any.md"),
    "many values are folded as one": each(Event, many=lambda _: False),
    "scopes are one": each(Event, scope_key=lambda _: "default"),
    "the source has no rank": each(FactAsserted, source=lambda event: event.source and "stated"),
}
"""What is wrong, and how to make it so."""
