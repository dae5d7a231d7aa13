"""Laws about how lines are written: offsets, lines that are set aside, and the way through text and back."""

from __future__ import annotations

import re
from datetime import timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from answers import Answers, Row, known_instants
from histories import GRID, JOURNALS, Placed, events_of, files_of, histories, read_files
from loreweave.errors import ERROR
from loreweave.events.model import Event
from loreweave.times import read_instant, to_datetime
from oracle import slot_of, values

Files = dict[str, list[str]]

written_time = re.compile(r"(?<==)\d{4}-\d\d-\d\d(T[\d:.]+Z)?(?=[,}])")
offsets = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))

SET_ASIDE = (
    "- [fact] Atlas :: colour :: grey {valid_from=2024-01-05, valid_until=2024-01-02, recorded_at=2024-01-01}",
    "- [fact] Atlas :: colour :: g {valid_from=2024-01-02T01:00+01:00, valid_until=2024-01-02, recorded_at=2024-01-01}",
    "- [fact] Atlas :: colour :: grey {valid_from=2024-02-30, recorded_at=2024-01-01}",
    "- [fact] Atlas :: colour :: grey {valid_from=2024-01-01, recorded_at=20240101}",
    "- [fact] Atlas :: colour :: grey {valid_from=2024-01-01, recorded_at=2024-01-01, confidence=1.5}",
    "- [fact] --- :: colour :: grey {valid_from=2024-01-01, recorded_at=2024-01-01}",
    "- [fact] Atlas :: __ :: grey {valid_from=2024-01-01, recorded_at=2024-01-01}",
    "- [fact] Atlas :: colour ::  {valid_from=2024-01-01, recorded_at=2024-01-01}",
    "- [fact] Atlas :: colour {valid_from=2024-01-01, recorded_at=2024-01-01}",
    "- [invalidate] Atlas :: colour {valid_until=yesterday, recorded_at=2024-01-01}",
    "- [withdrawn] Atlas :: colour {note=atlas.md, recorded_at=2024-01-01}",
)


def rewritten(files: Files, data: st.DataObject) -> Files:
    """Every time written with another offset of the same instant."""

    def elsewhere(found: re.Match[str]) -> str:
        return to_datetime(read_instant(found[0])).astimezone(data.draw(offsets)).isoformat()

    return {path: [written_time.sub(elsewhere, line) for line in lines] for path, lines in files.items()}


@given(histories(most=6), st.data())
def test_law_17_another_offset_of_the_same_instant_changes_nothing(history: list[Placed], data: st.DataObject) -> None:
    files = files_of(history)
    moved, faults = read_files(rewritten(files, data))
    assert (moved, faults) == read_files(files)
    assert Answers(moved).beliefs == Answers(read_files(files)[0]).beliefs


@given(histories(), st.lists(st.tuples(st.sampled_from(SET_ASIDE), st.integers(0, 12)), min_size=1, max_size=6))
def test_law_18_quarantined_lines_change_no_answer(history: list[Placed], bad: list[tuple[str, int]]) -> None:
    files = files_of(history)
    events, _ = read_files(files)
    spoiled = files.setdefault(JOURNALS[0], [])
    for line, place in bad:
        spoiled.extend([""] * (2 * place + 1 - len(spoiled)))
        spoiled[2 * place] = line
    read, findings = read_files(files)
    assert read == events
    assert Answers(read).beliefs == Answers(events).beliefs
    assert {finding.line for finding in findings if finding.severity == ERROR} == {2 * place + 1 for _, place in bad}


@given(histories())
def test_law_20_events_written_and_read_again_give_the_same_beliefs(history: list[Placed]) -> None:
    events, findings = read_files(files_of(history))
    assert not findings
    assert by_origin(events) == by_origin(events_of(history))


def by_origin(events: list[Event]) -> list[Row]:
    """The beliefs, with every event named by where it stands: its id is the reader's affair."""
    tables = Answers(events)
    origin = {
        event.event_id: (event.path, event.line) for event in sorted(events, key=lambda e: (e.path, e.line))[::-1]
    }
    named = [{name: origin.get(value, value) for name, value in row.items()} for row in tables.beliefs]
    return sorted(named, key=repr)


@given(histories(most=6))
def test_law_05_oracle_from_text(history: list[Placed]) -> None:
    read, _ = read_files(files_of(history))
    answers = Answers(read)
    for slot in {slot_of(event) for event in read}:
        for k in known_instants(read):
            for v in GRID[::3]:
                assert answers.texts(slot, v, k) == values(events_of(history), slot, v, k)
