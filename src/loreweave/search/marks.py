"""The words of a span that a question has, as they are written there: what is marked where a span is shown."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from loreweave.notes.words import terms

_written = re.compile(r"[^\W_]++(?:['’][^\W_]++)?+").findall


def marks(text: str, asked: Collection[str], stemmer: str) -> tuple[str, ...]:
    """Give the words of a text that are among these terms, each spelling once, in their order."""
    return tuple(dict.fromkeys(_marks(text, frozenset(asked), stemmer)))


def _marks(text: str, asked: Collection[str], stemmer: str) -> Iterator[str]:
    for word in dict.fromkeys(_written(text)):
        found = [term for term in _terms(word, stemmer) if term in asked]
        parts = [term for term in found if term in word and len(term) < len(word)]
        if found and (word.isascii() or not parts):
            yield word
        elif found:
            yield from parts


@lru_cache(1 << 14)
def _terms(word: str, stemmer: str) -> tuple[str, ...]:
    return tuple(terms(word, stemmer))
