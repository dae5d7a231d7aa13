"""Copies among spans: what is looked up by shingles is what holding each against each finds, at any number wanted."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from time import perf_counter

import pytest

from loreweave.search import twins
from loreweave.search.passages import Passage

WORDS = [f"{first}{last}" for first in "abcdefghij" for last in ("rch", "ill", "ond")]


def passages(texts: list[str], days: int = 1) -> list[Passage]:
    return [
        Passage(at, f"{at}.md", "", 1, 1, text, sha256(text.encode()).hexdigest(), at % days, at % days + 1)
        for at, text in enumerate(texts)
    ]


def texts(chance: Random, count: int) -> list[str]:
    """Give texts of a few families, most of them a word or two away from another."""
    families = [chance.choices(WORDS, k=chance.choice((1, 2, 5, 20, 40, 60))) for _ in range(max(1, count // 6))]
    found = []
    for _ in range(count):
        words = list(chance.choice(families))
        for _ in range(chance.randint(0, 2)):
            words[chance.randrange(len(words))] = chance.choice([*WORDS, "2024", ""])
        found.append(" ".join(words))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_looking_up_finds_what_each_against_each_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(seed)
    found = passages(texts(chance, 300), 1 + seed % 3)
    for wanted in (1, 17, 60, 300):
        monkeypatch.setattr(twins, "_EACH", 1_000)
        plain = twins.together(found, wanted)
        monkeypatch.setattr(twins, "_EACH", 3)
        assert twins.together(found, wanted) == plain


def test_thousands_of_spans_of_one_kind_are_brought_together_at_once() -> None:
    chance = Random(1)
    found = passages(
        [f"# Part {at}\n{chance.choice(WORDS)} was said {chance.choice(WORDS)} twice" for at in range(6_000)]
    )
    began = perf_counter()
    assert len(twins.together(found, 6_000)) == 6_000
    assert perf_counter() - began < 3
