"""The ways to answer that the bench compares: each answers, and a part that is switched off is off for that while."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

import loreweave
from house.tree import ROOT

NOTES = {
    "atlas.md": "# Atlas\n\nThe monthly report is kept by [[Priya]].\n",
    "priya.md": "---\naliases: [the keeper]\n---\n# Priya\n\nSecond floor, mornings.\n",
    "2023.md": "---\ndate: 2023-05-04\n---\nThe desk was counted.\n",
    "2024.md": "---\ndate: 2024-05-04\n---\nThe desk was counted again.\n",
}


@pytest.fixture(scope="module")
def bench() -> Iterator[SimpleNamespace]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import arms
        import trials

        yield SimpleNamespace(arms=arms, trials=trials)


@pytest.fixture(scope="module")
def lore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[loreweave.Lore]:
    vault = tmp_path_factory.mktemp("vault")
    for name, text in NOTES.items():
        (vault / name).write_text(text, "utf-8")
    with loreweave.open(vault) as opened:
        yield opened


def asked(bench: SimpleNamespace, lore: loreweave.Lore, arm: str, *wordings: str, **given: object) -> list[str]:
    question = bench.trials.Question("q", "", "", wordings, (), given)
    return [path for path, _, _ in bench.arms.ARMS[arm].open(lore)(question, 5)]


def names() -> list[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import arms

        return [name for name, arm in arms.ARMS.items() if not arm.missing and name != "dense"]


@pytest.mark.parametrize("arm", names())
def test_each_way_to_answer_finds_the_passage_with_the_words(
    bench: SimpleNamespace, lore: loreweave.Lore, arm: str
) -> None:
    assert asked(bench, lore, arm, "who keeps the monthly report")[0] == "atlas.md"


@pytest.mark.parametrize(
    ("arm", "wordings", "given", "found"),
    [
        ("no graph", ("monthly report",), {}, ["atlas.md"]),
        ("one wording", ("monthly report", "counted"), {}, ["atlas.md", "priya.md"]),
        ("lore", ("desk last year",), {"now": "2024-06-01"}, ["2023.md", "2024.md"]),
        ("lore", ("desk last year",), {"now": "2025-06-01"}, ["2024.md", "2023.md"]),
        ("no time", ("desk last year",), {"now": "2025-06-01"}, ["2023.md", "2024.md"]),
    ],
)
def test_a_part_that_is_switched_off_does_nothing(
    bench: SimpleNamespace,
    lore: loreweave.Lore,
    arm: str,
    wordings: tuple[str, ...],
    given: dict[str, object],
    found: list[str],
) -> None:
    assert asked(bench, lore, arm, *wordings, **given) == found
    assert asked(bench, lore, "lore", "monthly report") == ["atlas.md", "priya.md"]


def test_a_constant_is_another_wherever_it_is_read_and_itself_again_afterwards(bench: SimpleNamespace) -> None:
    from loreweave.search import constants, weights

    before = constants.METADATA
    with bench.arms.other_constants({"METADATA": 0.0}):
        assert (constants.METADATA, weights.METADATA) == (0.0, 0.0)
    assert constants.METADATA == weights.METADATA == before > 0


def test_a_constant_that_the_search_has_not_is_refused(bench: SimpleNamespace) -> None:
    with pytest.raises(KeyError, match="NOWHERE"), bench.arms.other_constants({"METADATA": 0.0, "NOWHERE": 1}):
        pass
