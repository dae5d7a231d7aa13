"""What an agent writes waits, and no way round the review gate leaves a byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import loreweave
from gated import AGENT, GATED, OPEN, pending, values
from loreweave.engine.mining import MINER
from loreweave.errors import BadRequest, LoreError, Refused
from loreweave.library import Lore
from loreweave.vault import saving
from told import TODAY, believed, journal, shown, told, write


def test_what_an_agent_states_is_a_proposal_that_changes_no_answer(agent: Lore, person: Lore) -> None:
    said = {"confidence": 0.8, "because": "three defects", "episode": "audit"}
    made = agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01", **said)  # type: ignore[arg-type]
    (line,) = journal(person)
    assert line == (
        "- [proposed] Vendor :: reliability :: poor {valid_from=2024-06-01, recorded_at=2025-03-05T14:00:00Z, "
        "confidence=0.8, source=inferred, by=note-taker, because=three defects, episode=audit, kind=fact}"
    )
    assert (made.written, made.proposed, made.kind) == (True, True, "fact")
    assert told(made) == {"superseded": ["good: 2024-06-01 → now"]}
    assert shown(made.holds) == "2024-06-01 → now"
    assert values(agent) == values(person) == ["good"]


def test_a_close_and_a_retraction_of_an_agent_are_proposals_too(agent: Lore, person: Lore) -> None:
    closed = agent.invalidate_fact("Vendor", "reliability", valid_until="2024-06-01")
    unsaid = agent.retract_fact("Vendor", "reliability", "good", valid_from="2024-01-01")
    assert [line.split(" {")[0] for line in journal(person)] == [
        "- [proposed] Vendor :: reliability",
        "- [proposed] Vendor :: reliability :: good",
    ]
    assert [one.kind for one in pending(person)] == [closed.kind, unsaid.kind] == ["invalidate", "retract"]
    assert told(closed) == {"ended": ["good: 2024-06-01 → now"]}
    assert told(unsaid) == {"retracted": ["good: 2024-01-01 → now"]}
    assert values(person) == ["good"]


def test_without_the_setting_an_agent_writes_to_the_journal_under_its_name(agent: Lore, person: Lore) -> None:
    write(person, OPEN, "lore/config.toml")
    made = agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    (line,) = journal(person)
    assert line.startswith("- [fact] ")
    assert line.endswith("source=inferred, by=note-taker}")
    assert not made.proposed
    assert values(person) == ["poor"]


SAVED = {"empty": "", "cut": "[facts]\nmany = []\n", "blank": "\n", "missing": None}
"""What a file of settings may be for an instant while it is saved."""


def half_saved(person: Lore, text: str | None) -> None:
    if text is None:
        (person.engine.root / "lore" / "config.toml").unlink()
    else:
        write(person, text, "lore/config.toml")


@pytest.mark.parametrize("text", SAVED.values(), ids=SAVED)
def test_the_gate_stays_shut_until_the_settings_open_it(text: str | None, agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    half_saved(person, text)
    assert agent.assert_fact("Vendor", "colour", "red").proposed
    write(person, OPEN, "lore/config.toml")
    assert not agent.assert_fact("Vendor", "colour", "blue").proposed


@pytest.mark.parametrize("text", SAVED.values(), ids=SAVED)
def test_the_gate_is_shut_for_who_comes_while_the_settings_are_saved(
    text: str | None, agent: Lore, person: Lore, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving.proposing.clear()
    half_saved(person, text)
    monkeypatch.setattr(saving, "sleep", lambda _: write(person, GATED, "lore/config.toml"))
    assert agent.assert_fact("Vendor", "colour", "red").proposed


def test_settings_that_say_nothing_are_waited_for_once(
    agent: Lore, person: Lore, monkeypatch: pytest.MonkeyPatch
) -> None:
    saving.proposing.clear()
    write(person, "[facts]\nmany = []\n", "lore/config.toml")
    waits: list[float] = []
    monkeypatch.setattr(saving, "sleep", waits.append)
    assert [agent.assert_fact("Vendor", "colour", value).proposed for value in ("red", "blue")] == [False, False]
    assert waits == [saving.MOMENT]


def test_what_a_person_writes_is_never_a_proposal(person: Lore) -> None:
    person.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01", by="priya")
    assert values(person) == ["poor"]
    assert pending(person) == []


def test_an_agent_states_what_a_person_said_by_quoting_them(agent: Lore, person: Lore) -> None:
    with pytest.raises(Refused, match="quoting that person"):
        agent.assert_fact("Atlas", "status", "shipped", source="stated", because="Priya said so")
    agent.assert_fact("Atlas", "status", "shipped", source="stated", because="Priya: “we shipped”")
    person.approve(pending(person)[0].proposal_id, by="priya")
    assert [fact.source for fact in person.facts(subject="Atlas")] == ["stated"]


def test_what_would_mean_nothing_is_refused_before_it_is_proposed(agent: Lore, person: Lore) -> None:
    for refused in (
        lambda: agent.assert_fact(" ", "status", "x"),
        lambda: agent.assert_fact("Atlas", "status", "x", valid_from="2024-06-01", valid_until="2024-01-01"),
        lambda: agent.invalidate_fact("Vendor", "reliability", valid_until="2023-01-01"),
        lambda: agent.invalidate_fact("Nobody", "knows"),
        lambda: agent.retract_fact("Vendor", "reliability", "poor"),
        lambda: agent.assert_fact("Vendor", "reliability", "x", valid_until="2026-01-01", then_resume=True),
    ):
        with pytest.raises(Refused):
            refused()
    assert journal(person) == []


def test_the_same_is_not_proposed_twice_while_it_waits(agent: Lore, person: Lore) -> None:
    first = agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    with loreweave.open(person.engine.root, agent="another") as other:
        again = other.assert_fact("Vendor", "Reliability", "Poor", valid_from="2024-06-01")
    assert not again.written
    assert (again.proposal_id, again.path, again.line_number) == (first.proposal_id, TODAY, 1)
    agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-07-01")
    assert len(journal(person)) == 2


def test_what_is_on_record_is_not_proposed(agent: Lore, person: Lore) -> None:
    made = agent.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01", source="inferred")
    assert made.proposed
    person.assert_fact("Atlas", "status", "open", valid_from="2024-01-01", source="inferred")
    known = agent.assert_fact("Atlas", "status", "open", valid_from="2024-01-01")
    assert not known.written
    assert not known.proposed


def test_a_rehearsal_of_an_agent_tells_what_approval_would_do_and_writes_nothing(agent: Lore, person: Lore) -> None:
    made = agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01", dry_run=True)
    assert (made.written, made.dry_run, made.proposed) == (False, True, True)
    assert told(made) == {"superseded": ["good: 2024-06-01 → now"]}
    assert journal(person) == []


def test_values_of_a_predicate_declared_many_are_proposed_as_many(agent: Lore, person: Lore) -> None:
    write(person, GATED + '[facts]\nmany = ["member"]\n', "lore/config.toml")
    agent.assert_fact("Atlas", "member", "Dana", valid_from="2024-01-01")
    agent.assert_fact("Atlas", "member", "Priya", valid_from="2024-01-01")
    assert [one.many for one in pending(person)] == [True, True]
    person.approve(*(one.proposal_id for one in pending(person)), by="priya")
    assert believed(person, "Atlas", "member") == ["Dana", "Priya"]


@pytest.mark.parametrize(
    "forbidden",
    [
        lambda lore: lore.approve("abc"),
        lambda lore: lore.approve("abc", by=AGENT),
        lambda lore: lore.approve("abc", by="priya", force=True),
        lambda lore: lore.approve("abc", by="priya", dry_run=True),
        lambda lore: lore.reject("abc", because="no", by="priya"),
        lambda lore: lore.import_facts([{"subject": "A", "predicate": "b", "object": "c"}]),
        lambda lore: lore.export("csv", "out"),
        lambda lore: lore.output("atlas.md", force=True),
        lambda lore: lore.dream(apply=True),
        lambda lore: lore.capture("x", to="atlas.md"),
        lambda lore: lore.capture("x", by="priya"),
        lambda lore: lore.capture("pay \u202e0001"),
        lambda lore: lore.capture("pay \U000e0041"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "po\u200bor"),
        lambda lore: lore.mark_used("atlas.md", by="priya"),
        lambda lore: lore.for_agent("priya"),
        lambda lore: lore.for_agent(None),
        lambda lore: lore.begin_session("a\u2028- [fact] a :: b :: c"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor\x1b[2K"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", because="a\x85- [fact] a :: b :: c"),
        lambda lore: lore.assert_fact("Vendor\u202e", "reliability", "poor", episode="x"),
        lambda lore: lore.invalidate_fact("Vendor", "reliability", because="\x9b"),
        lambda lore: lore.retract_fact("Vendor", "reliability", episode="\x0c"),
        lambda lore: lore.init(),
        lambda lore: lore.index(start_over=True),
        lambda lore: lore.index_from_git(),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", by="priya"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", by=""),
        lambda lore: lore.invalidate_fact("Vendor", "reliability", by="priya"),
        lambda lore: lore.retract_fact("Vendor", "reliability", by="priya"),
        lambda lore: lore.propose_facts("atlas.md", submit=True, by="priya"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", proposal="abc"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", scope="north"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", recorded_at="2020-01-01"),
        lambda lore: lore.assert_fact("Vendor", "reliability", "poor", kind="rejected"),
        lambda lore: lore.invalidate_fact("Vendor", "reliability", source="stated"),
        lambda lore: lore.retract_fact("Vendor", "reliability", valid_until="2024-01-01"),
    ],
)
@pytest.mark.parametrize("settings", [GATED, OPEN], ids=["propose", "journal"])
def test_no_way_round_the_gate_leaves_a_byte(
    forbidden: Callable[[Lore], object], settings: str, agent: Lore, person: Lore
) -> None:
    write(person, settings, "lore/config.toml")
    write(person, "# Atlas\n\n- **Owner**: Priya\n", "atlas.md")
    with pytest.raises(LoreError) as refused:
        forbidden(agent)
    assert isinstance(refused.value, Refused | BadRequest)
    assert journal(person) == []
    assert {path.name for path in (person.engine.root / "lore").iterdir()} == {"journal", "config.toml"}


@pytest.mark.parametrize(
    "write",
    [
        lambda lore, by: lore.assert_fact("Vendor", "reliability", "poor", by=by),
        lambda lore, by: lore.invalidate_fact("Vendor", "reliability", by=by),
        lambda lore, by: lore.capture("Call the vendor", by=by),
        lambda lore, by: lore.mark_used("note.md", by=by),
        lambda lore, by: lore.propose_facts("note.md", by=by),
    ],
)
def test_who_writes_is_a_text(write: Callable[[Lore, Any], Any], agent: Lore, person: Lore) -> None:
    for lore in (agent, person):
        with pytest.raises(BadRequest, match=r"by: 5 is not a text\."):
            write(lore, 5)


def test_its_own_name_in_any_spelling_is_an_agents_to_give(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", by="NOTE TAKER")
    assert pending(person)[0].recorded_by == AGENT


@pytest.mark.parametrize(
    "text",
    [
        "poor {by=priya, source=stated, kind=fact}",
        "poor\n- [fact] Vendor :: reliability :: poor {recorded_at=2025-01-01}",
        "poor} {proposal=abc}",
        "poor\r\n- [rejected] abc",
        "poor\t- [fact] a :: b :: c",
    ],
)
def test_no_text_of_an_agent_becomes_anything_but_text(text: str, agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", text, because=text, episode=text)
    (one,) = pending(person)
    assert (one.object, one.because, one.episode) == (text, text, text)
    assert (one.recorded_by, one.source) == (AGENT, "inferred")
    assert values(person) == ["good"]
    person.approve(one.proposal_id, by="priya")
    assert values(person) == [text]


@pytest.mark.parametrize("name", ["", " ", "[[]]", "x" * 2_001, 7, "scout\x1b[2K", MINER, "Stated", "a · b"])
def test_an_agent_without_a_name_is_not_let_in(name: Any, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="agent"):
        loreweave.open(tmp_path, agent=name)
