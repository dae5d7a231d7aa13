"""Spans that say the same, brought together: an answer of five copies would be an answer of one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from loreweave.search.constants import ALIKE, CLOSER, SHINGLE
from loreweave.search.passages import Passage


def together(found: Iterable[Passage], wanted: int) -> list[list[Passage]]:
    """Give spans, the best first, each with its copies among the others.

    Spans of the same text are always brought together; ones that nearly have it where one is among the ``wanted``
    first and the other not far behind.
    """
    groups: list[list[Passage]] = []
    by_hash: dict[str, list[Passage]] = {}
    for place, passage in enumerate(found):
        group = by_hash.get(passage.hash)
        if group is None and place < CLOSER * wanted:
            group = next((of for of in groups[:wanted] if _alike(of[0].text, passage.text)), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(passage)
        by_hash[passage.hash] = group
    return groups


def _alike(one: str, other: str) -> bool:
    """Say whether two texts have nearly all their shingles in common; what differs much in length cannot."""
    if not ALIKE * ALIKE <= len(one) / max(len(other), 1) <= 1 / (ALIKE * ALIKE):
        return False
    mine, theirs = _shingles(one), _shingles(other)
    shared = len(mine & theirs)
    return shared >= ALIKE * (len(mine) + len(theirs) - shared)


@lru_cache(256)
def _shingles(text: str) -> frozenset[str]:
    plain = " ".join(text.casefold().split())
    return frozenset(plain[at : at + SHINGLE] for at in range(max(1, len(plain) - SHINGLE + 1)))
