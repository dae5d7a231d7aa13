"""Laws of the gate in a vault: whatever agents and people do, in any order, the files alone say what came of it."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loreweave.errors import Refused
from loreweave.library import Lore
from program import digests

WRITES = ("assert", "close", "retract")
DEEDS = st.tuples(
    st.sampled_from([*WRITES, *WRITES, "approve", "approve", "force", "reject", "own"]),
    st.sampled_from(["colour", "size"]),
    st.sampled_from(["red", "green", "blue"]),
    st.sampled_from([None, "2024-01-01", "2024-02-01", "2024-03-01"]),
    st.integers(0, 9),
)
STATUSES = ("pending", "approved", "rejected")


def do(agent: Lore, person: Lore, deed: tuple[str, str, str, str | None, int]) -> None:
    """One deed of an agent or of a person, some of which are refused."""
    word, predicate, value, at, number = deed
    if word == "assert":
        agent.assert_fact("Atlas", predicate, value, valid_from=at)
    elif word == "close":
        agent.invalidate_fact("Atlas", predicate, valid_until=at)
    elif word == "retract":
        agent.retract_fact("Atlas", predicate, value)
    elif word == "own":
        person.assert_fact("Atlas", predicate, value, valid_from=at, by="dana")
    elif waiting := person.proposals().proposals:
        chosen = waiting[number % len(waiting)].proposal_id
        if word == "reject":
            person.reject(chosen, because="no", by="priya")
        elif word in ("approve", "force"):
            person.approve(chosen, by="priya", force=word == "force")


def record_of(person: Lore) -> list[str]:
    """The lines of the journal."""
    folder = person.engine.root / "lore" / "journal"
    return [line for file in sorted(folder.glob("*.md")) for line in file.read_text("utf-8").splitlines()]


@pytest.fixture(autouse=True)
def _at_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", "2024-06-01T09:00:00Z")


@settings(max_examples=8)
@given(st.lists(DEEDS, min_size=4, max_size=14))
def test_beliefs_are_those_of_the_record_without_its_proposals_and_nothing_is_lost_with_the_index(
    deeds: list[tuple[str, str, str, str | None, int]],
) -> None:
    root = Path(tempfile.mkdtemp())
    try:
        _hold(root, deeds)
    finally:
        shutil.rmtree(root)


def _hold(root: Path, deeds: list[tuple[str, str, str, str | None, int]]) -> None:
    (root / "lore").mkdir()
    (root / "lore" / "config.toml").write_text('[agents]\nwrites = "propose"\n', "utf-8")
    with Lore(root, live=True) as person:
        agent = person.for_agent("scribe")
        for deed in deeds:
            before, believed = record_of(person), person.sql("from beliefs order by all").to_pylist()
            try:
                do(agent, person, deed)
            except Refused:
                assert record_of(person) == before
            if deed[0] in WRITES:
                assert person.sql("from beliefs order by all").to_pylist() == believed
            assert record_of(person)[: len(before)] == before
        said = {status: person.proposals(status=status) for status in STATUSES}
        history = person.facts(history=True).items
    kept = digests(root)
    shutil.rmtree(root / ".lore")
    with Lore(root) as anew:
        assert {status: anew.proposals(status=status) for status in STATUSES} == said
        assert anew.facts(history=True).items == history
    assert digests(root) == kept
    _without_proposals(root)
    with Lore(root) as stripped:
        assert [(f.object, f.valid_from, f.valid_until, f.known_from) for f in stripped.facts(history=True)] == [
            (f.object, f.valid_from, f.valid_until, f.known_from) for f in history
        ]


def _without_proposals(root: Path) -> None:
    for file in (root / "lore").glob("journal/*.md"):
        lines = file.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(("- [proposed]", "- [rejected]"))]
        file.write_text("".join(kept), "utf-8")
