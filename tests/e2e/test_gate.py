"""The review gate as an agent and a person meet it: what an agent writes waits, and only a person decides."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.engine.mining import Mined
from loreweave.engine.pending import Proposal
from loreweave.errors import BadRequest, LoreError, Refused
from loreweave.library import Lore
from program import digests
from told import GOOD, NOW, TODAY, believed, journal, shown, told, write

AGENT = "claude-code"
GATED = '[agents]\nwrites = "propose"\n'
LATER = "2025-03-06T14:00:00Z"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    lore = loreweave.open(tmp_path)
    write(lore, GATED, "lore/config.toml")
    write(lore, GOOD)
    return lore


@pytest.fixture
def agent(person: Lore) -> Lore:
    return loreweave.open(person.engine.root, agent=AGENT)


def pending(lore: Lore) -> list[Proposal]:
    return list(lore.proposals().proposals)


def values(lore: Lore) -> list[str]:
    return believed(lore, "Vendor", "reliability", as_of="2025-03-07")


# ------------------------------------------------------------------------------------------ what an agent writes


def test_what_an_agent_states_is_a_proposal_that_changes_no_answer(agent: Lore, person: Lore) -> None:
    made = agent.assert_fact(
        "Vendor",
        "reliability",
        "poor",
        valid_from="2024-06-01",
        confidence=0.8,
        because="three defects",
        episode="audit",
    )
    assert journal(person) == [
        "- [proposed] Vendor :: reliability :: poor {valid_from=2024-06-01, recorded_at=2025-03-05T14:00:00Z, "
        "confidence=0.8, source=inferred, by=claude-code, because=three defects, episode=audit, kind=fact}"
    ]
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
    write(person, "", "lore/config.toml")
    made = agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    (line,) = journal(person)
    assert line.startswith("- [fact] ")
    assert line.endswith("source=inferred, by=claude-code}")
    assert not made.proposed
    assert values(person) == ["poor"]


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


# --------------------------------------------------------------------------------------- what an agent may not do


@pytest.mark.parametrize(
    "forbidden",
    [
        lambda lore: lore.approve("abc"),
        lambda lore: lore.approve("abc", by=AGENT),
        lambda lore: lore.approve("abc", by="priya", force=True),
        lambda lore: lore.approve("abc", by="priya", dry_run=True),
        lambda lore: lore.reject("abc", because="no", by="priya"),
        lambda lore: lore.import_facts([{"subject": "A", "predicate": "b", "object": "c"}]),
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
@pytest.mark.parametrize("settings", [GATED, ""], ids=["propose", "journal"])
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


def test_its_own_name_in_any_spelling_is_an_agents_to_give(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", by="Claude Code")
    assert pending(person)[0].recorded_by == AGENT


@pytest.mark.parametrize(
    "text",
    [
        "poor {by=priya, source=stated, kind=fact}",
        "poor\n- [fact] Vendor :: reliability :: poor {recorded_at=2025-01-01}",
        "poor} {proposal=abc}",
        "poor\r\n- [rejected] abc",
        "\u2028- [fact] a :: b :: c",
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


@pytest.mark.parametrize("name", ["", " ", "[[]]", "x" * 2_001, 7])
def test_an_agent_without_a_name_is_not_let_in(name: Any, tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="agent"):
        loreweave.open(tmp_path, agent=name)


# --------------------------------------------------------------------------------------------- what a person does


def test_an_approval_is_believed_from_then_on_and_in_the_name_of_who_approves(
    agent: Lore, person: Lore, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", because="three defects", episode="audit")
    (one,) = pending(person)
    monkeypatch.setenv("LORE_NOW", LATER)
    made = person.approve(one.proposal_id[:5], by="priya")
    (outcome,) = made.approved
    assert outcome.lines == (
        "- [fact] Vendor :: reliability :: poor {valid_from=2025-03-05T14:00:00Z, recorded_at=2025-03-06T14:00:00Z, "
        f"source=inferred, by=priya, because=three defects, episode=audit, proposal={one.proposal_id}}}",
    )
    assert told(outcome) == {"superseded": ["good: 2025-03-05T14:00:00Z → now"]}
    assert values(person) == ["poor"]
    assert believed(person, "Vendor", "reliability", as_of=LATER, as_known_at="2025-03-06") == ["good"]
    (decided,) = person.proposals(status="approved").proposals
    assert (decided.status, decided.decided_by) == ("approved", "priya")


def test_who_decides_must_be_said_and_be_another(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    proposal_id = pending(person)[0].proposal_id
    for by in (None, "", " "):
        with pytest.raises(BadRequest):
            person.approve(proposal_id, by=by)
        with pytest.raises(BadRequest):
            person.reject(proposal_id, because="no", by=by)
    for by in (AGENT, "Claude Code", "CLAUDE_CODE"):
        with pytest.raises(Refused, match="who cannot approve it"):
            person.approve(proposal_id, by=by, force=True)
    assert values(person) == ["good"]


@pytest.mark.parametrize(("given", "says"), [("zzz", "no proposal"), ("", "no proposal"), ("%", "no proposal")])
def test_an_id_that_is_none_is_told(given: str, says: str, agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    with pytest.raises(Refused, match=says):
        person.approve(given, by="priya")
    with pytest.raises(Refused, match=says):
        person.reject(given, because="no", by="priya")


def test_the_beginning_of_several_ids_is_told_with_them(agent: Lore, person: Lore) -> None:
    for number in range(20):
        agent.assert_fact("Vendor", "reliability", f"value {number}")
    first = [one.proposal_id[0] for one in pending(person)]
    shared = next(digit for digit in first if first.count(digit) > 1)
    with pytest.raises(Refused, match=f'"{shared}" begins {first.count(shared)} proposals'):
        person.approve(shared, by="priya")


def test_several_are_approved_in_one_append_or_not_at_all(agent: Lore, person: Lore) -> None:
    for predicate in ("status", "owner", "budget"):
        agent.assert_fact("Atlas", predicate, "x", valid_from="2024-01-01")
    ids = [one.proposal_id for one in pending(person)]
    person.reject(ids[2], because="no", by="priya")
    before = journal(person)
    with pytest.raises(Refused, match="2 of 4 proposals cannot be approved") as refused:
        person.approve(*ids, "zzz", by="priya")
    assert "was rejected by priya" in refused.value.message
    assert 'no proposal "zzz"' in refused.value.message
    assert journal(person) == before
    made = person.approve(ids[0], ids[1], ids[0], by="priya")
    assert len(made.approved) == 2
    assert len({outcome.recorded_at for outcome in made.approved}) == 1
    assert len(journal(person)) == len(before) + 2


def test_two_values_of_one_slot_from_one_start_are_not_approved_together(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Atlas", "status", "open", valid_from="2024-01-01")
    agent.assert_fact("Atlas", "status", "closed", valid_from="2024-01-01")
    ids = [one.proposal_id for one in pending(person)]
    with pytest.raises(Refused, match="contradict each other"):
        person.approve(*ids, by="priya")
    person.approve(ids[0], by="priya")
    with pytest.raises(Refused, match='has changed since .* "open"'):
        person.approve(ids[1], by="priya")


def test_each_of_several_in_one_slot_tells_what_it_did_itself(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Atlas", "status", "open", valid_from="2024-01-01")
    agent.assert_fact("Atlas", "status", "closed", valid_from="2024-06-01")
    first, second = person.approve(*(one.proposal_id for one in pending(person)), by="priya").approved
    assert told(first) == {}
    assert told(second) == {"superseded": ["open: 2024-06-01 → now"]}


@pytest.mark.parametrize(
    "change",
    [
        lambda lore: lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-03-01"),
        lambda lore: lore.invalidate_fact("Vendor", "reliability", valid_until="2024-03-01"),
        lambda lore: lore.retract_fact("Vendor", "reliability", "good"),
    ],
)
def test_a_slot_that_changed_since_asks_for_force(change: Callable[[Lore], object], agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    (one,) = pending(person)
    assert not one.changed
    change(person)
    assert pending(person)[0].changed
    with pytest.raises(Refused, match="has changed since") as refused:
        person.approve(one.proposal_id, by="priya")
    assert "--force" in refused.value.hint
    person.approve(one.proposal_id, by="priya", force=True)
    assert values(person) == ["poor"]


def test_what_changes_no_answer_of_the_slot_asks_for_no_force(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    person.assert_fact("Vendor", "price", "high", valid_from="2024-06-01")
    agent.assert_fact("Vendor", "reliability", "fair", valid_from="2024-07-01")
    with loreweave.open(person.engine.root, scope="north") as north:
        north.assert_fact("Vendor", "reliability", "bad", valid_from="2024-03-01")
    person.approve(pending(person)[0].proposal_id, by="priya")
    assert values(person) == ["poor"]


def test_an_approval_that_would_end_nothing_is_refused(agent: Lore, person: Lore) -> None:
    agent.invalidate_fact("Vendor", "reliability", valid_until="2024-06-01")
    person.invalidate_fact("Vendor", "reliability", valid_until="2024-03-01")
    (one,) = pending(person)
    assert "ended on 2024-03-01 already" in one.objection
    with pytest.raises(Refused, match="ended on 2024-03-01 already"):
        person.approve(one.proposal_id, by="priya", force=True)


# ----------------------------------------------------------------------------------------------- what is rejected


def test_a_rejected_value_is_refused_when_it_is_proposed_again_naming_the_rejection(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    person.reject(pending(person)[0].proposal_id, because="that was a strike", by="priya")
    for start in ("2024-06-01", "2024-09-01", None):
        with pytest.raises(Refused, match=r"rejected by priya .*that was a strike.*lore/journal/2025-03-05\.md:2"):
            agent.assert_fact("VENDOR", "reliability", "Poor", valid_from=start)
    assert agent.assert_fact("Vendor", "reliability", "fair").proposed
    assert agent.assert_fact("Other", "reliability", "poor").proposed


def test_a_close_that_was_rejected_may_be_proposed_at_another_time(agent: Lore, person: Lore) -> None:
    agent.invalidate_fact("Vendor", "reliability", valid_until="2024-06-01")
    person.reject(pending(person)[0].proposal_id, because="no", by="priya")
    with pytest.raises(Refused, match=r"\[invalidate\] Vendor :: reliability was proposed before and rejected"):
        agent.invalidate_fact("Vendor", "reliability", valid_until="2024-06-01")
    assert agent.invalidate_fact("Vendor", "reliability", valid_until="2024-09-01").proposed


def test_a_rejection_binds_nobody_once_a_person_stated_the_value(
    agent: Lore, person: Lore, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    person.reject(pending(person)[0].proposal_id, because="no", by="priya")
    monkeypatch.setenv("LORE_NOW", LATER)
    person.assert_fact("Vendor", "reliability", "poor", valid_from="2024-08-01", valid_until="2024-09-01")
    assert agent.assert_fact("Vendor", "reliability", "poor", valid_from="2025-01-01").proposed


@pytest.mark.parametrize("because", ["", "  ", "\u200b"])
def test_a_rejection_says_why(because: str, agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    with pytest.raises(Refused, match="blank"):
        person.reject(pending(person)[0].proposal_id, because=because, by="priya")


# ---------------------------------------------------------------------------------------------- scopes and replay


def test_proposals_of_a_scope_are_neither_seen_nor_decided_on_from_another(person: Lore) -> None:
    root = person.engine.root
    with loreweave.open(root, scope="north", agent=AGENT) as agent, loreweave.open(root, scope="North") as north:
        agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
        (one,) = pending(north)
        assert pending(person) == []
        for decide in (person.approve, lambda given, by: person.reject(given, because="no", by=by)):
            with pytest.raises(Refused, match=f'There is no proposal "{one.proposal_id}"'):
                decide(one.proposal_id, by="priya")
        write(person, f"- [rejected] {one.proposal_id} {{recorded_at=2025-03-06}}\n", "lore/journal/2025-03-06.md")
        assert [each.status for each in north.proposals(status="all").proposals] == ["pending"]
        north.approve(one.proposal_id, by="priya")
        assert believed(north, "Vendor", "reliability") == ["poor"]
    assert believed(person, "Vendor", "reliability") == ["good"]


def test_a_rejection_in_one_scope_binds_no_other(person: Lore) -> None:
    root = person.engine.root
    with loreweave.open(root, scope="north", agent=AGENT) as there, loreweave.open(root, scope="north") as north:
        there.assert_fact("Vendor", "reliability", "poor")
        north.reject(pending(north)[0].proposal_id, because="no", by="priya")
    with loreweave.open(root, agent=AGENT) as here:
        assert here.assert_fact("Vendor", "reliability", "poor").proposed


def test_deleting_the_index_loses_no_proposal_nor_their_order(agent: Lore, person: Lore) -> None:
    for number in range(6):
        agent.assert_fact("Atlas", f"part {number}", "x", valid_from="2024-01-01")
    ids = [one.proposal_id for one in pending(person)]
    person.approve(ids[1], ids[4], by="priya")
    person.reject(ids[2], because="no", by="dana")
    before = person.proposals(status="all")
    root = person.engine.root
    digest = digests(root)
    person.close(), agent.close()
    shutil.rmtree(root / ".lore")
    with loreweave.open(root) as fresh:
        assert fresh.proposals(status="all") == before
    assert digests(root) == digest


def test_a_list_that_is_cut_says_so(agent: Lore, person: Lore) -> None:
    for number in range(3):
        agent.assert_fact("Atlas", f"part {number}", "x")
    found = person.proposals(limit=2)
    assert (found.shown, found.of) == (2, 3)
    for bad in (0, -1, True, "2"):
        with pytest.raises(BadRequest):
            person.proposals(limit=bad)  # type: ignore[arg-type]
    with pytest.raises(BadRequest, match="status"):
        person.proposals(status="open")


# --------------------------------------------------------------------------------------------------------- mining

NOTE = """---
date: 2024-02-01
---
# Atlas

status:: active

- **Owner**: Priya
- Budget: 4000
"""


def mined(found: Mined) -> list[tuple[str, str]]:
    return [(one.predicate, one.object) for one in found.candidates]


def test_mining_a_note_asserts_nothing_and_says_what_waits(agent: Lore, person: Lore) -> None:
    write(person, NOTE, "atlas.md")
    found = agent.propose_facts("atlas.md")
    assert mined(found) == [("status", "active"), ("Owner", "Priya"), ("Budget", "4000")]
    assert [one.waits for one in found.candidates] == [True, False, False]
    assert not found.submitted
    assert journal(person) == []
    person.index()
    assert mined(agent.propose_facts("atlas.md")) == [("Owner", "Priya"), ("Budget", "4000")]


def test_what_is_submitted_is_proposed_for_the_date_of_its_note(agent: Lore, person: Lore) -> None:
    write(person, NOTE, "atlas.md")
    person.index()
    found = agent.propose_facts("atlas.md", submit=True, limit=1)
    assert (found.shown, found.of, found.submitted) == (1, 2, True)
    (one,) = pending(person)
    assert one.proposal_id == found.candidates[0].proposal_id
    assert (one.predicate, one.recorded_by, one.because) == ("Owner", AGENT, "read in atlas.md:8")
    person.approve(one.proposal_id, by="priya")
    assert believed(person, "Atlas", "owner", as_of="2024-02-01") == ["Priya"]
    rest = agent.propose_facts("atlas.md", submit=True)
    assert (mined(rest), rest.on_record) == ([("Budget", "4000")], 1)
    assert mined(agent.propose_facts("atlas.md", submit=True)) == []


def test_what_was_rejected_is_no_candidate(agent: Lore, person: Lore) -> None:
    write(person, NOTE, "atlas.md")
    person.index()
    agent.propose_facts("atlas.md", submit=True)
    person.reject(pending(person)[1].proposal_id, because="last year's", by="priya")
    found = agent.propose_facts("atlas.md")
    assert (found.of, found.proposed, found.rejected) == (0, 1, 1)


def test_mining_proposes_even_where_agents_may_write(agent: Lore, person: Lore) -> None:
    write(person, "", "lore/config.toml")
    write(person, NOTE, "atlas.md")
    agent.propose_facts("atlas.md", submit=True)
    assert len(pending(person)) == 3
    assert person.facts(subject="Atlas").items == ()


def test_a_note_of_another_scope_is_no_note(agent: Lore, person: Lore) -> None:
    write(person, GATED + '[scopes]\n"clients" = "north"\n', "lore/config.toml")
    write(person, NOTE, "clients/atlas.md")
    with pytest.raises(Refused, match="no note"):
        agent.propose_facts("clients/atlas.md")
    with loreweave.open(person.engine.root, scope="north", agent=AGENT) as north:
        north.propose_facts("clients/atlas.md", submit=True)
        assert len(pending(north)) == 3
    assert pending(person) == []
    for outside in ("../atlas.md", "/etc/passwd", "lore/config.toml", ""):
        with pytest.raises(LoreError):
            agent.propose_facts(outside)
