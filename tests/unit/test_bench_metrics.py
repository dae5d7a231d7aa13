"""The figures of retrieval are what their definitions say, worked out by hand; sets are read as they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log2
from types import SimpleNamespace

import pytest

from house.tree import ROOT

Ranks = tuple[int | None, ...]
THIRD = 1 / log2(3)


@pytest.fixture(scope="module")
def bench() -> Iterator[SimpleNamespace]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "bench"))
        import locomo
        import longmemeval
        import metrics
        import scifact
        import tables

        yield SimpleNamespace(tables=tables, metrics=metrics, scifact=scifact, locomo=locomo, longmemeval=longmemeval)


def wanted(*names: str) -> frozenset[str]:
    return frozenset(names)


@pytest.mark.parametrize(
    ("figure", "at", "depth", "worth"),
    [
        ("recall", (1,), 1, 1.0),
        ("recall", (2,), 1, 0.0),
        ("recall", (1, 3, None), 5, 2 / 3),
        ("recall", (1, 3, 6), 5, 2 / 3),
        ("recall", (5,), 5, 1.0),
        ("hit", (6, 5), 5, 1.0),
        ("hit", (6, None), 5, 0.0),
        ("reciprocal", (4, 2), 10, 0.5),
        ("reciprocal", (11, None), 10, 0.0),
        ("gain", (1,), 10, 1.0),
        ("gain", (2,), 10, THIRD),
        ("gain", (3, 1), 10, (1 + 1 / 2) / (1 + THIRD)),
        ("gain", (1, None), 10, 1 / (1 + THIRD)),
        ("gain", (1, 2, 3), 2, 1.0),
        ("gain", (None,), 10, 0.0),
    ],
)
def test_a_figure_is_what_it_is_worked_out_to_by_hand(
    bench: SimpleNamespace, figure: str, at: Ranks, depth: int, worth: float
) -> None:
    of: Callable[[Ranks, int], float] = getattr(bench.metrics, figure)
    assert of(at, depth) == pytest.approx(worth)


def test_every_question_counts_alike_in_a_mean(bench: SimpleNamespace) -> None:
    assert bench.metrics.mean(bench.metrics.recall, 5, [(1, 2, 3, None), (None,)]) == pytest.approx(3 / 8)


def test_a_thing_is_found_at_the_first_result_that_bears_any_of_its_names(bench: SimpleNamespace) -> None:
    found = [("a:1", "a"), ("b:7", "b", "b#Costs"), ("b:1", "b")]
    sought = [wanted("b"), wanted("b#Costs"), wanted("b:1", "c"), wanted("d")]
    assert bench.metrics.ranks(found, sought) == (2, 2, 3, None)


def test_a_note_that_comes_again_takes_no_rank(bench: SimpleNamespace) -> None:
    assert bench.metrics.distinct([("a",), ("b",), ("a",), ("c",)]) == [("a",), ("b",), ("c",)]


CONVERSATION = {
    "speaker_a": "Priya",
    "session_10_date_time": "1:56 pm on 8 May, 2023",
    "session_10": [{"speaker": "Ana", "dia_id": "D10:1", "text": "Back\nagain.", "blip_caption": "a red boat"}],
    "session_2_date_time": "9:00 am on 14 April, 2023",
    "session_2": [
        {"speaker": "Priya", "dia_id": "D2:1", "text": "The ledger is final."},
        {"speaker": "Ana", "dia_id": "D2:2", "text": "At last."},
    ],
}


def test_a_conversation_becomes_a_note_a_session_and_a_heading_a_turn(bench: SimpleNamespace) -> None:
    notes, turns = bench.locomo.written(CONVERSATION)
    assert list(notes) == ["session-02.md", "session-10.md"]
    assert notes["session-10.md"] == "---\ndate: 2023-05-08\n---\n## Ana\n\nBack again. [a red boat]\n"
    assert turns["D2:2"] == {"session-02.md:8"}
    assert notes["session-02.md"].splitlines()[7:10] == ["## Ana", "", "At last."]
    assert bench.locomo.by_line(("session-02.md", "Ana", 8)) == ("session-02.md:8",)


def test_badly_written_evidence_is_split_and_what_names_no_turn_is_dropped(bench: SimpleNamespace) -> None:
    _, turns = bench.locomo.written(CONVERSATION)
    said = ["D2:1; D10:1", "D", "D:11:26", "D2:1 D2:2"]
    assert bench.locomo.evidence(said, turns) == (turns["D2:1"], turns["D10:1"], turns["D2:2"])
    assert bench.locomo.evidence(["D"], turns) == ()


HAYSTACK = {
    "question_id": "q1",
    "answer_session_ids": ["s2"],
    "haystack_session_ids": ["s1", "s2"],
    "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
    "haystack_sessions": [
        [{"role": "user", "content": "Hello."}],
        [
            {"role": "user", "content": "Where is the ledger?\n\n# A heading of theirs\nSaid twice."},
            {"role": "assistant", "content": "In the archive.", "has_answer": True},
        ],
    ],
}


def test_a_haystack_becomes_a_note_a_session_and_a_turn_is_wanted_wherever_it_is_cut(bench: SimpleNamespace) -> None:
    read = bench.longmemeval.written(HAYSTACK)
    assert read.notes["s2.md"].startswith("---\ndate: 2023-05-21\n---\n## user\n\nWhere is the ledger?\n")
    assert read.sessions == ({"s2.md"},)
    assert read.turns == ({"s2.md:11"},)
    assert bench.longmemeval.by_turn(read.starts, ("s2.md", "A heading of theirs", 8)) == ("s2.md:4",)
    assert bench.longmemeval.by_turn(read.starts, ("s2.md", "assistant", 13)) == ("s2.md:11",)


def test_the_claims_of_both_halves_are_asked_of_the_same_notes(bench: SimpleNamespace, tmp_path: object) -> None:
    folder = ROOT / "tests" / "data" / "retrieval" / "scifact"
    (vault,) = bench.scifact.trial(folder).vaults()
    assert vault.questions
    assert {path for question in vault.questions for (path,) in question.wanted} <= set(vault.notes)
    assert {question.part for question in vault.questions} == {"train"}


def test_the_figures_of_a_run_become_tables_with_a_row_for_each_way_to_answer(bench: SimpleNamespace) -> None:
    def row(group: str, figure: str, arm: str, value: float) -> dict[str, object]:
        return {"work": f"own set, {group}, {figure}, {arm}", "size": "9", "value": value, "unit": "of 1"}

    rows = [row("held", "Hit@1", "lore", 0.5), row("held", "R@5", "lore", 0.75), row("held", "R@5", "bm25s", 0.25)]
    speed = {"work": "search, p50", "size": "1k", "value": 6.5, "unit": "ms", "processor": 6.0, "bar": 7.0}
    assert list(bench.tables.written([*rows, row("hop", "R@5", "lore", 1.0), speed])) == [
        "### Own set, held: 9 questions",
        "",
        "| arm | Hit@1 | R@5 |",
        "|---|---|---|",
        "| `lore` | 0.500 | 0.750 |",
        "| `bm25s` |  | 0.250 |",
        "",
        "### Own set: R@5 by kind",
        "",
        "| kind | questions | `lore` | `bm25s` |",
        "|---|---|---|---|",
        "| hop | 9 | 1.000 |  |",
        "",
        "### Speed",
        "",
        "| work | notes | figure | processor | bar |",
        "|---|---|---|---|---|",
        "| search, p50 | 1k | 6.5 ms | 6 ms | 7 ms |",
        "",
    ]
