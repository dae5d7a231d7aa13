"""Words in the order in which they were asked: side by side they say more than scattered over a span."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from loreweave.notes.words import terms
from loreweave.search.constants import K1, ORDERED, PHRASE, WITHIN
from loreweave.search.weights import Weight

Scores = Sequence[tuple[int, int]]


def in_order(found: Scores, weights: Sequence[Weight], texts: Mapping[int, str], stemmer: str) -> Scores:
    """Raise the first spans of a list by what they have of the wording word by word, and order them anew.

    ``texts`` are those of the spans that have several words of it; others have none word by word.
    """
    pairs = {(one.term, other.term): (one.text + other.text) / 2 for one, other in pairwise(weights)}
    if not pairs:
        return found
    raised = []
    for span_id, score in found[:ORDERED]:
        text = terms(texts[span_id], stemmer) if span_id in texts else ()
        raised.append((span_id, score + round(PHRASE * _following(text, pairs))))
    return [*sorted(raised, key=lambda each: (-each[1], each[0])), *found[ORDERED:]]


def _following(text: Sequence[str], pairs: Mapping[tuple[str, str], float]) -> float:
    asked = {term for pair in pairs for term in pair}
    places = [place for place, term in enumerate(text) if term in asked]
    counts: Counter[tuple[str, str]] = Counter()
    for at, place in enumerate(places):
        for later in places[at + 1 : at + 1 + WITHIN]:
            if later - place <= WITHIN:
                counts[text[place], text[later]] += 1
    return sum(weight * counts[pair] / (counts[pair] + K1) for pair, weight in pairs.items() if pair in counts)
