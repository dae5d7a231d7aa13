"""What resumes after a bounded value: the claim believed just before it, restated with its own end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from loreweave.engine.asking import name_of
from loreweave.engine.outcome import spans
from loreweave.errors import Refused
from loreweave.events.model import COLUMNS, Event, EventRow, Line, event_of
from loreweave.notes.visible import reveal
from loreweave.projections.refold import alive, refold
from loreweave.times import Instant, show_day

if TYPE_CHECKING:
    from loreweave.engine.write import Before

NOTED = "extracted"

_KIND = COLUMNS.index("kind")


def resumption(line: Line, before: Before) -> Line:
    """Give the line that restates, from the end of a bounded one, what is believed just before its start."""
    start = before.recorded_at if line.valid_from is None else line.valid_from
    if line.valid_until is None:
        raise Refused("--then-resume needs an end after which to resume.", "give --valid-until")
    if line.many:
        raise Refused("A many-valued statement displaces nothing, so nothing has to resume.", "leave --then-resume out")
    believed = [event for event, held in _believed(before.rows) if any(_before(start, *span) for span in held)]
    if not believed:
        raise Refused(
            f"Nothing is believed of {name_of(line)} just before {show_day(start)}, so nothing can resume.",
            "leave --then-resume out",
        )
    claim = believed[0]
    end = end_of(claim, before.rows)
    _refuse_ended(claim, end, line.valid_until)
    _refuse_starts(_alive(before.rows, claim), start, line.valid_until)
    return line._replace(
        object=claim.object,
        valid_from=line.valid_until,
        valid_until=end,
        confidence=None if claim.confidence == 1 else claim.confidence,
        source="inferred" if claim.source == NOTED else claim.source,
    )


def end_of(claim: Event, rows: Iterable[EventRow]) -> Instant | None:
    """Give the end of a claim: its own, or that of the earliest close that hits it; None where it is open."""
    first = _first_sighting(claim, rows) if claim.kind == "ValueObserved" else claim
    closes = (event_of(row) for row in rows if row[_KIND] == "FactInvalidated")
    ends = [close.valid_until for close in closes if _hits(close, claim, first)]
    return min((end for end in (*ends, claim.valid_until) if end is not None), default=None)


def _hits(close: Event, claim: Event, first: Event) -> bool:
    start, instant = claim.valid_from, close.valid_until
    if start is None or instant is None or start > instant or close.object_key not in (None, claim.object_key):
        return False
    if first.recorded_at == close.recorded_at:
        return start < instant or _order(first) < _order(close)
    return first.recorded_at < close.recorded_at


def _first_sighting(claim: Event, rows: Iterable[EventRow]) -> Event:
    seen = (event_of(row) for row in rows if row[_KIND] == claim.kind)
    said = (claim.object_key, claim.valid_from, claim.valid_until)
    return min((e for e in seen if (e.object_key, e.valid_from, e.valid_until) == said), key=_order)


def _order(event: Event) -> tuple[Instant, str, int]:
    return event.recorded_at, event.path, event.line


def _believed(rows: Sequence[EventRow]) -> list[tuple[Event, tuple[tuple[Instant, Instant | None], ...]]]:
    """Give the single claims that are believed somewhere, as best known, with where."""
    held = spans(refold(rows))
    events = [event_of(row) for row in rows if row[0] in held]
    return [(event, held[event.event_id]) for event in events if not event.many]


def _before(start: Instant, since: Instant, until: Instant | None) -> bool:
    return since < start and (until is None or start <= until)


def _alive(rows: Sequence[EventRow], claim: Event) -> list[Event]:
    """Give the single claims whose starts bound what is to resume."""
    asserted = [event for event in map(event_of, alive(rows)) if not event.many]
    return asserted + [event for event, _ in _believed(rows) if claim.source == NOTED]


def _refuse_ended(claim: Event, end: Instant | None, until: Instant) -> None:
    if end is not None and end <= until:
        raise Refused(
            f"{reveal(claim.object or '')} itself ends on {show_day(end)}, so that nothing is left of it to resume "
            f"from {show_day(until)} on.",
            "leave --then-resume out",
        )


def _refuse_starts(claims: Iterable[Event], start: Instant, until: Instant) -> None:
    for claim in claims:
        since = claim.valid_from
        if since is not None and start < since <= until:
            raise Refused(
                f"{reveal(claim.object or '')} starts on {show_day(since)}, after {show_day(start)} and not after "
                f"{show_day(until)}: what would resume is not plain.",
                "leave --then-resume out, and assert what holds afterwards",
            )
