"""Spans ranked for each wording: BM25 over their text and over what is said of them, and what stands around them.

A span has shares in the scores of those before and after it, for an answer often stands beside its question, and one in
what its surroundings say as a whole: each word of the wording counts there where it is said best. The numbers of a
note's spans follow each other, and those of two notes lie far apart, so which stand near each other is known without
asking. Scores are sums of whole numbers, so no order of summing shows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.search.constants import AROUND, BESIDE, HEAD, SURROUNDINGS
from loreweave.search.facets import Facets
from loreweave.search.hits import Hit, allowed, hits
from loreweave.search.statistics import Statistics
from loreweave.search.weights import Weighed, Weight, saturation

if TYPE_CHECKING:
    from loreweave.store.session import Session

Scored = tuple[tuple[int, int], ...]
"""Spans with their scores, the best first."""


class Words(NamedTuple):
    """Which words of a question a span has in its text, and which in its text or its metadata: bits."""

    in_text: int = 0
    anywhere: int = 0


_NONE = Words()


@attrs.frozen
class Ranking:
    """For each wording its spans with their scores, the best first, and which words the spans have.

    A number that stands beside a span that was found, and has no words itself, may be that of no span.
    """

    lists: tuple[Scored, ...]
    words: Mapping[int, Words]


def rank(session: Session, weighed: Weighed, known: Statistics, facets: Facets, depth: int) -> Ranking:
    """Rank the spans that may be found for each wording, at most ``depth`` of them."""
    count = int(depth * HEAD)
    parts = _Parts(hits(session, weighed, known, facets, count), weighed, known)
    tables = [_Table(parts, weights) for weights in weighed.wordings]
    may = allowed(session, parts.words.keys(), facets)
    heads = [table.head(may, count) for table in tables]
    beside = [{near for at in head for near in (at - 1, at, at + 1)} for head in heads]
    if facets.any:
        may = allowed(session, set[int]().union(*beside), facets)
        beside = [spans.intersection(may) for spans in beside]
    lists = [table.scored(spans, depth) for table, spans in zip(tables, beside, strict=True)]
    return Ranking(tuple(lists), parts.words)


class _Parts:
    """What each term adds to the score of each span by standing in its text, and in its metadata."""

    def __init__(self, found: Iterable[Hit], weighed: Weighed, known: Statistics) -> None:
        weights = {one.term: one for wording in weighed.wordings for one in wording}
        few, more, few_said, more_said = saturation(known)
        self.text: dict[str, dict[int, int]] = {term: {} for term in weights}
        self.metadata: dict[str, dict[int, int]] = {term: {} for term in weights}
        self.words: dict[int, Words] = {}
        for term, in_text, span_id, often, words in found:
            weight = weights[term]
            has_text, anywhere = self.words.get(span_id, _NONE)
            if in_text:
                self.text[term][span_id] = round(weight.text * often / (often + few + more * words))
                has_text |= weight.bit
            else:
                said = round(weight.metadata * often / (often + few_said + more_said * words))
                self.metadata[term][span_id] = said
            self.words[span_id] = Words(has_text, anywhere | weight.bit)


class _Table:
    """The scores of spans for one wording: those of their texts, and those with their metadata."""

    def __init__(self, parts: _Parts, weights: Sequence[Weight]) -> None:
        self._texts = [parts.text[one.term] for one in weights]
        self._alone, self._whole = Counter[int](), Counter[int]()
        for text in self._texts:
            self._alone.update(text)
        self._whole.update(self._alone)
        for one in weights:
            self._whole.update(parts.metadata[one.term])

    def head(self, may: Collection[int], count: int) -> list[int]:
        """Give the spans that score best by themselves, of those that may be found."""
        whole = self._whole
        return nsmallest(count, (span_id for span_id in whole if span_id in may), key=lambda each: (-whole[each], each))

    def scored(self, spans: Iterable[int], depth: int) -> Scored:
        """Score spans with what stands around them, and give the best."""
        alone, around = self._alone, [sorted(text.items()) for text in self._texts if text]
        numbers = [([span_id for span_id, _ in text], [part for _, part in text]) for text in around]
        found = []
        for span_id in spans:
            beside = sum(share * alone[span_id + step] for step, share in BESIDE.items())
            best = sum(_best(*text, span_id) for text in numbers)
            found.append((round(-self._whole[span_id] - beside - SURROUNDINGS * best), span_id))
        return tuple((span_id, -score) for score, span_id in nsmallest(depth, found))


def _best(spans: list[int], parts: list[int], span_id: int) -> int:
    """Give the greatest part that a word has around a span."""
    first, last = bisect_left(spans, span_id - AROUND), bisect_right(spans, span_id + AROUND)
    return max(parts[first:last]) if first < last else 0
