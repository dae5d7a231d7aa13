"""A walk over a graph: where it comes, how much of it, and by which way."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import fsum, isclose

from hypothesis import given
from hypothesis import strategies as st

from loreweave.search.constants import FRONTIER
from loreweave.search.walk import Around, Node, walk

Edges = Mapping[Node, Mapping[Node, float]]


def around(edges: Edges, left_out: float = 0.0) -> object:
    def read(nodes: Collection[Node]) -> dict[Node, Around]:
        return {node: Around(edges[node], fsum([*edges[node].values(), left_out])) for node in nodes if node in edges}

    return read


def test_half_of_the_walk_starts_anew_and_the_rest_goes_on_by_weight() -> None:
    walked = walk({1: 1.0}, around({1: {2: 3.0, 3: 1.0}}))  # type: ignore[arg-type]
    assert walked.shares == {1: 0.5, 2: 0.1875, 3: 0.0625}


def test_it_comes_two_edges_far_and_tells_the_way() -> None:
    walked = walk({1: 1.0}, around({1: {2: 1.0}, 2: {3: 1.0}, 3: {4: 1.0}}))  # type: ignore[arg-type]
    assert sorted(walked.shares, key=str) == [1, 2, 3]
    assert [walked.way(node, {1}) for node in (1, 2, 3)] == [(), (1,), (1, 2)]


def test_the_way_told_is_that_of_the_greater_part_and_of_equal_ones_always_the_same() -> None:
    heavy = walk({1: 1.0, 2: 3.0}, around({1: {9: 1.0}, 2: {9: 1.0}}))  # type: ignore[arg-type]
    equal = [walk(seeds, around({"b": {9: 1.0}, "a": {9: 1.0}})) for seeds in ({"a": 1, "b": 1}, {"b": 1, "a": 1})]  # type: ignore[arg-type]
    assert heavy.way(9, {1, 2}) == (2,)
    assert [walked.way(9, {"a", "b"}) for walked in equal] == [("a",), ("a",)]


def test_edges_that_are_left_out_take_their_share_with_them() -> None:
    walked = walk({1: 1.0}, around({1: {2: 1.0}}, left_out=9.0))  # type: ignore[arg-type]
    assert isclose(walked.shares[2], 0.025)


def test_it_goes_on_from_the_nearest_alone_where_there_are_many() -> None:
    many = {node: 1.0 + (node == 7) for node in range(10, 10 + 3 * FRONTIER)} | {7: 2.0}
    edges = {1: many} | {node: {-node: 1.0} for node in many}
    reached = {node for node in walk({1: 1.0}, around(edges)).shares if isinstance(node, int) and node < 0}  # type: ignore[arg-type]
    assert len(reached) == FRONTIER
    assert -7 in reached


NODES = st.integers(1, 6)
GRAPHS = st.dictionaries(NODES, st.dictionaries(NODES, st.sampled_from([0.4, 0.7, 1.0]), min_size=1, max_size=6))


@given(GRAPHS, st.dictionaries(NODES, st.sampled_from([0.25, 0.5, 1.0]), min_size=1), st.randoms())
def test_the_order_of_nodes_and_edges_changes_no_share_and_no_way(
    edges: dict[Node, dict[Node, float]], seeds: dict[Node, float], chance: object
) -> None:
    def turned(of: dict[Node, object]) -> dict[Node, object]:
        keys = list(of)
        chance.shuffle(keys)  # type: ignore[attr-defined]
        return {key: turned(of[key]) if isinstance(of[key], dict) else of[key] for key in keys}  # type: ignore[arg-type]

    one = walk(seeds, around(edges))  # type: ignore[arg-type]
    other = walk(turned(seeds), around(turned(edges)))  # type: ignore[arg-type]
    assert one.shares == other.shares
    assert [one.way(node, seeds) for node in one.shares] == [other.way(node, seeds) for node in one.shares]
    assert sum(one.shares.values()) <= 1 + 1e-9
