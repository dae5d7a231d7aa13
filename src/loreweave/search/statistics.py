"""What the words of a question are worth in a scope: how many spans there have them, and how long spans are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING

import attrs

from loreweave.search.constants import AT_HAND
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
    hits = session.rows(_HITS, [asked, scope_key, AT_HAND + 1])
    few = len(hits) <= AT_HAND
    having = _counted(hits) if few else {term: of for term, *of in session.rows(_HAVING, [asked, scope_key])}
    ((spans, words, metadata_words, unread),) = session.rows_once(_SUMS, scope_key)
    return Statistics(spans, words, metadata_words, unread, having, hits if few else None)


def _counted(hits: Iterable[Hit]) -> Mapping[str, Sequence[int]]:
    having: dict[str, list[int]] = {}
    for term, in_text, *_ in hits:
        having.setdefault(term, [0, 0])[not in_text] += 1
    return having
