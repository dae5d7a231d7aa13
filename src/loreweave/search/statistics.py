"""What the words of a question are worth in a scope: how many spans there have them, and how long spans are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING

import attrs

from loreweave.search.constants import AT_HAND, KEPT
from loreweave.search.synonyms import synonyms

if TYPE_CHECKING:
    from loreweave.store.session import Session

_UNREAD = "unreadable-file"
_HITS = """
    with asked as (select unnest(?::varchar[]) as term)
    select term, field = 'text', span_id, tf, words from postings join asked using (term) where scope_key = ? limit ?
"""
_HAVING = """
    with asked as (select unnest(?::varchar[]) as term)
    select term, count(*) filter (field = 'text'), count(*) filter (field <> 'text')
    from postings join asked using (term) where scope_key = ? group by term
"""
_SUMS = f"""
    select count(*), coalesce(sum(words), 0)::bigint, coalesce(sum(metadata_words), 0)::bigint,
        (select count(*) from findings where code = '{_UNREAD}' and (scope_key = $1 or scope_key is null))
    from spans where scope_key = $1
"""

_FREQUENT = f"""
    select term, count(*) filter (field = 'text'), count(*) filter (field <> 'text')
    from postings where scope_key = ? group by term having count(*) > {AT_HAND // 8} limit ?
"""

Hit = tuple[str, bool, int, int, int]
"""A term, whether it stands in the text, the span, how often, and how many words that field of the span has."""


@attrs.frozen
class Statistics:
    """The spans of a scope, the words in all their texts and in all their metadata, and its files left unread.

    ``having`` gives for each word that is there how many spans have it in their text, and in their metadata; ``hits``
    are all its postings, where these are few.
    """

    spans: int
    words: int
    metadata_words: int
    unread: int
    having: Mapping[str, Sequence[int]]
    hits: Sequence[Hit] | None

    def rarity(self, having: int) -> float:
        """Give what a word that so many spans have tells: much, if they are few."""
        return log(1 + (self.spans - having + 0.5) / (having + 0.5))


def statistics(session: Session, terms: Iterable[str], scope_key: str, stemmer: str) -> Statistics:
    """Count spans and words of a scope, and the spans that have each of these terms or a synonym of it."""
    asked = sorted({one for term in terms for one in (term, *synonyms(term, stemmer))})
    having: Mapping[str, Sequence[int]] = _known(session, asked, scope_key)
    hits = _hits(session, asked, scope_key) if sum(map(sum, having.values())) <= AT_HAND else None
    if hits is None:
        having = {**having, **_having(session, [one for one in asked if one not in having], scope_key)}
    else:
        having = _counted(hits)
    ((spans, words, metadata_words, unread),) = session.rows_once(_SUMS, scope_key)
    return Statistics(spans, words, metadata_words, unread, having, hits)


def _known(session: Session, terms: Iterable[str], scope_key: str) -> dict[str, Sequence[int]]:
    """Give how many spans have those of these terms that are frequent, where these counts are at hand."""
    frequent = session.kept(_frequent, scope_key, of_notes=True) or {}
    return {term: frequent[term] for term in terms if term in frequent}


def _frequent(session: Session, scope_key: str) -> dict[str, Sequence[int]]:
    return {term: of for term, *of in session.rows(_FREQUENT, [scope_key, KEPT])}


def _hits(session: Session, terms: Sequence[str], scope_key: str) -> Sequence[Hit] | None:
    """Give all postings of these terms; None where they are many."""
    hits = session.rows(_HITS, [terms, scope_key, AT_HAND + 1])
    return hits if len(hits) <= AT_HAND else None


def _having(session: Session, terms: Sequence[str], scope_key: str) -> dict[str, Sequence[int]]:
    return {term: of for term, *of in session.rows(_HAVING, [terms, scope_key])} if terms else {}


def _counted(hits: Iterable[Hit]) -> Mapping[str, Sequence[int]]:
    having: dict[str, list[int]] = {}
    for term, in_text, *_ in hits:
        having.setdefault(term, [0, 0])[not in_text] += 1
    return having
