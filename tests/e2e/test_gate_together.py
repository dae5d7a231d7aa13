"""Agents and people at one gate at once: no proposal is lost, and each is decided on once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import loreweave
from gated import AGENT, pending, values
from loreweave.errors import Refused
from loreweave.library import Lore
from program import digests
from told import journal


def test_an_agent_that_stays_and_a_person_see_at_once_what_the_other_wrote(person: Lore) -> None:
    with Lore(person.engine.root, agent=AGENT, live=True) as agent:
        made = agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
        (one,) = pending(person)
        assert [each.proposal_id for each in pending(agent)] == [one.proposal_id] == [made.proposal_id]
        person.approve(one.proposal_id, by="priya")
        assert values(agent) == ["poor"]
        assert pending(agent) == []
        agent.assert_fact("Vendor", "reliability", "fair", valid_from="2024-09-01")
        person.reject(pending(person)[0].proposal_id, because="no", by="priya")
        with pytest.raises(Refused, match="was proposed before and rejected by priya"):
            agent.assert_fact("Vendor", "reliability", "fair", valid_from="2024-10-01")


def test_a_person_who_stays_decides_as_one_who_comes_by(agent: Lore, person: Lore) -> None:
    for value in ("poor", "fair", "bad"):
        agent.assert_fact("Vendor", value, "x", valid_from="2024-06-01")
    with Lore(person.engine.root, live=True) as staying:
        one, two, three = pending(staying)
        staying.approve(one.proposal_id, two.proposal_id, by="priya")
        staying.reject(three.proposal_id, because="no", by="priya")
        before = staying.proposals(status="all")
    assert person.proposals(status="all") == before
    assert digests(person.engine.root) == digests(person.engine.root, "all", "--cold")


def test_of_many_who_approve_one_proposal_at_once_one_does(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", valid_from="2024-06-01")
    proposal_id = pending(person)[0].proposal_id

    def approve(number: int) -> str:
        with loreweave.open(person.engine.root) as lore:
            try:
                lore.approve(proposal_id, by=f"person {number}")
            except Refused as refused:
                return refused.message
        return "approved"

    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(approve, range(4)))
    assert told.count("approved") == 1
    assert sum("was approved by person" in each for each in told) == 3
    assert len(journal(person)) == 2


def test_no_proposal_of_agents_that_write_at_once_is_lost(person: Lore) -> None:
    def propose(number: int) -> None:
        with loreweave.open(person.engine.root, agent=f"agent {number}") as lore:
            for part in range(3):
                lore.assert_fact("Atlas", f"part {part}", f"of {number}", valid_from="2024-01-01")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(propose, range(4)))
    found = pending(person)
    assert len(found) == len({one.proposal_id for one in found}) == 12
    assert [one.recorded_at for one in found] == sorted({one.recorded_at for one in found})
