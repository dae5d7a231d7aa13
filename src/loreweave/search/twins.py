"""Spans that say the same, brought together: an answer of five copies would be an answer of one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from loreweave.search.constants import ALIKE, CLOSER, SHINGLE
from loreweave.search.passages import Passage

_tokens = re.compile(r"[^\W\d\u2e80-\uffff]++|[0-9]++|[\u2e80-\uffff]").findall


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


class _Said(NamedTuple):
    """The shingles of a text, and its numbers: what differs in a date or an amount is no copy."""

    shingles: frozenset[tuple[str, ...]]
    numbers: tuple[str, ...]


def _alike(one: str, other: str) -> bool:
    """Say whether two texts have nearly all their shingles in common; what differs much in length cannot."""
    if not ALIKE * ALIKE <= len(one) / max(len(other), 1) <= 1 / (ALIKE * ALIKE):
        return False
    mine, theirs = _said(one), _said(other)
    if mine.numbers != theirs.numbers:
        return False
    shared = len(mine.shingles & theirs.shingles)
    return shared >= ALIKE * (len(mine.shingles) + len(theirs.shingles) - shared)


@lru_cache(256)
def _said(text: str) -> _Said:
    words = _tokens(text.casefold())
    runs = zip(*(words[at:] for at in range(SHINGLE)), strict=False)
    return _Said(frozenset(runs) or frozenset([tuple(words)]), tuple([word for word in words if word.isdigit()]))
