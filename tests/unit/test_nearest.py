"""Which notes may be meant by a name that no note has."""

from __future__ import annotations

from itertools import product

import pytest

from loreweave.reports.nearest import LIMIT, Nearest

NAMES = [
    ("people/Priya.md", "Priya"),
    ("people/Priya.md", "Priya Raman"),
    ("projects/atlas.md", "Project Atlas"),
    ("projects/atlas-2.md", "Project Atlas 2"),
    ("ledger.md", "Ledger Format"),
    ("zh.md", "机器学习"),
    ("old/Overview.md", "Overview"),
    ("new/Overview.md", "Overview"),
]


@pytest.mark.parametrize(
    ("target", "first"),
    [
        ("Ledger Fromat", "ledger.md"),
        ("ledger-format", "ledger.md"),
        ("Ledger Formats", "ledger.md"),
        ("Pryia Raman", "people/Priya.md"),
        ("moved/to/Ledger Format.md", "ledger.md"),
        ("机器学", "zh.md"),
        ("Project Atlas 2", "projects/atlas-2.md"),
        ("LEDGER FORMAT", "ledger.md"),
    ],
)
def test_a_name_with_a_slip_is_near_the_name_that_was_meant(target: str, first: str) -> None:
    assert Nearest(NAMES).to(target)[0] == first


@pytest.mark.parametrize("target", ["", "x", "Glacier Dataset", "日本語", "/", "\u200b", "a" * 100_000])
def test_a_name_like_no_other_is_near_none(target: str) -> None:
    assert Nearest(NAMES).to(target) == ()
    assert Nearest([]).to(target) == ()


def test_a_note_is_given_once_and_equal_ones_in_order_of_path() -> None:
    assert Nearest(NAMES).to("Overviews") == ("new/Overview.md", "old/Overview.md")
    assert Nearest(NAMES).to("Priya R") == ("people/Priya.md",)


def test_no_more_than_three_are_given_whatever_the_order_of_the_names() -> None:
    names = [(f"{number}.md", f"Meeting {number}") for number in range(9)]
    assert Nearest(names).to("Meting 4") == Nearest(reversed(names)).to("Meting 4")
    assert len(Nearest(names).to("Meting 4")) == LIMIT
    assert Nearest(names).to("Meting 4")[0] == "4.md"


def test_few_notes_are_looked_at_where_many_have_like_names() -> None:
    names = [(f"{a}/{b}.md", f"Meeting of day {a:03} about {b:03}") for a, b in product(range(100), range(100))]
    nearest = Nearest(names)
    assert all(nearest.to(f"Metting of day {a:03} about {7:03}")[0] == f"{a}/7.md" for a in range(0, 100, 5))
