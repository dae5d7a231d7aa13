"""Lists brought together by rank: between wordings, ranks vote and scores do not.

Reciprocal rank fusion: a span has ``1 / (8 + rank)`` of each list it stands in, and a wording that nothing answers
well has less of a vote. Equal scores share a rank, so that nothing hangs on an order nobody asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from loreweave.search.constants import FUSION, LEAST_VOTE

Scores = Sequence[tuple[int, int]]
"""Spans with their scores, the best first."""


def ranks(scored: Scores) -> dict[int, int]:
    """Give the rank of each span of a list; from 1, equals share one."""
    found: dict[int, int] = {}
    rank, last = 0, None
    for place, (span_id, score) in enumerate(scored, start=1):
        rank, last = (rank, last) if score == last else (place, score)
        found[span_id] = rank
    return found


def fuse(lists: Sequence[Scores]) -> dict[int, float]:
    """Give the score of each span of any list; the order of the lists does not show.

    A list has ``LEAST_VOTE``, and the rest of a vote by the share that its best score has of the best of all.
    """
    tops = [found[0][1] if found else 0 for found in lists]
    best = max(tops, default=0) or 1
    shares: dict[int, list[float]] = {}
    for found, top in zip(lists, tops, strict=True):
        vote = LEAST_VOTE + (1 - LEAST_VOTE) * top / best
        for span_id, rank in ranks(found).items():
            shares.setdefault(span_id, []).append(vote / (FUSION + rank))
    return {span_id: fsum(of) for span_id, of in shares.items()}
