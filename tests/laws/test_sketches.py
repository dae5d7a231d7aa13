"""Sketches: whatever is given as nearly a copy is one, and hardly a copy is missed."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from loreweave.search.sketches import ALIKE, RUN, near, words_of
from planted import edited

TEXTS = st.lists(st.text(alphabet="ab c.\nÄ目", max_size=60), max_size=12)


def share(one: str, other: str) -> float:
    """Count the share of runs of words that two texts have in common, one run after the other."""
    runs = [
        {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)} for words in map(words_of, (one, other))
    ]
    return len(runs[0] & runs[1]) / len(runs[0] | runs[1]) if runs[0] | runs[1] else 0.0


def groups(pairs: list[tuple[int, int]], count: int) -> list[int]:
    """Give for each text the first of those it is joined with, by the pairs and what these join."""
    first = list(range(count))
    for _ in range(count):
        for one, other in pairs:
            first[one] = first[other] = min(first[one], first[other])
    return first


@given(TEXTS)
def test_a_pair_that_is_given_has_its_share_of_runs_in_common(texts: list[str]) -> None:
    for one, other, likeness in near(texts):
        assert one < other
        assert ALIKE <= likeness == share(texts[one], texts[other])


@given(st.integers(0, 10**9), st.integers(20, 90), st.integers(0, 3))
def test_an_edited_text_is_found_when_enough_of_it_is_left(seed: int, count: int, edits: int) -> None:
    chance = Random(seed)
    vocabulary = [f"word{number}" for number in range(500)]
    texts = [" ".join(chance.choice(vocabulary) for _ in range(count)) for _ in range(8)]
    texts.append(edited(chance, texts[3], edits))
    found = {(one, other) for one, other, _ in near(texts)}
    assert ((3, 8) in found) == (share(texts[3], texts[8]) >= ALIKE)


def test_of_a_thousand_pairs_at_the_edge_hardly_one_is_missed() -> None:
    chance = Random(11)
    vocabulary = [f"word{number}" for number in range(3_000)]
    texts, wanted = [], set()
    for number in range(1_000):
        text = " ".join(chance.choice(vocabulary) for _ in range(chance.randrange(40, 90)))
        texts += [text, edited(chance, text, 2)]
        if share(*texts[-2:]) >= ALIKE:
            wanted.add((2 * number, 2 * number + 1))
    found = {(one, other) for one, other, _ in near(texts)}
    assert found <= wanted
    assert len(wanted) > 500
    assert len(found) >= 0.995 * len(wanted)


@given(TEXTS, st.randoms(use_true_random=False))
def test_what_is_joined_hangs_on_no_order_where_few_texts_meet(texts: list[str], chance: Random) -> None:
    texts = texts[:4]
    order = list(range(len(texts)))
    chance.shuffle(order)
    plain = groups([pair[:2] for pair in near(texts)], len(texts))
    mixed = groups([pair[:2] for pair in near([texts[at] for at in order])], len(texts))
    joined = {(one, other) for one, other in combinations(range(len(texts)), 2) if plain[one] == plain[other]}
    assert joined == {
        (one, other)
        for one, other in combinations(range(len(texts)), 2)
        if mixed[order.index(one)] == mixed[order.index(other)]
    }


def test_a_thousand_notes_of_one_template_cost_thousands_of_comparisons_and_no_million() -> None:
    chance = Random(5)
    words = [f"word{number}" for number in range(400)]
    template = " ".join(chance.choice(words) for _ in range(60))
    texts = [f"{template} {' '.join(chance.choice(words) for _ in range(20))}" for _ in range(1_000)]
    pairs = [pair[:2] for pair in near(texts)]
    assert len(pairs) == len(texts) - 1
    assert set(groups(pairs, len(texts))) == {0}
