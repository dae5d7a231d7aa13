"""Laws of the review gate: a proposal changes no answer, its approval is the statement itself, and the past stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from answers import Answers, covers, known_instants, rows, slot_in
from histories import ANYTHING, GRID, SLOTS, Placed, acts, claims, day, events_of, histories
from loreweave.events.model import Event, Line, event_of
from loreweave.events.proposals import approval_of, proposal_of
from loreweave.events.read import read_record
from loreweave.events.render import as_read, render
from loreweave.projections import project
from oracle import Slot

WORDS = ("fact", "invalidate", "retract")
PROPOSED_IN, APPROVED_IN = "lore/journal/2024-01-20.md", "lore/journal/2024-01-21.md"
FOLDED = ("beliefs", "conflicts", "agreements", "findings")


@st.composite
def asked(draw: st.DrawFn) -> Line:
    """A line that an agent may ask for in the first slot of a history, without a record time."""
    word = draw(st.sampled_from(WORDS))
    line = draw(claims(word, ANYTHING) if word == "fact" else acts(word, ANYTHING))
    scope, subject, predicate = SLOTS[0]
    source = draw(st.sampled_from(["stated", "inferred"])) if word == "fact" else None
    said = draw(st.sampled_from([None, "seen in the audit", 'Priya: "so it is"']))
    return line._replace(
        scope=scope, subject=subject, predicate=predicate, source=source, because=said, by="scribe", recorded_at=None
    )


def read(path: str, *lines: Line) -> list[Event]:
    """The events of lines as they are read back from a file of the journal."""
    record = read_record(path, "".join(f"{render(as_read(line))}\n" for line in lines))
    assert record.findings == []
    return [event_of(row) for row in record.rows]


def sound(line: Line, recorded_at: int) -> bool:
    """Whether an undated line, recorded then, ends after it starts."""
    return line.kind != "fact" or line.valid_until is None or line.valid_until > (line.valid_from or recorded_at)


@given(histories(), st.lists(st.tuples(asked(), st.integers(1, 8), st.booleans()), min_size=1, max_size=4))
def test_proposals_and_rejections_change_no_belief(
    history: list[Placed], proposed: list[tuple[Line, int, bool]]
) -> None:
    events = events_of(history)
    lines = []
    for line, at, is_rejected in proposed:
        proposal = proposal_of(line)._replace(recorded_at=day(at))
        lines.append(proposal)
        if is_rejected:
            (event,) = read(PROPOSED_IN, proposal)
            lines.append(Line("rejected", object=event.event_id, recorded_at=day(at) + 1, because="no", by="priya"))
    further = read(PROPOSED_IN, *lines)
    with_proposals, without = project(events + further), project(events)
    for name in FOLDED:
        assert rows(with_proposals[name]) == rows(without[name])
    assert len(with_proposals["events"]) == len(without["events"]) + len({event.event_id for event in further})


@given(histories(), asked(), st.integers(1, 8), st.integers(0, 8))
def test_an_approval_is_the_statement_itself_from_then_on(
    history: list[Placed], line: Line, at: int, later: int
) -> None:
    proposed_at, approved_at = day(at), day(at + later) + 1
    if not sound(line, proposed_at):
        return
    (proposal,) = read(PROPOSED_IN, proposal_of(line)._replace(recorded_at=proposed_at))
    (approval,) = read(APPROVED_IN, approval_of(proposal, "priya", approved_at))
    (statement,) = read(APPROVED_IN, stated(line, proposed_at)._replace(recorded_at=approved_at))
    events = events_of(history)
    approved, direct, before = (Answers([*events, *more]) for more in ([proposal, approval], [statement], []))
    for k in known_instants([*events, proposal, approval]):
        expected = direct if k >= approved_at else before
        for slot in {*approved.slots, *expected.slots}:
            for v in GRID:
                assert told(approved, slot, v, k) == told(expected, slot, v, k)


def told(answers: Answers, slot: Slot, v: float, k: float) -> set[tuple[object, ...]]:
    """What is believed of a slot, and on whose word."""
    held = [row for row in answers.beliefs if slot_in(row) == slot and covers(row, v, k)]
    return {(row["object"], row["source"], row["valid_from"], row["valid_until"]) for row in held}


def stated(line: Line, proposed_at: int) -> Line:
    """What a person who states, at the approval, what was proposed would write."""
    if line.kind == "fact":
        quoted = line.source == "stated" and line.because == 'Priya: "so it is"'
        start = proposed_at if line.valid_from is None else line.valid_from
        return line._replace(valid_from=start, source="stated" if quoted else "inferred")
    if line.kind == "invalidate":
        return line._replace(valid_until=proposed_at if line.valid_until is None else line.valid_until)
    return line


@given(histories(), asked(), st.integers(1, 8), st.integers(0, 8))
def test_an_approval_moves_nothing_that_was_known_before_it(
    history: list[Placed], line: Line, at: int, later: int
) -> None:
    approved_at = day(at + later) + 1
    if not sound(line, day(at)):
        return
    (proposal,) = read(PROPOSED_IN, proposal_of(line)._replace(recorded_at=day(at)))
    approval = read(APPROVED_IN, approval_of(proposal, "priya", approved_at))
    events = events_of(history)
    after, before = Answers([*events, proposal, *approval]), Answers(events)
    for slot in {*after.slots, *before.slots}:
        for k in [k for k in known_instants(events) if k < approved_at]:
            for v in GRID:
                assert after.shown(slot, v, k) == before.shown(slot, v, k)


@given(asked(), st.integers(1, 8))
def test_a_proposal_comes_back_from_its_file_as_it_was_made(line: Line, at: int) -> None:
    (event,) = read(PROPOSED_IN, proposal_of(line)._replace(recorded_at=day(at)))
    said = (event.detail, event.object, event.valid_from, event.valid_until, event.source, event.many)
    assert said == (line.kind, line.object, line.valid_from, line.valid_until, line.source, line.many)
