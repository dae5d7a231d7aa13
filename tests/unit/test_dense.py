"""How near spans count: what is sent of them, how nearness is told, and what it adds to the scores of words."""

from __future__ import annotations

import pytest

from loreweave.search.constants import NEAR, NEAR_BESIDE, UNIT
from loreweave.search.dense import HEAD, LONGEST, nearness, raised, sent
from loreweave.store.vectors import Compared, Near


@pytest.mark.parametrize(
    ("title", "headings", "text", "expected"),
    [
        ("Atlas", ("Atlas",), "# Atlas\n\nA report.", "Atlas\n# Atlas\n\nA report."),
        ("Atlas", ("Atlas", "Plan"), "## Plan\n\nLater.", "Atlas: Plan\n## Plan\n\nLater."),
        ("Atlas", (), "A report.", "Atlas\nA report."),
        ("Atlas", (), "Atlas\nowner: Priya", "Atlas\nAtlas\nowner: Priya"),
        ("Atlas", (), "Atlas", ""),
        ("Atlas", ("Atlas",), "# Atlas\n\n  Atlas  \n", ""),
        ("Atlas", (), "", ""),
    ],
)
def test_title_and_headings_stand_above_the_text_and_what_only_repeats_them_is_not_sent(
    title: str, headings: tuple[str, ...], text: str, expected: str
) -> None:
    assert sent(title, headings, text) == expected


def test_what_is_sent_has_an_end() -> None:
    made = sent("t" * 10_000, ("h" * 10_000,), "x" * 10_000)
    assert (len(made), made.index("\n")) == (LONGEST, HEAD)


def near(*products: int, notes: str = "", nearest: int | None = None) -> Near:
    """Make passages in a row with how near each is; ``notes`` tells by letters which stand in one note."""
    best = sorted(range(len(products)), key=lambda at: -products[at])[:nearest]
    passages = [
        Compared(at, ord((notes or "abcdefghij")[at]), 100 + at, product, at in best)
        for at, product in enumerate(products)
    ]
    return Near(tuple(passages), len(products), sum(products), sum(product**2 for product in products))


def test_nearness_is_told_in_standard_deviations_above_the_mean_the_nearest_first() -> None:
    assert nearness(near(0, 1_000_000, 2_000_000, 1_000_000)) == ((102, 1.4142),)
    assert [span_id for span_id, _ in nearness(near(9, 1, 8, 0, 0, 0))] == [100, 102]


def test_a_span_has_a_share_in_how_near_those_beside_it_in_its_note_are() -> None:
    apart = dict(nearness(near(0, 0, 9, 0, 0)))
    together = dict(nearness(near(0, 0, 9, 0, 0, notes="aaaaa")))
    low, high = -0.5, 2.0
    assert apart == {102: high}
    assert together[102] == pytest.approx(high + low * sum(NEAR_BESIDE.values()), abs=1e-3)
    assert together[103] == pytest.approx(low + NEAR_BESIDE[-1] * high + NEAR_BESIDE[-2] * low + NEAR_BESIDE[1] * low)
    two_notes = dict(nearness(near(0, 0, 9, 0, 0, notes="aaabb")))
    assert 103 not in two_notes, "the next note is not beside it"


def test_only_the_nearest_are_told_and_those_beside_them_only_count() -> None:
    found = nearness(near(5, 9, 5, 0, 0, 0, notes="aaaaaa", nearest=1))
    assert [span_id for span_id, _ in found] == [101]


@pytest.mark.parametrize("products", [(), (7,), (7, 7, 7)])
def test_where_all_are_equally_near_none_is(products: tuple[int, ...]) -> None:
    assert nearness(near(*products)) == ()


def test_nearness_adds_a_share_of_the_best_score_and_orders_the_list_anew() -> None:
    found = [(1, 1_000_000), (2, 990_000), (3, 500_000)]
    assert raised(found, ((2, 2.0), (4, 1.0))) == [
        (2, 990_000 + round(2 * NEAR * 1_000_000)),
        (1, 1_000_000),
        (3, 500_000),
        (4, round(NEAR * 1_000_000)),
    ]


def test_without_words_nearness_alone_makes_the_list() -> None:
    assert raised([], ((8, 3.0), (7, 3.0), (9, 1.0))) == [
        (7, round(3 * NEAR * UNIT)),
        (8, round(3 * NEAR * UNIT)),
        (9, round(NEAR * UNIT)),
    ]


def test_without_nearness_a_list_stays_as_it_is() -> None:
    found = [(3, 700), (1, 500), (2, 500)]
    assert raised(found, ()) == found
