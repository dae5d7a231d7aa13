"""Spans that say the same, brought together: an answer of five copies would be an answer of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from loreweave.search.constants import ALIKE, CLOSER, SHINGLE, TIMES
from loreweave.search.passages import Passage

_EACH = 16
"""How many groups are held against each span one by one; more are looked up by what they say."""

_tokens = re.compile(r"[^\W\d\u2e80-\uffff]++|[0-9]++|[\u2e80-\uffff]").findall


def together(found: Iterable[Passage], wanted: int) -> list[list[Passage]]:
    """Give spans, the best first, each with its copies among the others.

    Spans of the same text are always brought together; ones that nearly have it where one is among the ``wanted``
    first and the other not far behind. What is said of another time is no copy, up to ``TIMES`` times: a text that
    stands under very many days is not the whole answer.
    """
    passages = list(found)
    groups: list[list[Passage]] = []
    by_hash: dict[str, list[list[Passage]]] = {}
    further = _Further(passages[: CLOSER * wanted] if wanted > _EACH else ())
    for place, passage in enumerate(passages):
        same = by_hash.setdefault(passage.hash, [])
        group = _of_its_time(same, passage)
        if group is None and place < CLOSER * wanted:
            alike = [of for of in groups[: min(wanted, _EACH)] if _alike(of[0].text, passage.text)]
            alike += further.alike(passage)
            group = _of_its_time([*alike, *(of for of in same if not _among(of, alike))], passage)
        if group is None:
            group = []
            groups.append(group)
            if _EACH < len(groups) <= wanted:
                further.add(passage, group)
        group.append(passage)
        if not _among(group, same):
            same.append(group)
    return groups


def _among(group: list[Passage], others: Iterable[list[Passage]]) -> bool:
    return any(group is each for each in others)


def _of_its_time(copies: Iterable[list[Passage]], passage: Passage) -> list[Passage] | None:
    """Give of groups that say the same the one about the same time, or the first where there are ``TIMES`` others."""
    others = []
    for group in copies:
        if (group[0].content_from, group[0].content_until) == (passage.content_from, passage.content_until):
            return group
        others.append(group)
        if len(others) == TIMES:
            return others[0]
    return None


class _Further:
    """The groups after the first few, by some shingles of their best spans, so that not all are held against each.

    Of texts that have so much in common, the tenth of their shingles that is rarest here, and one more, has one in
    common: what is found so is all that each against each would find.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._often = Counter(chain.from_iterable(_said(each.text).shingles for each in passages))
        self._groups: list[list[Passage]] = []
        self._having: dict[tuple[object, ...], list[int]] = {}

    def add(self, passage: Passage, group: list[Passage]) -> None:
        """Keep a group that begins with this span."""
        for each in self._telling(passage):
            self._having.setdefault(each, []).append(len(self._groups))
        self._groups.append(group)

    def alike(self, passage: Passage) -> Iterator[list[Passage]]:
        """Give the groups that a span is nearly a copy of."""
        if self._groups:
            near = sorted({at for each in self._telling(passage) for at in self._having.get(each, ())})
            yield from (of for at in near if _alike((of := self._groups[at])[0].text, passage.text))

    def _telling(self, passage: Passage) -> list[tuple[object, ...]]:
        said = _said(passage.text)
        rarest = sorted(said.shingles, key=lambda each: (self._often[each], each))
        return [(said.numbers, each) for each in rarest[: int(len(rarest) * (1 - ALIKE) + 0.001) + 1]]


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
