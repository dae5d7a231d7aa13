"""Where the words of a question stand: the postings of its terms, all of them where they are few.

Where they are many, the database first finds the spans that score best by themselves, and gives the postings of these
and of what stands around them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from loreweave.search.constants import AROUND
from loreweave.search.facets import Facets
from loreweave.search.statistics import Hit, Statistics
from loreweave.search.weights import Weighed, columns, saturation

if TYPE_CHECKING:
    from loreweave.store.session import Session

_AROUND = f"""
    with asked as (select unnest(?::varchar[]) as term)
    select term, field = 'text', span_id, tf, words from postings join asked using (term)
    where scope_key = ? and span_id in (
        select best + step from (select unnest(?::bigint[]) as best), range(-{AROUND}, {AROUND + 1}) near(step)
    )
"""
_PART = """round(case field when 'text' then text_weight else metadata_weight end * tf
        / (tf + case field when 'text' then ?::double + ?::double * words else ?::double + ?::double * words end))"""
_BEST = f"""(
    with asked as (
        select unnest(?::varchar[]) as term, unnest(?::double[]) as text_weight, unnest(?::double[]) as metadata_weight
    )
    select span_id from postings join asked using (term) {{among}} where scope_key = ?
    group by span_id order by sum({_PART}) desc, span_id limit ?
)"""
_UNDATED = """
    with asked as (select unnest(?::varchar[]) as term)
    select count(distinct span_id) from postings join asked using (term) semi join ({among}) using (span_id)
    where scope_key = ?
"""


def hits(session: Session, weighed: Weighed, known: Statistics, facets: Facets, count: int) -> Sequence[Hit]:
    """Give the postings of the terms of a question, of ``count`` spans a wording and what is around them at least."""
    if known.hits is not None:
        return known.hits
    best = _best(session, weighed, known, facets, count)
    return session.rows(_AROUND, [_terms(weighed), facets.scope_key, best])


def undated(session: Session, weighed: Weighed, facets: Facets) -> int:
    """Count the spans that have words of the question and are left out because they bear no date."""
    if not facets.dated:
        return 0
    among, values = facets.spans(undated=True)
    rows = session.rows(_UNDATED.format(among=among), [_terms(weighed), *values, facets.scope_key])
    return sum(count for (count,) in rows)


def allowed(session: Session, spans: Collection[int], facets: Facets) -> Collection[int]:
    """Give those of these spans that may be found; all of them where nothing but the scope is asked for."""
    if not facets.any:
        return spans
    sql, values = facets.spans()
    rows = session.rows(f"{sql} and span_id in (select unnest(?::bigint[]))", [*values, sorted(spans)])
    return {span_id for (span_id,) in rows}


def _terms(weighed: Weighed) -> list[str]:
    return sorted({one.term for weights in weighed.wordings for one in weights})


def _best(session: Session, weighed: Weighed, known: Statistics, facets: Facets, count: int) -> list[int]:
    """Give the spans that score best by themselves for some wording."""
    among, of_facets = facets.spans() if facets.any else ("", [])
    one = _BEST.format(among=f"semi join ({among}) using (span_id)" if among else "")
    asked = [columns(((one.term, one.text, one.metadata) for one in weights), 3) for weights in weighed.wordings]
    values = [[*of_wording, *of_facets, facets.scope_key, *saturation(known), count] for of_wording in asked]
    rows = session.rows(" union ".join([one] * len(values)), [value for each in values for value in each])
    return sorted(span_id for (span_id,) in rows)
