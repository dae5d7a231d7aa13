"""The line that proposes, and the line that an approval writes."""

from __future__ import annotations

import pytest

from loreweave.events.model import Event, Line, event_of
from loreweave.events.proposals import approval_of, is_seen_again, proposal_of, quotes_a_person
from loreweave.events.rows import id_of, row_of
from loreweave.times import read_instant

PROPOSED, APPROVED = read_instant("2024-06-03T09:00:00Z"), read_instant("2024-06-10T09:00:00Z")


def proposal(kind: str, **said: object) -> Event:
    line = proposal_of(Line(kind, "Vendor", "reliability")._replace(by="scribe", **said))
    return event_of(row_of(line, PROPOSED, "lore/journal/2024-06-03.md", 1, id_of(line, PROPOSED)))


@pytest.mark.parametrize(
    "because",
    [
        'Priya: "we shipped"',
        'on the phone: "yes"',
        "Priya: “we shipped”",
        "Priya: „wir haben geliefert“",
        "Priya: »wir haben geliefert«",
        "Priya : « c'est fait »",
        "普里娅：「已经发货」",
    ],
)
def test_words_in_quotation_marks_quote_a_person(because: str) -> None:
    assert quotes_a_person("stated", because)
    assert not quotes_a_person("inferred", because)
    assert not quotes_a_person(None, because)


@pytest.mark.parametrize(
    "because", [None, "", "Priya said so", "it's what she didn't say", '""', 'said "…"', 'a 5" disc']
)
def test_anything_else_quotes_nobody(because: str | None) -> None:
    assert not quotes_a_person("stated", because)


def test_an_approved_value_holds_from_the_time_proposed_or_from_the_proposal() -> None:
    start = read_instant("2024-06-01")
    dated = approval_of(proposal("fact", object="poor", valid_from=start), "priya", APPROVED)
    assert (dated.kind, dated.valid_from, dated.recorded_at, dated.by) == ("fact", start, APPROVED, "priya")
    assert approval_of(proposal("fact", object="poor"), "priya", APPROVED).valid_from == PROPOSED


def test_an_approved_close_ends_at_the_time_proposed_or_at_the_proposal() -> None:
    end = read_instant("2024-06-01")
    assert approval_of(proposal("invalidate", valid_until=end), "priya", APPROVED).valid_until == end
    undated = approval_of(proposal("invalidate"), "priya", APPROVED)
    assert (undated.kind, undated.valid_until, undated.valid_from) == ("invalidate", PROPOSED, None)


def test_an_approved_retraction_keeps_the_start_it_is_meant_for_and_gains_none() -> None:
    start = read_instant("2024-06-01")
    assert approval_of(proposal("retract", valid_from=start), "priya", APPROVED).valid_from == start
    assert approval_of(proposal("retract"), "priya", APPROVED).valid_from is None


def test_an_approval_carries_over_what_was_said_and_names_the_proposal() -> None:
    said = {"because": "an audit", "episode": "May", "confidence": 0.7, "many": True, "scope": "North"}
    event = proposal("fact", object="poor", **said)
    line = approval_of(event, "priya", APPROVED)
    assert (line.because, line.episode, line.confidence, line.many, line.scope) == tuple(said.values())
    assert line.proposal == event.event_id
    assert approval_of(proposal("fact", object="poor"), "priya", APPROVED).scope is None


@pytest.mark.parametrize("source", [None, "inferred", "extracted", "stated", "gossip"])
def test_what_quotes_nobody_is_inferred_whatever_it_says_of_itself(source: str | None) -> None:
    assert approval_of(proposal("fact", object="poor", source=source), "priya", APPROVED).source == "inferred"


def test_a_value_is_seen_again_whatever_its_dates_and_spelling() -> None:
    one = proposal("fact", object="Poor", valid_from=PROPOSED)
    assert is_seen_again(proposal("fact", object="poor"), one)
    assert not is_seen_again(proposal("fact", object="fair"), one)
    assert not is_seen_again(proposal("retract", object="poor", valid_from=PROPOSED), one)


def test_a_close_is_seen_again_with_the_same_date() -> None:
    one = proposal("invalidate", valid_until=PROPOSED)
    assert is_seen_again(proposal("invalidate", valid_until=PROPOSED), one)
    assert not is_seen_again(proposal("invalidate", valid_until=APPROVED), one)
    assert not is_seen_again(proposal("invalidate", object="poor", valid_until=PROPOSED), one)
