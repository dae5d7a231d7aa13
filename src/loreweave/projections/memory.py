"""What fades: how well a passage is remembered after its uses, and how much it matters. Days in, numbers out.

Forgetting is the power law of FSRS (Free Spaced Repetition Scheduler): of a passage whose memory has the stability S,
R(t, S) = (1 + F t/S)^-d is left t days after its last use, with F = 0.9^(-1/d) - 1, so that R(S, S) is 0.9 whatever the
decay d. A use makes S the longer, the more was forgotten and the shorter S was. Nothing else does: to be found is no
use. The decay is fitted to the vault's own uses, once there are enough of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from math import exp, fsum, isfinite, log, log2
from typing import NamedTuple

from loreweave.times import DAY, Instant

DECAY = 0.5
"""The decay where none is fitted: that of FSRS 4.5, with F = 19/81."""

FLATTEST, STEEPEST = 0.1, 0.8
"""The decays that are allowed, as in FSRS 6: the smaller, the longer is the tail of what is forgotten late."""

GRID = tuple(step / 100 for step in range(10, 85, 5))
"""The decays among which the likeliest is chosen."""

ENOUGH = 50
"""From how many uses on the decay is fitted."""

RETAINED = 0.9
"""What is left after S days; and what a first use finds, of which nothing was known before."""

FIRST, LONGEST = 1.0, 3_650.0
"""The stability before the first use, and the longest there is, in days."""

GROWTH, SATURATION, FORGOTTEN = 1.2, 0.11, 1.01
"""How a use makes a memory last: e^GROWTH S^-SATURATION (e^(FORGOTTEN (1-R)) - 1) times as long again. FSRS takes
difficulties from 1 to 10 off 11; a passage has none, and this is its hardest card, answered well."""

FADED = 0.3
"""Below which retrievability a passage is fading."""

_ALONE, _LINKED, _LINKING, _PRIORITY = 0.15, 0.1, 0.05, 0.3
_WORDS = {"low": 0.2, "medium": 0.5, "normal": 0.5, "high": 0.8, "urgent": 1.0, "critical": 1.0, "highest": 1.0}
"""What a priority written in words comes to."""


class Memory(NamedTuple):
    """What uses left of a passage: the stability in days, and the instant of the last use."""

    stability: float
    last: Instant

    def left(self, now: Instant, decay: float = DECAY) -> float:
        """Give how well it is remembered at an instant, from 0 to 1; before the last use it is 1."""
        return retrievability(days(self.last, now), self.stability, decay)


def days(earlier: Instant, later: Instant) -> float:
    """Give the days from one instant to another, 0 where that is no later."""
    return max(0, later - earlier) / DAY


def retrievability(elapsed: float, stability: float, decay: float = DECAY) -> float:
    """Give what is left of a memory after so many days, from 0 to 1; a decay that is not allowed is the nearest."""
    decay = _allowed(decay)
    return float((1 + _factor(decay) * elapsed / stability) ** -decay)


def strengthened(stability: float, left: float) -> float:
    """Give the stability after a use that finds so much left of a memory."""
    grown: float = exp(GROWTH) * stability**-SATURATION * (exp(FORGOTTEN * (1 - left)) - 1)
    return min(LONGEST, stability * (1 + grown))


def fold(uses: Iterable[Instant], decay: float = DECAY) -> Memory | None:
    """Give what the uses of one passage left, in whatever order they are given; None where there are none."""
    memories = [memory for memory, _ in _folded(uses, decay)]
    return memories[-1] if memories else None


def fit(passages: Iterable[Collection[Instant]], now: Instant) -> float | None:
    """Give the likeliest decay of the gaps between the uses of each passage; None where there are too few.

    R is taken for the chance that a passage is not needed again within t days. What came after the last use is not
    known yet: it counts as a gap of at least so long as until ``now``.
    """
    used = [sorted(set(uses)) for uses in passages if uses]
    if sum(map(len, used)) < ENOUGH:
        return None
    likely = {decay: round(fsum(term for uses in used for term in _likelihood(uses, now, decay)), 6) for decay in GRID}
    return max(GRID, key=lambda decay: (likely[decay], -abs(decay - DECAY)))


def importance(linked_by: int, links_to: int, priority: float | None = None) -> float:
    """Give how much a note matters, from 0 to 1: by how many notes link to it, to how many it links, and its word."""
    linked = _LINKED * log2(1 + linked_by) + _LINKING * log2(1 + links_to)
    return min(1.0, _ALONE + linked + _PRIORITY * (priority or 0.0))


def priority(written: object) -> float | None:
    """Read a priority as frontmatter has it, from 0 to 1, or from 1 to 10, or a word such as high; None otherwise."""
    if isinstance(written, list) and len(written) == 1:
        return priority(written[0])
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        return None
    text = str(written).strip().casefold()
    if text in _WORDS:
        return _WORDS[text]
    try:
        number = float(text)
    except ValueError:
        return None
    if not isfinite(number):
        return None
    return max(0.0, min(1.0, number / 10 if number > 1 else number))


def _folded(uses: Iterable[Instant], decay: float) -> Iterator[tuple[Memory, float | None]]:
    """Give the memory after each use, and how many days came before it; None before the first. Equals are one use."""
    stability = FIRST
    last: Instant | None = None
    for use in sorted(set(uses)):
        gap = None if last is None else days(last, use)
        stability = strengthened(stability, RETAINED if gap is None else retrievability(gap, stability, decay))
        last = use
        yield Memory(stability, use), gap


def _likelihood(uses: Iterable[Instant], now: Instant, decay: float) -> Iterator[float]:
    """Give the logarithms of how likely the gaps of one passage are, the last one still open."""
    factor, stability, last = _factor(decay), FIRST, now
    for memory, gap in _folded(uses, decay):
        if gap is not None:
            rate = factor / stability
            yield log(decay * rate) - (decay + 1) * log(1 + rate * gap)
        stability, last = memory
    yield log(retrievability(days(last, now), stability, decay))


def _allowed(decay: float) -> float:
    return min(STEEPEST, max(FLATTEST, decay))


def _factor(decay: float) -> float:
    return float(RETAINED ** (-1 / decay) - 1)
