"""What each word of a question counts for: the fewer spans have it, the more. Weights are in millionths of a score."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from loreweave.notes.words import written
from loreweave.search.constants import K1, METADATA, READ, UNIT, B
from loreweave.search.statistics import Statistics
from loreweave.search.synonyms import synonyms
from loreweave.search.wordings import Wording


class Weight(NamedTuple):
    """A term that is there, the word it was asked by, and its weights in texts and in metadata.

    ``bit`` is set in the number that tells which words a span has.
    """

    term: str
    word: str
    text: float
    metadata: float
    bit: int


class Weighed(NamedTuple):
    """The weights of each wording; ``cut`` where the most frequent words of one were too much to read."""

    wordings: tuple[tuple[Weight, ...], ...]
    cut: bool

    def named(self, bits: int) -> tuple[str, ...]:
        """Give the words of the question whose bits are set, in the order in which they were asked."""
        words: dict[str, set[str]] = {}
        for one in chain.from_iterable(self.wordings):
            if one.bit & bits:
                words.setdefault(one.word, set()).add(one.term)
        return tuple(dict.fromkeys(part for word, found in words.items() for part in written(word, found)))


def weigh(wordings: Iterable[Wording], known: Statistics, stemmer: str) -> Weighed:
    """Weigh the words of each wording; one that is nowhere in the scope is asked for by its synonyms."""
    bits: dict[str, int] = {}
    found, cut = [], False
    for wording in wordings:
        there = _there(wording, known, stemmer)
        kept = _affordable(there, known)
        cut = cut or len(kept) < len(there)
        for term in kept:
            bits.setdefault(term, 1 << len(bits))
        found.append(tuple([_weight(term, word, known, bits[term]) for term, word in kept.items()]))
    return Weighed(tuple(found), cut)


def saturation(known: Statistics) -> tuple[float, float, float, float]:
    """Give what is added to a frequency in a text, and that for each word of the text; the same for metadata."""
    of_text = known.spans / known.words if known.words else 0.0
    of_metadata = known.spans / known.metadata_words if known.metadata_words else 0.0
    return K1 * (1 - B), K1 * B * of_text, K1 * (1 - B), K1 * B * of_metadata


def _there(wording: Wording, known: Statistics, stemmer: str) -> dict[str, str]:
    """Give the terms of a wording that some span has, each with the word it was asked by."""
    there: dict[str, str] = {}
    for term, word in wording.terms:
        if term in known.having:
            there.setdefault(term, word)
            continue
        for other, meant in synonyms(term, stemmer).items():
            if other in known.having:
                there.setdefault(other, f"{meant} (for {word})")
    return there


def _affordable(there: dict[str, str], known: Statistics) -> dict[str, str]:
    """Leave out the most frequent words where they would be too much to read; they tell the least."""
    read, kept = 0, set[str]()
    for term in sorted(there, key=lambda term: (sum(known.having[term]), term)):
        read += sum(known.having[term])
        if read > READ and kept:
            break
        kept.add(term)
    return {term: word for term, word in there.items() if term in kept}


def _weight(term: str, word: str, known: Statistics, bit: int) -> Weight:
    in_text, in_metadata = known.having[term]
    text = (K1 + 1) * UNIT * known.rarity(in_text)
    metadata = (K1 + 1) * UNIT * known.rarity(in_metadata) * METADATA
    return Weight(term, word, text, metadata, bit)


def columns(weights: Iterable[tuple[object, ...]], width: int) -> list[list[object]]:
    """Turn rows into columns, empty ones too."""
    rows = list(weights)
    return [[row[at] for row in rows] for at in range(width)]
