"""A walk over a graph of which only the surroundings of where it starts are known: personalised PageRank, of two steps.

At every step half of the walk starts anew, and the rest goes on along the edges, by their weights. Sums are exact
whatever their order, so the same graph gives the same shares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import fsum
from typing import NamedTuple

from loreweave.search.constants import FRONTIER, RESET, STEPS

Node = int | str


class Around(NamedTuple):
    """The edges of a node with their weights, and what all its edges weigh, those left out too."""

    edges: Mapping[Node, float]
    total: float


class Walked(NamedTuple):
    """The share of the walk that is at each node in the end, and for each step from where most of that came."""

    shares: dict[Node, float]
    before: tuple[dict[Node, Node], ...]

    def way(self, node: Node, starts: Collection[Node]) -> tuple[Node, ...]:
        """Give the nodes over which most of the walk came to a node, from where it started, without the node itself."""
        found = [node]
        for before in reversed(self.before):
            if found[0] in starts:
                break
            found.insert(0, before[found[0]])
        return tuple(found[:-1])


def walk(seeds: Mapping[Node, float], around: Callable[[Collection[Node]], Mapping[Node, Around]]) -> Walked:
    """Walk from the seeds, each as often as its weight says; ``around`` gives the edges of nodes."""
    everything = fsum(seeds.values())
    start = {node: weight / everything for node, weight in seeds.items()}
    shares, before = start, list[dict[Node, Node]]()
    for _ in range(STEPS):
        coming: dict[Node, dict[Node, float]] = {}
        for node, (edges, total) in around(_frontier(shares, start)).items():
            for other, weight in edges.items():
                coming.setdefault(other, {})[node] = (1 - RESET) * shares[node] * weight / total
        shares = {node: RESET * share for node, share in start.items()}
        for node, parts in coming.items():
            shares[node] = fsum((shares.get(node, 0.0), *parts.values()))
        before.append({node: min(parts, key=lambda each: (-parts[each], str(each))) for node, parts in coming.items()})
    return Walked(shares, tuple(before))


def _frontier(shares: Mapping[Node, float], start: Mapping[Node, float]) -> list[Node]:
    others = sorted((-share, str(node), node) for node, share in shares.items() if node not in start)
    return [*start, *(node for *_, node in others[:FRONTIER])]
