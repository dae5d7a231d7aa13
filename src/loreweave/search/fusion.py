"""Lists brought together by rank: between wordings, ranks vote and scores do not.

Reciprocal rank fusion: a span has ``1 / (60 + rank)`` of each list it stands in. Equal scores share a rank, so that
nothing hangs on an order nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum

from loreweave.search.constants import FUSION


def ranks(scored: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Give the rank of each span of a list of spans and scores, the best first; from 1, equals share one."""
    found: dict[int, int] = {}
    rank, last = 0, None
    for place, (span_id, score) in enumerate(scored, start=1):
        rank, last = (rank, last) if score == last else (place, score)
        found[span_id] = rank
    return found


def fuse(lists: Iterable[dict[int, int]]) -> dict[int, float]:
    """Give the score of each span of any list; the order of the lists does not show."""
    shares: dict[int, list[float]] = {}
    for one in lists:
        for span_id, rank in one.items():
            shares.setdefault(span_id, []).append(1 / (FUSION + rank))
    return {span_id: fsum(of) for span_id, of in shares.items()}
