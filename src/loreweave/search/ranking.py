"""Spans ranked for each wording: BM25 over their text and over what is said of them, and what stands around them.

A span has shares in the scores of those before and after it, for an answer often stands beside its question, and one in
what its surroundings say as a whole: each word of the wording counts there where it is said best. The numbers of a
note's spans follow each other, and those of two notes lie far apart, so which stand near each other is known without
asking. Scores are sums of whole numbers, so no order of summing shows.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.search.constants import AROUND, BESIDE, BETWEEN, HEAD, SURROUNDINGS
from loreweave.search.facets import Facets
from loreweave.search.hits import allowed, hits
from loreweave.search.statistics import Hit, Statistics
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

    def of_several(self) -> Iterator[int]:
        """Give the spans that have several words of the question in their text."""
        return (span_id for span_id, words in self.words.items() if words.in_text & (words.in_text - 1))


def rank(session: Session, weighed: Weighed, known: Statistics, facets: Facets, depth: int) -> Ranking:
    """Rank the spans that may be found for each wording, at most ``depth`` of them."""
    count = int(depth * HEAD)
    parts = _Parts(hits(session, weighed, known, facets, count), weighed, known)
    tables = [_Table(parts, weights) for weights in weighed.wordings]
    may = allowed(session, {span_id for table in tables for span_id in table.whole}, facets)
    heads = [table.head(may, count) for table in tables]
    beside = [{near for at in head[:BETWEEN] for near in (at - 1, at + 1)}.union(head) for head in heads]
    if facets.any:
        may = allowed(session, set[int]().union(*beside), facets)
        beside = [spans.intersection(may) for spans in beside]
    lists = tuple([table.scored(spans, depth) for table, spans in zip(tables, beside, strict=True)])
    return Ranking(lists, parts.words({span_id for found in lists for span_id, _ in found}, weighed))


class _Parts:
    """What each term adds to the score of each span by standing in its text, and in its metadata."""

    def __init__(self, found: Iterable[Hit], weighed: Weighed, known: Statistics) -> None:
        weights = {one.term: one for wording in weighed.wordings for one in wording}
        few, more, few_said, more_said = saturation(known)
        self.text: dict[str, dict[int, int]] = {term: {} for term in weights}
        self.metadata: dict[str, dict[int, int]] = {term: {} for term in weights}
        for term, in_text, span_id, often, words in found:
            if term not in weights:
                continue
            if in_text:
                self.text[term][span_id] = round(weights[term].text * often / (often + few + more * words))
            else:
                part = weights[term].metadata * often / (often + few_said + more_said * words)
                self.metadata[term][span_id] = round(part)

    def words(self, spans: Collection[int], weighed: Weighed) -> dict[int, Words]:
        """Tell which words these spans have; none of a span that has no word."""
        found: dict[int, Words] = {}
        for term, bit in {one.term: one.bit for wording in weighed.wordings for one in wording}.items():
            text, metadata = self.text[term], self.metadata[term]
            for span_id in spans:
                if span_id in text:
                    has = found.get(span_id, _NONE)
                    found[span_id] = Words(has.in_text | bit, has.anywhere | bit)
                elif span_id in metadata:
                    has = found.get(span_id, _NONE)
                    found[span_id] = Words(has.in_text, has.anywhere | bit)
        return found


class _Table:
    """The scores of spans for one wording: those of their texts, and with their metadata, ``whole``."""

    def __init__(self, parts: _Parts, weights: Sequence[Weight]) -> None:
        self._texts = [text for one in weights if (text := parts.text[one.term])]
        self._alone: dict[int, int] = {}
        for text in self._texts:
            _add(self._alone, text)
        self.whole = self._alone.copy()
        for one in weights:
            _add(self.whole, parts.metadata[one.term])

    def head(self, may: Collection[int], count: int) -> list[int]:
        """Give the spans that score best by themselves, of those that may be found."""
        scored = [(-score, span_id) for span_id, score in self.whole.items() if span_id in may]
        return [span_id for _, span_id in nsmallest(count, scored)]

    def scored(self, spans: Iterable[int], depth: int) -> Scored:
        """Score spans with what stands around them, and give the best."""
        alone, around = self._alone, [sorted(text) for text in self._texts]
        texts = list(zip(self._texts, around, strict=True))
        found = []
        for span_id in spans:
            score = float(self.whole.get(span_id, 0))
            for step, share in BESIDE.items():
                score += share * alone.get(span_id + step, 0)
            for text, numbers in texts:
                at = bisect_left(numbers, span_id - AROUND)
                if at < len(numbers) and numbers[at] <= (last := span_id + AROUND):
                    score += SURROUNDINGS * max(map(text.__getitem__, numbers[at : bisect_right(numbers, last, at)]))
            found.append((-round(score), span_id))
        return tuple([(span_id, -score) for score, span_id in nsmallest(depth, found)])


def _add(scores: dict[int, int], parts: Mapping[int, int]) -> None:
    for span_id, part in parts.items():
        scores[span_id] = scores.get(span_id, 0) + part
