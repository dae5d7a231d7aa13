"""A real record: who held which seat, 14,427 lines with the times at which a public file said so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import loreweave
from house.tree import ROOT
from program import lore

CONGRESS = ROOT.parent / "shared" / "data" / "congress"
HELD = ("events", "beliefs")
TIES = """
select distinct subject from events
where subject_key in (
    select subject_key from events group by subject_key, recorded_at, valid_from having count(*) > 1
)
"""
"""Seats of which two lines share record instant and start: which of the two counts depends on their places."""

pytestmark = pytest.mark.skipif(not CONGRESS.exists(), reason="the folder shared/data/congress is not beside this one")


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("congress")
    subprocess.run([sys.executable, str(CONGRESS / "to_journal.py"), str(folder)], check=True, capture_output=True)
    lore(folder, "replay")
    return folder


def test_every_question_is_answered_as_the_file_of_that_day_did(vault: Path) -> None:
    questions = [json.loads(line) for line in (CONGRESS / "queries.jsonl").read_text("utf-8").splitlines()]
    assert len(questions) == 267
    wrong = []
    with loreweave.open(vault) as opened:
        for asked in questions:
            moment = {"as_of": asked["as_of"], "as_known_at": asked["as_known_at"]}
            answer = opened.facts(subject=asked["seat"], predicate="held by", **moment)
            if sorted(fact.object for fact in answer) != sorted(asked["answer"]):
                wrong.append((asked, answer))
    assert wrong == []


PHRASED = (
    "Who held {seat} on {day}?",
    "{seat} as of {day}",
    "who was in the seat {seat} on {day}",
    "What did the record say of {seat} on {day}?",
    "{day}: {seat}",
)


def test_questions_in_words_are_answered_with_the_belief_at_their_date(vault: Path) -> None:
    questions = [json.loads(line) for line in (CONGRESS / "queries.jsonl").read_text("utf-8").splitlines()][::10]
    assert len(questions) == 27
    wrong = []
    with loreweave.open(vault) as opened, opened.settled():
        for number, asked in enumerate(questions):
            text = PHRASED[number % len(PHRASED)].format(seat=asked["seat"], day=asked["as_of"])
            reply = opened.ask(text, as_known_at=asked["as_known_at"])
            if sorted(fact.object for fact in reply.facts) != sorted(asked["answer"]):
                wrong.append((text, reply))
    assert wrong == []


def test_lines_may_stand_in_any_file_in_any_order(vault: Path, tmp_path: Path) -> None:
    lines = _without_ties(vault)
    assert len(lines) > 14_000
    ordered, shuffled = tmp_path / "ordered", tmp_path / "shuffled"
    _write(ordered, lines)
    Random(3).shuffle(lines)
    _write(shuffled, lines)
    assert _digests(shuffled) == _digests(ordered)


def _without_ties(vault: Path) -> list[str]:
    rows = lore(vault, "query", "--format", "jsonl", TIES).splitlines()
    tied = {json.loads(row)["subject"] for row in rows}
    files = sorted((vault / "lore" / "journal").glob("*.md"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    subject = re.compile(r"- \[\w+\] (.*?) ::")
    return [line for line in lines if subject.match(line)[1] not in tied]


def _write(vault: Path, lines: list[str]) -> None:
    folder = vault / "lore" / "journal"
    folder.mkdir(parents=True)
    for number in range(20):
        (folder / f"2030-01-{number + 1:02}.md").write_text("\n".join(lines[number::20]) + "\n", "utf-8")


def _digests(vault: Path) -> dict[str, str]:
    told = json.loads(lore(vault, "replay", "--digest", "answers", "--json"))
    return {table: told["digest"][table] for table in HELD}
