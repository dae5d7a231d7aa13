"""Proposals of scopes, through replays, and those mined from notes."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

import loreweave
from gated import AGENT, GATED, OPEN, pending
from loreweave.engine.mining import Mined
from loreweave.errors import BadRequest, LoreError, Refused
from loreweave.library import Lore
from program import digests
from told import believed, journal, write


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


ALIKE = ["POOR", "po\u200bor", "ｐｏｏｒ", "p\u043e\u043er", "poor.", "**poor**", "po\u034for"]


@pytest.mark.parametrize("subject", ["Vendor", "V\u0435ndor"])
def test_what_a_reader_may_take_for_what_was_rejected_is_refused_too(agent: Lore, person: Lore, subject: str) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    person.reject(pending(person)[0].proposal_id, because="no", by="priya")
    for value in ALIKE:
        with pytest.raises(
            Refused, match=r"proposed before (as .* )?and rejected by priya|is not seen where it stands"
        ):
            agent.assert_fact(subject, "reliability", value, valid_from="2024-06-01")
    assert pending(person) == []
    assert agent.assert_fact("Vendor", "reliability", "fair").proposed


def test_a_rejection_binds_what_looks_the_same_until_somebody_states_it(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    person.reject(pending(person)[0].proposal_id, because="no", by="priya")
    person.assert_fact("Vendor", "reliability", "poor", by="priya", valid_from="2024-06-01")
    assert agent.assert_fact("Vendor", "reliability", "p\u043eor", valid_from="2024-07-01").proposed


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


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("atlas.md#Money", ["Budget", "Paid"]),
        ("atlas.md#money:11-15", ["Budget"]),
        ("atlas.md#Paid", ["Paid"]),
        ("atlas.md:9", ["Owner"]),
        ("atlas.md:1-4", ["kind"]),
        ("atlas.md#Atlas", ["Owner", "Budget", "Paid"]),
    ],
)
def test_of_a_section_or_lines_only_what_stands_there_is_mined(
    agent: Lore, person: Lore, address: str, found: list[str]
) -> None:
    note = "---\ndate: 2024-02-01\nkind: plan\n---\n# Atlas\n\n## Who\n\n- **Owner**: Priya\n"
    write(person, f"{note}\n## Money\n\n- **Budget**: 4000\n\n### Paid\n\n- **Paid**: 1200\n", "atlas.md")
    assert [one.predicate for one in agent.propose_facts(address).candidates] == found
    assert [one.predicate for one in agent.propose_facts(address, submit=True).candidates] == found
    assert [one.predicate for one in pending(person)] == found


@pytest.mark.parametrize(
    ("address", "told", "hint"),
    [
        ("atlas.md#Ownr", 'has no heading "Ownr"', 'it has "Atlas", "Owner"'),
        ("atlas.md:90", "has no lines 90", "leave the lines out"),
        ("atlass.md#Owner", "is no note of the scope", "atlas.md"),
    ],
)
def test_mining_refuses_what_is_not_in_the_note(agent: Lore, person: Lore, address: str, told: str, hint: str) -> None:
    write(person, "# Atlas\n\n## Owner\n\n- **Owner**: Priya\n", "atlas.md")
    with pytest.raises(Refused, match=told) as caught:
        agent.propose_facts(address, submit=True)
    assert hint in caught.value.hint
    assert pending(person) == []


def test_what_was_rejected_is_no_candidate(agent: Lore, person: Lore) -> None:
    write(person, NOTE, "atlas.md")
    person.index()
    agent.propose_facts("atlas.md", submit=True)
    person.reject(pending(person)[1].proposal_id, because="last year's", by="priya")
    found = agent.propose_facts("atlas.md")
    assert (found.of, found.proposed, found.rejected) == (0, 1, 1)


def test_a_value_that_turns_how_it_is_read_is_no_candidate(agent: Lore, person: Lore) -> None:
    write(person, "# Atlas\n\n- **Owner**: \u202eayirP\n- **Place**: Is\u200bfahan\n", "atlas.md")
    agent.propose_facts("atlas.md", submit=True)
    assert [one.object for one in pending(person)] == ["Is\u200bfahan"]


def test_mining_proposes_even_where_agents_may_write(agent: Lore, person: Lore) -> None:
    write(person, OPEN, "lore/config.toml")
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


@pytest.mark.parametrize(
    "asked",
    [
        {"note": 7},
        {"note": "atlas.md", "by": 7},
        {"note": "atlas.md", "by": " "},
        {"note": "atlas.md", "by": "x" * 2_001},
        {"note": "atlas.md", "limit": 0},
        {"note": "atlas.md", "limit": "5"},
        {"note": "\ud800.md"},
    ],
)
def test_what_cannot_be_meant_is_told_and_proposes_nothing(asked: dict[str, Any], person: Lore) -> None:
    write(person, NOTE, "atlas.md")
    with pytest.raises(LoreError):
        person.propose_facts(**asked, submit=True)
    assert journal(person) == []
