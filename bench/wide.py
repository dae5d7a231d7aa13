"""Vaults of a wide vocabulary: the notes of ``notes.py``, most of whose prose is drawn from thirty thousand words.

A word's share falls with its rank, as it does in what people write: the hundredth stands in one passage of
twenty-five, most in one of thousands. Questions take words of one note, as people ask for what they remember of it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import notes

VOCABULARY = 30_000
COMMONEST = 20
"""So many words are in every other passage, as stop words are, and nobody asks for them."""

DRAWN = 0.7
_ONSETS, _VOWELS, _CODAS = (
    "b d f g k l m n p r s t v z br st tr pl".split(),
    "a e i o u ai ou".split(),
    "n r l s t m".split(),
)
_prose_words = re.compile(r"(?<![\w\[#:-])[a-z]{3,}(?![\w:/-])").sub


def write(vault: Path, count: int) -> None:
    """Write so many notes into a vault."""
    for number in range(count):
        path = vault / notes.path_of(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(number, count).encode())


def text_of(number: int, count: int) -> str:
    """Write a note, its frontmatter as it was."""
    chance = Random(number)
    front, body = notes.text_of(number, count).split("---\n# ", 1)
    return f"{front}---\n# {_prose_words(lambda word: _drawn(chance) if chance.random() < DRAWN else word[0], body)}"


def wording_of(number: int, count: int) -> str:
    """Give a question of three to five words of a note."""
    chance = Random(number * 7 + 1)
    text = text_of(int(chance.random() * count), count)
    known = sorted(asked_for().intersection(text.split()))
    return " ".join(chance.sample(known, min(len(known), 3 + number % 3)))


@cache
def asked_for() -> frozenset[str]:
    """Give the words that anybody asks for."""
    return frozenset(word_at(rank) for rank in range(COMMONEST, VOCABULARY))


def word_at(rank: int) -> str:
    """Spell the word of a rank."""
    spelt, left = [], rank + len(_ONSETS) * len(_VOWELS)
    while left:
        left, onset = divmod(left, len(_ONSETS))
        left, vowel = divmod(left, len(_VOWELS))
        spelt.append(_ONSETS[onset] + _VOWELS[vowel])
    return "".join(spelt) + _CODAS[rank % len(_CODAS)]


def _drawn(chance: Random) -> str:
    return word_at(int(VOCABULARY ** chance.random()) - 1)
