"""What the time that a question asks about does to the ranks of spans: a score is multiplied, never replaced.

Where a question has a window, spans that speak of it, or hold a belief valid in it, gain. The best of them gains most
and each further one less, so that a few come first and what bears no date is not buried below many; and all gain the
less, the more of the spans found are in the window, for one that holds them all tells nothing. In a window without an
end, what was valid before and is still is no news: a belief must have begun in it. Where a question asks for what is
newest, the older of the spans it is about lose against the newest. A span without a date neither gains nor loses, so no
old note is lifted above it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from loreweave.search.constants import ABOUT, IN_WINDOW, OLDER
from loreweave.search.window import Window
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

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
            and (not $endless or beliefs.valid_from >= $from)
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
        "endless": window.until is None,
        "from": _bound(window.from_, "-infinity"),
        "until": _bound(window.until, "infinity"),
    }
    return {span_id: Timed(until, inside) for span_id, until, inside in session.rows(_SQL, values)}


def _bound(instant: Instant | None, open_: str) -> datetime | str:
    return open_ if instant is None else to_datetime(instant).replace(tzinfo=None)


def factors(window: Window, scores: Mapping[int, float], times: Mapping[int, Timed]) -> dict[int, float]:
    """Give by what the scores of one list of spans are to be multiplied; a span that is not there keeps its score."""
    if window.kind:
        return _inside([span_id for span_id in scores if span_id in times and times[span_id].inside], scores)
    return _older(scores, times) if window.newest else {}


def _inside(spans: list[int], scores: Mapping[int, float]) -> dict[int, float]:
    """Give what spans in the window gain, the best of them most."""
    gain = IN_WINDOW * (1 - len(spans) / len(scores)) if spans else 0.0
    best_first = sorted(spans, key=lambda span_id: (-scores[span_id], span_id))
    return {span_id: 1 + gain / (1 + log2(place)) for place, span_id in enumerate(best_first, 1)}


def _older(scores: Mapping[int, float], times: Mapping[int, Timed]) -> dict[int, float]:
    """Give what the spans that a question is about lose, by how many of their dates are newer."""
    dates = {span_id: until for span_id in scores if span_id in times and (until := times[span_id].until) is not None}
    about = ABOUT * max((scores[span_id] for span_id in dates), default=0.0)
    dates = {span_id: until for span_id, until in dates.items() if scores[span_id] >= about}
    place = {date: number for number, date in enumerate(sorted(set(dates.values()), reverse=True))}
    return {span_id: 1 - OLDER * place[date] / max(1, len(place) - 1) for span_id, date in dates.items()}
