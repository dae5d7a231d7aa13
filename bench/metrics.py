"""What a ranking is worth: the definitions of every figure that is told of retrieval.

A question wants one or several things. A ranking gives results, best first; each result is known by one or several
keys, such as the path of its note and the place in it. A thing is found at the first result that has one of its keys.
Every figure is worked out for each question and then averaged over the questions, each of which counts alike:

- R@k, recall: the share of the things wanted that are found in the first k results.
- Hit@k: 1 where at least one of them is found in the first k results, else 0.
- MRR@k: 1 / the rank of the first result that is wanted, 0 where none is in the first k.
- nDCG@k: the sum of 1 / log2(rank + 1) over the things found in the first k results, divided by the greatest sum there
  could be. Things are wanted or not, there are no grades.

A result that repeats an earlier one, by its first key, takes no rank where a set ranks notes and not passages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log2
from statistics import fmean

Keys = tuple[str, ...]
"""Names of one result; the first is what it is."""

Wanted = frozenset[str]
"""Names of one thing to be found, any of which will do."""

Ranks = tuple[int | None, ...]
"""Where each thing wanted was found, counted from 1; None where it was not."""


def distinct(found: Iterable[Keys]) -> list[Keys]:
    """Leave out results that repeat an earlier one."""
    first: dict[str, Keys] = {}
    for keys in found:
        first.setdefault(keys[0], keys)
    return list(first.values())


def ranks(found: Sequence[Keys], wanted: Iterable[Wanted]) -> Ranks:
    """Find each thing wanted among the results."""
    return tuple([next((at for at, keys in enumerate(found, 1) if not one.isdisjoint(keys)), None) for one in wanted])


def recall(at: Ranks, depth: int) -> float:
    """Give the share of what is wanted that is found."""
    return len(_within(at, depth)) / len(at)


def hit(at: Ranks, depth: int) -> float:
    """Tell, as 1 or 0, whether anything wanted is found."""
    return float(bool(_within(at, depth)))


def reciprocal(at: Ranks, depth: int) -> float:
    """Give 1 over the first rank."""
    return max((1 / rank for rank in _within(at, depth)), default=0.0)


def gain(at: Ranks, depth: int) -> float:
    """Give the normalised discounted gain."""
    best = sum(_discounted(range(1, min(len(at), depth) + 1)))
    return sum(_discounted(sorted(_within(at, depth)))) / best


def mean(figure: Callable[[Ranks, int], float], depth: int, of: Sequence[Ranks]) -> float:
    """Average a figure over questions."""
    return fmean(figure(at, depth) for at in of)


def _within(at: Ranks, depth: int) -> list[int]:
    return [rank for rank in at if rank is not None and rank <= depth]


def _discounted(found: Iterable[int]) -> Iterable[float]:
    return (1 / log2(rank + 1) for rank in found)
