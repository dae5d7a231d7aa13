"""Which notes may be meant by a name that no note has: those whose names share the most runs of three characters.

Only the rarest runs of the name asked for are looked up, so that a vault of many notes answers for many broken links
at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nlargest

from loreweave.projections.names import name_key, spelling

LIMIT = 3
ALIKE = 0.5
"""The share of runs, from 0 to 1, that two names have in common where one may be meant for the other."""

_LOOKED_UP = 4_000
"""How many notes are looked at for one name, in all, by the runs they have."""
_COMPARED = 20
_LONGEST = 200


class Nearest:
    """The names of all notes, ready to be asked for those like another."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """Take rows of path and name, in any order; a note may have several names."""
        self._paths: list[str] = []
        self._runs: list[frozenset[str]] = []
        self._having: dict[str, list[int]] = {}
        for path, name in sorted(names):
            runs = _runs(spelling(name))
            for run in runs:
                self._having.setdefault(run, []).append(len(self._paths))
            self._paths.append(path)
            self._runs.append(runs)

    def to(self, target: str) -> tuple[str, ...]:
        """Give the paths of at most three notes that a link with this target may mean, the likeliest first."""
        sought = _runs(name_key(target))
        shared: Counter[int] = Counter()
        left = _LOOKED_UP
        for having in sorted((self._having[run] for run in sought if run in self._having), key=len):
            if left < len(having) and shared:
                break
            shared.update(having)
            left -= len(having)
        likely = nlargest(_COMPARED, shared, key=lambda at: (shared[at] / (len(sought) + len(self._runs[at])), -at))
        ranked = sorted((-_likeness(sought, self._runs[at]), at) for at in likely)
        paths = dict.fromkeys(self._paths[at] for likeness, at in ranked if -likeness >= ALIKE)
        return tuple(paths)[:LIMIT]


def _runs(name: str) -> frozenset[str]:
    padded = f"\x02{name[:_LONGEST]}\x03"
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
