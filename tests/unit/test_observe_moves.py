"""Notes that move, are renamed, copied or given another title, and notes that speak of the same thing."""

from __future__ import annotations

import pytest

from histories import day
from loreweave.events.model import Line
from loreweave.events.observe import Renamed
from loreweave.events.statements import Stated
from noted import Ledger, gone, note, shown

RUN = 10


def after(*runs: list[Stated]) -> tuple[Ledger, list[str]]:
    """Run the observer day by day; give the ledger and the lines of the last day, each with its note."""
    ledger, lines = Ledger(), []
    for number, notes in enumerate(runs, RUN):
        lines = [f"{line.note}: {shown(line)}" for line in ledger.run(day(number), *notes).lines]
        assert ledger.is_done(*notes)
    return ledger, lines


def at(path: str, *texts: str, title: str = "Atlas") -> Stated:
    return note(*texts, path=path, title=title)


# A file that moves ---------------------------------------------------------------------------------------


def test_a_note_that_moves_is_withdrawn_there_and_seen_here_with_the_start_it_had() -> None:
    _, lines = after([at("a.md", "s=x", "m=y many")], [gone("a.md"), at("b.md", "s=x", "m=y many")])
    assert lines == ["a.md: - m=y many", "a.md: - s", "b.md: + m=y 10 many", "b.md: + s=x 10"]


def test_what_it_said_before_goes_with_it_and_tells_where_it_was_heard() -> None:
    _, lines = after([at("a.md", "s=x")], [at("a.md", "s=y")], [gone("a.md"), at("b.md", "s=y")])
    assert lines == ["a.md: - s", "b.md: + s=x 10 from a.md", "b.md: + s=y 11"]


def test_it_is_told_where_it_was_heard_first_however_often_the_note_moves() -> None:
    moves = [gone("a.md"), at("b.md", "s=y")], [gone("b.md"), at("c.md", "s=y")]
    _, lines = after([at("a.md", "s=x")], [at("a.md", "s=y")], *moves)
    assert lines == ["b.md: - s", "c.md: + s=x 10 from a.md", "c.md: + s=y 11"]


def test_a_note_that_moves_and_is_edited_at_once_has_moved_and_then_been_edited() -> None:
    _, lines = after([at("a.md", "s=x", "t=v")], [gone("a.md"), at("b.md", "s=y", "t=v")])
    assert lines == ["a.md: - s", "a.md: - t", "b.md: + s=x 10 from a.md", "b.md: + s=y 11", "b.md: + t=v 10"]


def test_a_move_seen_in_two_runs_is_no_news_either() -> None:
    _, lines = after([at("a.md", "s=x")], [at("a.md", "s=y")], [gone("a.md")], [at("b.md", "s=y")])
    assert lines == ["b.md: + s=x 10 from a.md", "b.md: + s=y 11"]


def test_a_note_that_says_something_else_after_a_day_begins_anew() -> None:
    _, lines = after([at("a.md", "s=x")], [gone("a.md")], [at("b.md", "s=y")])
    assert lines == ["b.md: + s=y 12"]


def test_a_value_edited_under_another_name_does_not_return_under_the_old_one() -> None:
    moved = [gone("a.md"), at("b.md", "s=x")]
    _, lines = after([at("a.md", "s=x")], moved, [at("b.md", "s=y")], [gone("b.md"), at("a.md", "s=x")])
    assert lines == ["b.md: - s", "a.md: + s=x 10 from b.md", "a.md: + s=y 12 from b.md", "a.md: + s=x 13"]


def test_a_copy_in_another_folder_is_no_news() -> None:
    both = [at("a.md", "s=y"), at("old/a.md", "s=y")]
    ledger, lines = after([at("a.md", "s=x")], [at("a.md", "s=y")], both)
    assert lines == ["old/a.md: + s=x 10 from a.md", "old/a.md: + s=y 11"]
    before = ledger.beliefs(day(12))
    ledger.run(day(13), gone("a.md"))
    assert ledger.beliefs(day(13)) == before


# Values of other subjects --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["old/log.md", "diary.md"])
def test_a_note_that_speaks_of_others_only_may_move_and_be_called_otherwise(path: str) -> None:
    ledger, _ = after([at("log.md", "Vendor.s=x", title="Log")], [at("log.md", "Vendor.s=y", title="Log")])
    before = ledger.beliefs(day(11))
    ledger.run(day(12), gone("log.md"), at(path, "Vendor.s=y", title="Diary"))
    assert ledger.beliefs(day(12)) == before


def test_a_line_that_is_moved_from_one_note_to_another_is_no_news() -> None:
    first = [at("log.md", "Vendor.s=x", title="Log"), at("b.md", "t=v")]
    _, lines = after(first, [gone("log.md"), at("b.md", "t=v", "Vendor.s=x")])
    assert lines == ["log.md: - s", "b.md: + s=x 10"]


def test_a_line_that_another_note_had_once_is() -> None:
    first = [at("log.md", "Vendor.s=x", title="Log"), at("b.md", "t=v")]
    _, lines = after(first, [gone("log.md")], [at("b.md", "t=v", "Vendor.s=x")])
    assert lines == ["b.md: + s=x 12"]


def test_what_another_note_says_of_the_title_makes_no_old_value_of_a_new_one() -> None:
    log = at("log.md", "Atlas.s=x", title="Log")
    _, lines = after([log], [log, at("a.md", "s=x")])
    assert lines == ["a.md: + s=x 11"]


# Two notes -----------------------------------------------------------------------------------------------


def test_two_notes_for_one_slot_are_each_their_own() -> None:
    two = [at("a.md", "s=x"), at("old/a.md", "s=y")]
    _, lines = after(two, [at("a.md", "s=z"), two[1]])
    assert lines == ["a.md: + s=z 11"]
    _, lines = after(two, [gone("a.md"), two[1]])
    assert lines == ["a.md: - s"]


def test_a_note_that_flaps_beside_another_of_its_title_keeps_its_start() -> None:
    _, lines = after([at("a.md", "s=x"), at("b.md", "s=y")], [gone("a.md")], [at("b.md", "s=z")], [at("a.md", "s=x")])
    assert lines == ["a.md: + s=x 10"]


# Another title -------------------------------------------------------------------------------------------


def told(*runs: list[Stated]) -> list[Renamed]:
    ledger, renamed = Ledger(), []
    for number, notes in enumerate(runs, RUN):
        renamed = list(ledger.run(day(number), *notes).renamed)
    return renamed


def test_a_note_with_another_title_is_told_and_begins_anew() -> None:
    first, second = at("a.md", "s=x", "m=y many", "m=z many"), ("s=x", "m=y many", "m=z many")
    renamed = note(*(f"Atlas_II.{text}" for text in second), path="a.md", title="Atlas_II")
    assert told([first], [renamed]) == [Renamed("a.md", "Atlas", "Atlas_II", 3, 3)]
    _, lines = after([first], [renamed])
    assert lines[-1] == "a.md: + s=x 11"


def test_a_file_called_otherwise_is_told_by_all_that_it_says() -> None:
    first = [at("a.md", "s=x", "t=y"), at("c.md", "C.s=x", "C.t=z", title="C")]
    renamed = at("b.md", "B.s=x", "B.t=y", title="B")
    assert told(first, [gone("a.md"), renamed]) == [Renamed("b.md", "Atlas", "B", 2, 2)]
    assert told(first, [gone("a.md"), gone("c.md"), renamed]) == [Renamed("b.md", "Atlas", "B", 2, 2)]


@pytest.mark.parametrize(
    "notes",
    [
        [gone("a.md"), at("b.md", "s=x", "t=y")],
        [gone("a.md"), at("b.md", "B.s=x", "B.t=z", title="B")],
        [at("a.md", "s=x", "t=y"), at("b.md", "B.s=x", "B.t=y", title="B")],
        [at("a.md", "B.u=x", title="B")],
    ],
    ids=["moved", "another that says other things", "another beside it", "other things altogether"],
)
def test_nothing_is_told_of_notes_that_only_look_renamed(notes: list[Stated]) -> None:
    assert told([at("a.md", "s=x", "t=y")], notes) == []


def test_a_title_that_comes_back_brings_its_values_back() -> None:
    other = note("B.s=x", path="a.md", title="B")
    _, lines = after([at("a.md", "s=x")], [other], [at("a.md", "s=x")])
    assert lines == ["a.md: - s", "a.md: + s=x 10"]


# Order, and ledgers of others ----------------------------------------------------------------------------


def test_withdrawals_come_first_then_notes_by_their_paths() -> None:
    _, lines = after(
        [at("b.md", "s=x", "t=y"), at("a.md", "A.u=x", title="A")],
        [at("c.md", "C.u=v", "C.s=w", title="C"), gone("b.md"), at("a.md", "A.u=z", title="A")],
    )
    assert lines == ["b.md: - s", "b.md: - t", "a.md: + u=z 11", "c.md: + s=w 11", "c.md: + u=v 11"]


def test_a_ledger_of_two_machines_is_no_news() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("s=x"))
    seen = Line("observed", "Atlas", "s", "x", day(11), recorded_at=day(11), confidence=0.9, note="atlas.md")
    ledger.append([seen])
    ledger.append([seen])
    assert not ledger.run(day(12), note("s=x")).lines
    assert [shown(line) for line in ledger.run(day(13), note("s=y")).lines] == ["+ s=y 13"]
