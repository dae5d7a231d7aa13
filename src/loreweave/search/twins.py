"""Spans that say the same, brought together: an answer of five copies would be an answer of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from loreweave.search.constants import ALIKE, CLOSER, SHINGLE
from loreweave.search.passages import Passage


def together(found: Iterable[Passage]) -> Iterator[list[Passage]]:
    """Give spans, the best first, each with its copies among the others; of many only the first are compared."""
    groups: list[list[Passage]] = []
    by_hash: dict[str, list[Passage]] = {}
    for place, passage in enumerate(found):
        group = by_hash.get(passage.hash)
        if group is None and place < CLOSER:
            group = next((of for of in groups if _alike(of[0].text, passage.text)), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(passage)
        by_hash[passage.hash] = group
    yield from groups


def _alike(one: str, other: str) -> bool:
    """Say whether two texts have nearly all their shingles in common; what differs much in length cannot."""
    if not ALIKE * ALIKE <= len(one) / max(len(other), 1) <= 1 / (ALIKE * ALIKE):
        return False
    mine, theirs = _shingles(one), _shingles(other)
    if not ALIKE <= len(mine) / len(theirs) <= 1 / ALIKE:
        return False
    shared = len(mine & theirs)
    return shared >= ALIKE * (len(mine) + len(theirs) - shared)


@lru_cache(2 * CLOSER)
def _shingles(text: str) -> frozenset[str]:
    plain = " ".join(text.casefold().split())
    return frozenset(plain[at : at + SHINGLE] for at in range(max(1, len(plain) - SHINGLE + 1)))
