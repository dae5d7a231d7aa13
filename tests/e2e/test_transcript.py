"""The session that the pages show is one that was held: it is held again, and is the same to the last character."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from house.tree import ROOT

PAGE = "transcript.md"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("page")
    command = [sys.executable, str(ROOT / "docs" / "transcript.py"), "--into", str(folder)]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return (folder / PAGE).read_text("utf-8")


def answers(page: str, tool: str) -> list[dict[str, Any]]:
    """The answers to the calls of a tool, in order; of one that was refused the sentence."""
    called = rf'call_tool\("{tool}", .*?\)\n```\n\n```(\w+)\n(.*?)\n```\n'
    found = re.findall(called, page, flags=re.DOTALL)
    return [json.loads(text) if kind == "json" else {"refused": text} for kind, text in found]


def test_the_session_is_held_again_and_is_the_same(page: str) -> None:
    assert page == (ROOT / "docs" / PAGE).read_text("utf-8"), "run `make docs`"


def test_it_shows_nothing_of_the_machine_it_was_held_on(page: str) -> None:
    assert re.findall(r"/tmp|/home|127\.0\.0\.1|localhost", page) == []


def test_the_pack_at_its_beginning_stays_within_its_budget(page: str) -> None:
    (pack,) = answers(page, "lore_context_pack")
    assert len(json.dumps(pack, ensure_ascii=False, separators=(",", ":"))) <= 4_000
    assert [fact["object"] for fact in pack["beliefs"]] == ["good", "Priya"]


def test_one_question_has_two_right_answers(page: str) -> None:
    now, then = answers(page, "lore_query_facts")
    assert [fact["object"] for fact in now["facts"]] == ["late"]
    assert [fact["object"] for fact in then["facts"]] == ["good"]


def test_the_agent_proposes_and_is_refused_approval(page: str) -> None:
    (proposed,) = answers(page, "lore_propose_facts")
    assert [each["object"] for each in proposed["candidates"]] == ["Marta Silva"]
    (approval,) = answers(page, "lore_approve")
    assert "There is no tool" in approval["refused"]
    assert "was proposed by scout, who cannot approve it." in page


def test_the_next_day_it_is_told_exactly_the_difference(page: str) -> None:
    first, second, third = answers(page, "lore_resume")
    changed = [(slot["subject"], slot["predicate"].lower()) for slot in second["beliefs"]["slots"]]
    assert changed == [("Vendor", "reliability"), ("Vendor", "contact"), ("Atlas", "owner")]
    assert [note["path"] for note in second["notes"]["notes"]] == ["projects/atlas.md"]
    assert [slot["subject"] for slot in first["beliefs"]["slots"]] == ["Atlas"]
    assert (third["beliefs"]["slots"], third["notes"]["notes"]) == ([], [])


def test_every_fact_in_it_says_on_whose_word_since_when_and_where(page: str) -> None:
    facts = [
        fact
        for text in re.findall(r"```json\n(.*?)\n```", page, flags=re.DOTALL)
        for name, items in json.loads(text).items()
        if name in ("facts", "beliefs") and isinstance(items, list)
        for fact in items
    ]
    needed = {"source", "by", "valid_from", "valid_until", "known_from", "known_until", "origin"}
    assert len(facts) >= 5
    assert [sorted(needed - fact.keys()) for fact in facts if not needed <= fact.keys()] == []
