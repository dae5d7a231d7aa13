"""What the time that a question asks about does to the ranks of spans: a score is multiplied, never replaced.

Where a question has a window, spans that speak of it, or hold a belief valid in it, gain: the more, the fewer of those
found do, for a window that holds them all tells nothing. Where it asks for what is newest, the older of the spans it is
about lose against the newest. A span without a date neither gains nor loses, so no old note is lifted above it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from loreweave.search.window import Window
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

IN_WINDOW = 1.0
"""What a span in the window of a question gains, if it is almost the only one that is."""

OLDER = 0.3
"""What the oldest loses of the spans that a question for the newest is about."""

ABOUT = 0.7
"""The share of the best score from which on a question is about a span."""

_SQL = """
    with near as (
        select span_id, path, start_line, end_line, content_from, content_until
        from spans semi join (select unnest($spans::bigint[]) as span_id) using (span_id)
    ),
    holding as (
        select distinct near.span_id
        from near
        join statements on statements.path = near.path
            and statements.line between near.start_line and near.end_line
        join beliefs using (scope_key, subject_key, predicate_key, object_key)
        where $bounded and beliefs.known_until is null
            and beliefs.valid_from < $until and coalesce(beliefs.valid_until, 'infinity') > $from
    )
    select near.span_id, content_until, coalesce($bounded and content_from < $until and content_until > $from, false)
        or holding.span_id is not null
    from near left join holding using (span_id)
"""


class Timed(NamedTuple):
    """How a span stands to the time asked about: the end of the time it speaks of, and whether the window has it."""

    until: datetime | None
    inside: bool


def timed(session: Session, window: Window, spans: Collection[int]) -> dict[int, Timed]:
    """Look up how spans stand to a window."""
    values = {
        "spans": sorted(spans),
        "bounded": bool(window.kind),
        "from": _bound(window.from_, "-infinity"),
        "until": _bound(window.until, "infinity"),
    }
    return {span_id: Timed(until, inside) for span_id, until, inside in session.ask(_SQL, values).fetchall()}


def _bound(instant: Instant | None, open_: str) -> datetime | str:
    return open_ if instant is None else to_datetime(instant).replace(tzinfo=None)


def factors(window: Window, scores: Mapping[int, float], times: Mapping[int, Timed]) -> dict[int, float]:
    """Give by what the scores of one list of spans are to be multiplied; a span that is not there keeps its score."""
    if window.kind:
        inside = [span_id for span_id in scores if span_id in times and times[span_id].inside]
        return dict.fromkeys(inside, 1 + IN_WINDOW * (1 - len(inside) / len(scores)) if inside else 1)
    return _older(scores, times) if window.newest else {}


def _older(scores: Mapping[int, float], times: Mapping[int, Timed]) -> dict[int, float]:
    """Give what the spans that a question is about lose, by how many of their dates are newer."""
    about = ABOUT * max(scores.values(), default=0.0)
    dates = {
        span_id: until
        for span_id, score in scores.items()
        if score >= about and span_id in times and (until := times[span_id].until) is not None
    }
    place = {date: number for number, date in enumerate(sorted(set(dates.values()), reverse=True))}
    return {span_id: 1 - OLDER * place[date] / max(1, len(place) - 1) for span_id, date in dates.items()}
