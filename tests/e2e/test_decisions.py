"""What a person decides on proposals, and what each decision comes to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import loreweave
from gated import AGENT, pending, values
from loreweave.errors import BadRequest, Refused
from loreweave.library import Lore
from told import believed, journal, told

LATER = "2025-03-06T14:00:00Z"


def test_an_approval_is_believed_from_then_on_and_in_the_name_of_who_approves(
    agent: Lore, person: Lore, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.assert_fact("Vendor", "reliability", "poor", because="three defects", episode="audit")
    (one,) = pending(person)
    monkeypatch.setenv("LORE_NOW", LATER)
    made = person.approve(one.proposal_id[:5], by="priya")
    (outcome,) = made.approved
    (line,) = outcome.lines
    assert line == (
        "- [fact] Vendor :: reliability :: poor {valid_from=2025-03-05T14:00:00Z, recorded_at=2025-03-06T14:00:00Z, "
        f"source=inferred, by=priya, because=three defects, episode=audit, proposal={one.proposal_id}}}"
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
    for by in (AGENT, "Note Taker", "note_taker", "n\u043ete taker", "note\u3164 taker", "note-taker."):
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


def test_a_number_is_not_taken_for_the_only_id_that_begins_with_it(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    (one,) = pending(person)
    with pytest.raises(Refused, match=f"too little of an id to be sure that {one.proposal_id[:8]} is meant"):
        person.approve(one.proposal_id[:3], by="priya")
    person.approve(one.proposal_id[:4], by="priya")


@pytest.mark.parametrize("by", ["", "\u200b", "\u3164", "[[]]", "x" * 2_001])
def test_nobody_decides_under_a_name_that_shows_nothing(by: str, agent: Lore, person: Lore) -> None:
    agent.assert_fact("Vendor", "reliability", "poor")
    with pytest.raises(BadRequest, match="is no name"):
        person.approve(pending(person)[0].proposal_id, by=by)


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


def test_several_are_rejected_in_one_append_or_not_at_all(agent: Lore, person: Lore) -> None:
    for predicate in ("status", "owner", "budget"):
        agent.assert_fact("Atlas", predicate, "x", valid_from="2024-01-01")
    first, second, third = (one.proposal_id for one in pending(person))
    person.reject(third, because="no", by="priya")
    before = journal(person)
    with pytest.raises(BadRequest, match="No proposal is named"):
        person.reject(because="no", by="priya")
    with pytest.raises(Refused, match=r"1 of 3 proposals cannot be rejected, so nothing was written:\n  .* already"):
        person.reject(first, second, third, because="no", by="priya")
    assert journal(person) == before
    made = person.reject(first[:8], second, first, because="a flood", by="priya")
    assert [(one.proposal_id, one.predicate, one.line_number) for one in made.rejected] == [
        (first, "status", len(before) + 1),
        (second, "owner", len(before) + 2),
    ]
    assert [one.rejected_because for one in person.proposals(status="rejected").proposals] == ["a flood"] * 2 + ["no"]
    assert pending(person) == []


def test_two_values_of_one_slot_from_one_start_are_not_approved_together(agent: Lore, person: Lore) -> None:
    agent.assert_fact("Atlas", "status", "open", valid_from="2024-01-01")
    agent.assert_fact("Atlas", "status", "closed", valid_from="2024-01-01")
    ids = [one.proposal_id for one in pending(person)]
    with pytest.raises(Refused, match="contradict each other"):
        person.approve(*ids, by="priya")
    person.approve(ids[0], by="priya")
    with pytest.raises(Refused, match=r'has changed since .* "open"'):
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
