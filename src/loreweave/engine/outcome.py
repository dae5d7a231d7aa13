"""What a write came to: for each line of the slot what it was believed to say before, and what it is after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from loreweave.events.model import DEFAULT_SCOPE, Event, Line, event_of
from loreweave.projections.refold import BELIEF_COLUMNS, Refold
from loreweave.projections.rows import INF
from loreweave.times import Instant, from_datetime, to_datetime

if TYPE_CHECKING:
    from loreweave.engine.write import Written

EFFECTS = ("superseded", "corrected", "continued", "overridden", "masked", "ended", "retracted", "returned", "resumed")
"""What a write may do to what a line is believed to say."""

_ID, _FROM, _UNTIL, _KNOWN_UNTIL = (
    BELIEF_COLUMNS.index(name) for name in ("event_id", "valid_from", "valid_until", "known_until")
)


class Span(NamedTuple):
    """An interval of valid time in microseconds; ``until`` is None where it is open."""

    since: Instant
    until: Instant | None


@attrs.frozen
class Interval:
    """An interval of valid time, aware and in UTC; ``valid_until`` is None where it is open."""

    valid_from: datetime
    valid_until: datetime | None


@attrs.frozen
class Effect:
    """What a write did to one line: where it was believed to hold, as best known, and where it is now.

    ``note`` is the note in which an extracted value was seen; ``path`` and ``line`` are where it was written.
    """

    object: str
    before: tuple[Interval, ...]
    now: tuple[Interval, ...]
    source: str
    confidence: float
    note: str | None
    path: str
    line: int

    @property
    def lost(self) -> tuple[Interval, ...]:
        """Where it held and holds no more."""
        return _intervals(_without(_spans(self.before), _spans(self.now)))

    @property
    def gained(self) -> tuple[Interval, ...]:
        """Where it holds now and did not."""
        return _intervals(_without(_spans(self.now), _spans(self.before)))


@attrs.frozen
class Outcome:
    """What was written, or would be: the lines with their place, and what they change, as best known.

    ``holds`` is where a value asserted is believed to hold. ``written`` is false for a rehearsal (``dry_run``)
    and for what is on record already, where ``path`` and ``line_number`` are those of the line that says it.
    ``many_because`` tells why a value was stamped many without anybody asking. ``effects`` has all of EFFECTS.
    ``proposed`` tells that the line is a proposal, which changes nothing: ``effects`` and ``holds`` are what its
    approval would come to now. ``proposal_id`` is the proposal that was written, or approved, or stands already.
    ``kind`` is the word in brackets of what is written, or proposed: ``fact``, ``invalidate`` or ``retract``.
    """

    scope: str
    subject: str
    predicate: str
    object: str | None
    many: bool
    many_because: str
    written: bool
    dry_run: bool
    recorded_at: datetime
    path: str
    line_number: int
    lines: tuple[str, ...]
    holds: tuple[Interval, ...]
    effects: Mapping[str, tuple[Effect, ...]]
    kind: str = "fact"
    proposed: bool = False
    proposal_id: str | None = None


class Change(NamedTuple):
    """An event, and where it was and is believed to hold."""

    event: Event
    before: tuple[Span, ...]
    now: tuple[Span, ...]

    @property
    def lost(self) -> tuple[Span, ...]:
        """Where it held and holds no more."""
        return _without(self.before, self.now)


Namer = Callable[[Change], str]
"""Names the effect a write had on a line; an empty name where it is not worth telling."""


def outcome(line: Line, written: Written, name: Namer, because: str = "") -> Outcome:
    """Tell what lines composed for ``line`` came to."""
    stated = str(written.events[0][0])
    return Outcome(
        **_asked(line, because),
        written=not written.dry,
        dry_run=written.dry,
        recorded_at=to_datetime(written.recorded_at),
        path=written.path,
        line_number=written.line,
        lines=written.lines,
        holds=_intervals(spans(written.after).get(stated, ())),
        effects=effects(written.before, written.after, name),
    )


def known(line: Line, written: Written, claim: Event, because: str = "") -> Outcome:
    """Tell that ``claim`` says already what ``line`` would."""
    return Outcome(
        **_asked(line, because),
        written=False,
        dry_run=written.dry,
        recorded_at=to_datetime(claim.recorded_at),
        path=claim.path,
        line_number=claim.line,
        lines=(),
        holds=_intervals(spans(written.before).get(claim.event_id, ())),
        effects=dict.fromkeys(EFFECTS, ()),
    )


def spans(folded: Refold) -> dict[str, tuple[Span, ...]]:
    """Give where each line is believed to hold, as best known, by event id."""
    found: dict[str, list[Span]] = {}
    for belief in folded.beliefs:
        if belief[_KNOWN_UNTIL] is None:
            found.setdefault(str(belief[_ID]), []).append(Span(belief[_FROM], belief[_UNTIL]))  # type: ignore[arg-type]
    return {name: tuple(sorted(held)) for name, held in found.items()}


def _asked(line: Line, because: str) -> dict[str, Any]:
    scope = DEFAULT_SCOPE if line.scope is None else line.scope
    said = {"scope": scope, "subject": line.subject, "predicate": line.predicate, "object": line.object}
    return {**said, "many": line.many, "many_because": because, "kind": line.kind}


def effects(before: Refold, after: Refold, name: Namer) -> dict[str, tuple[Effect, ...]]:
    """Compare what each line was and is believed to say; what did not change is left out."""
    was, now = spans(before), spans(after)
    found = [
        Change(event_of(row), was.get(str(row[0]), ()), now.get(str(row[0]), ()))
        for row in after.events
        if was.get(str(row[0])) != now.get(str(row[0]))
    ]
    found.sort(key=lambda change: (*change.before, *change.now)[0].since)
    named = [(name(change), change) for change in found]
    return {effect: tuple(_effect(change) for given, change in named if given == effect) for effect in EFFECTS}


def _effect(change: Change) -> Effect:
    event, before, now = change
    return Effect(
        object=event.object or "",
        before=_intervals(before),
        now=_intervals(now),
        source=event.source or "",
        confidence=1.0 if event.confidence is None else event.confidence,
        note=event.note,
        path=event.path,
        line=event.line,
    )


def _intervals(held: Iterable[Span]) -> tuple[Interval, ...]:
    return tuple(Interval(to_datetime(since), None if until is None else to_datetime(until)) for since, until in held)


def _spans(held: Iterable[Interval]) -> list[Span]:
    return [
        Span(from_datetime(one.valid_from), None if one.valid_until is None else from_datetime(one.valid_until))
        for one in held
    ]


def _without(these: Iterable[Span], those: Iterable[Span]) -> tuple[Span, ...]:
    left = [(since, INF if until is None else until) for since, until in these]
    for since, until in those:
        end = INF if until is None else until
        pieces = [piece for low, high in left for piece in ((low, min(high, since)), (max(low, end), high))]
        left = [(low, high) for low, high in pieces if low < high]
    return tuple(Span(low, None if high == INF else high) for low, high in left)
