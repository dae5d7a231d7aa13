"""Spans ranked for each wording: BM25 over their text, that over what is said of them, and a share of their neighbours.

The best are found over all postings of a wording's words; these and the spans beside them are then scored whole. The
numbers of a note's spans follow each other, so which stand beside each other is known without asking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.search.constants import AFTER, BEFORE, HEAD
from loreweave.search.facets import Facets
from loreweave.search.statistics import Statistics
from loreweave.search.weights import Weighed, Weight, columns, saturation

if TYPE_CHECKING:
    from loreweave.store.session import Session

_PART = """round(case field when 'text' then text_weight else metadata_weight end * tf
        / (tf + case field when 'text' then ?::double + ?::double * words else ?::double + ?::double * words end))"""
_BEST = f"""
    with asked as (
        select unnest(?::varchar[]) as term, unnest(?::double[]) as text_weight, unnest(?::double[]) as metadata_weight
    )
    select span_id from postings join asked using (term) {{among}} where scope_key = ?
    group by span_id order by sum({_PART}) desc, span_id limit ?
"""
_WHOLE = f"""
    with asked as (
        select unnest(?::integer[]) as wording, unnest(?::varchar[]) as term, unnest(?::double[]) as text_weight,
            unnest(?::double[]) as metadata_weight, unnest(?::ubigint[]) as bit
    ),
    near as (select unnest(?::bigint[]) as span_id),
    parts as (
        select wording, span_id, bit, field = 'text' as in_text, {_PART} as part
        from postings join asked using (term) semi join near using (span_id) where scope_key = ?
    )
    select wording, span_id, sum(case when in_text then part else 0 end), sum(part),
        bit_or(case when in_text then bit else 0::ubigint end), bit_or(bit)
    from parts group by wording, span_id
    union all
    select null, span_id, null, null, null, null from ({{among}}) semi join near using (span_id)
"""
_UNDATED = """
    with asked as (select unnest(?::varchar[]) as term)
    select count(distinct span_id) from postings join asked using (term) semi join ({among}) using (span_id)
    where scope_key = ?
"""


class Words(NamedTuple):
    """Which words of a question a span has in its text, and which in its text or its metadata: bits."""

    in_text: int = 0
    anywhere: int = 0


@attrs.frozen
class Ranking:
    """For each wording its spans with their scores, the best first, and which words the spans have."""

    lists: tuple[tuple[tuple[int, int], ...], ...]
    words: Mapping[int, Words]


def rank(session: Session, weighed: Weighed, known: Statistics, facets: Facets, depth: int) -> Ranking:
    """Rank the spans that may be found for each wording, at most ``depth`` of them; scores are whole numbers."""
    heads = [_best(session, weights, known, facets, int(depth * HEAD)) for weights in weighed.wordings]
    near = sorted({span_id + place for head in heads for span_id in head for place in (-2, -1, 0, 1, 2)})
    whole = _whole(session, weighed, known, facets, near) if near else _Whole([], {}, set())
    lists = [_list(head, whole, number, depth) for number, head in enumerate(heads)]
    return Ranking(tuple(lists), whole.words)


def undated(session: Session, weighed: Weighed, facets: Facets) -> int:
    """Count the spans that have words of the question and are left out because they bear no date."""
    if not facets.dated:
        return 0
    terms = sorted({weight.term for weights in weighed.wordings for weight in weights})
    among, values = facets.spans(undated=True)
    rows = session.rows(_UNDATED.format(among=among), [terms, *values, facets.scope_key])
    return sum(count for (count,) in rows)


def _best(session: Session, weights: Sequence[Weight], known: Statistics, facets: Facets, count: int) -> list[int]:
    """Give the spans that score best by themselves."""
    if not weights:
        return []
    among, values = facets.spans() if facets.any else ("", [])
    sql = _BEST.format(among=f"semi join ({among}) using (span_id)" if among else "")
    asked = columns(((one.term, one.text, one.metadata) for one in weights), 3)
    rows = session.rows(sql, [*asked, *values, facets.scope_key, *saturation(known), count])
    return [span_id for (span_id,) in rows]


class _Whole(NamedTuple):
    """For each wording the text score and the whole score of spans; the words each has; those that may be found."""

    alone: list[dict[int, tuple[float, float]]]
    words: dict[int, Words]
    allowed: set[int]


def _whole(session: Session, weighed: Weighed, known: Statistics, facets: Facets, near: list[int]) -> _Whole:
    """Score spans for every wording, each by itself; tell which numbers are spans that may be found."""
    weights = [(number, one) for number, wording in enumerate(weighed.wordings) for one in wording]
    asked = columns(((number, one.term, one.text, one.metadata, one.bit) for number, one in weights), 5)
    among, values = facets.spans()
    values = [*asked, near, *saturation(known), facets.scope_key, *values]
    whole = _Whole([{} for _ in weighed.wordings], {}, set())
    for number, span_id, text, score, in_text, anywhere in session.rows(_WHOLE.format(among=among), values):
        if number is None:
            whole.allowed.add(span_id)
            continue
        whole.alone[number][span_id] = text, score
        had = whole.words.get(span_id, Words())
        whole.words[span_id] = Words(had.in_text | in_text, had.anywhere | anywhere)
    return whole


def _list(head: Sequence[int], whole: _Whole, number: int, depth: int) -> tuple[tuple[int, int], ...]:
    """Add the shares of their neighbours to the scores of the best spans and of those beside them."""
    if not head:
        return ()
    alone, nothing = whole.alone[number], (0.0, 0.0)
    totals = []
    for span_id in whole.allowed.intersection(near for at in head for near in (at - 1, at, at + 1)):
        shares = BEFORE * alone.get(span_id - 1, nothing)[0] + AFTER * alone.get(span_id + 1, nothing)[0]
        totals.append((-round(alone.get(span_id, nothing)[1] + shares), span_id))
    return tuple((span_id, -score) for score, span_id in sorted(totals)[:depth])
