"""Passages are found as well as before: small sets scored anew against figures that are kept."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from house.tree import ROOT


@pytest.fixture(scope="module")
def gate() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import gate

        yield gate


def test_no_figure_falls_more_than_it_may(gate: ModuleType) -> None:
    assert list(gate.falls(gate.kept(), gate.score())) == []


BEFORE = {"own set, hop": {"questions": 12.0, "R@5": 0.75}}


def test_a_fall_is_told_with_the_set_the_figures_and_how_to_renew_them(gate: ModuleType) -> None:
    (told,) = gate.falls(BEFORE, {"own set, hop": {"questions": 12.0, "R@5": 0.7292}})
    assert told == (
        "own set, hop: R@5 fell from 0.750 to 0.729, more than 0.02; "
        "if that is meant, say why in the commit and run: python bench/gate.py --renew"
    )


@pytest.mark.parametrize("now", [0.73, 0.75, 0.9])
def test_what_stays_near_or_rises_is_no_fall(gate: ModuleType, now: float) -> None:
    assert list(gate.falls(BEFORE, {"own set, hop": {"questions": 12.0, "R@5": now}})) == []


def test_a_set_that_grew_shrank_or_went_is_told(gate: ModuleType) -> None:
    (told,) = gate.falls(BEFORE, {"own set, hop": {"questions": 11.0, "R@5": 0.75}})
    assert told.startswith("own set, hop: there were 12 questions and are 11;")
    assert [line.split(" if ")[0] for line in gate.falls({}, BEFORE)] == [
        "own set, hop: R@5 was not measured and is 0.75;",
        "own set, hop: questions was not measured and is 12;",
    ]
    assert len(list(gate.falls(BEFORE, {}))) == 2


def test_half_of_the_questions_is_held_back_and_every_kind_is_asked(gate: ModuleType) -> None:
    (*vaults,) = gate.own_set.trial().vaults()
    questions = [question for vault in vaults for question in vault.questions]
    parts = [question.part for question in questions]
    assert len({question.id for question in questions}) == len(questions) >= 60
    assert abs(parts.count("dev") - parts.count("held")) <= len({question.kind for question in questions})


VAULTS = ROOT.parent / "shared" / "data" / "vaults"


def answers_are_there(trial: Any) -> int:
    asked = 0
    for vault in trial.vaults():
        for question in vault.questions:
            asked += 1
            for name in [name for wanted in question.wanted for name in wanted]:
                path, _, anchor = name.partition("#")
                text = (vault.notes / path).read_text("utf-8")
                assert not anchor or f"# {anchor}\n" in text, f"{question.id}: {name}"
    return asked


def test_every_answer_is_a_note_and_every_anchor_a_heading_of_the_vault(gate: ModuleType) -> None:
    assert answers_are_there(gate.own_set.trial()) == 122


@pytest.mark.skipif(not VAULTS.exists(), reason="the public vaults are not here: no ../shared/data/vaults")
def test_every_answer_of_the_public_vaults_is_there(gate: ModuleType) -> None:
    assert answers_are_there(gate.own_set.public(VAULTS)) == 45
