"""The observer in small: what becomes of a note, day by day, and the lines that the ledger gets for it."""

from __future__ import annotations

import pytest

from histories import day
from loreweave.events.holdings import Holdings
from loreweave.events.observe import Observed, differing, observe
from loreweave.events.render import render
from noted import Ledger, gone, note, shown, statement

RUN = 10
"""The day of the first run; each further one is a day later."""


def lines(seen: Observed) -> list[str]:
    return [shown(line) for line in seen.lines]


def days(*said: str) -> list[list[str]]:
    """Give the lines of each day on which one note says this, its statements parted by ``|``; empty is gone."""
    ledger, found = Ledger(), []
    for number, texts in enumerate(said, RUN):
        found.append(lines(ledger.run(day(number), note(*filter(None, texts.split(" | "))))))
    return found


LIVES = {
    "an undated value starts at first sight": (["status=draft"], ["+ status=draft 10"]),
    "a dated one when it says": (["status=draft 3-7"], ["+ status=draft 3-7"]),
    "an unchanged note writes nothing": (["a=x | b=y 3 | c=z many", "a=x | b=y 3 | c=z many"], []),
    "an edit is seen, the old value ends by itself": (["a=x | b=y", "a=z | b=y"], ["+ a=z 11"]),
    "an edit with a later start of its own as well": (["a=x 3", "a=z 5"], ["+ a=z 5"]),
    "an edit to several values too": (["a=x 3", "a=y 5 | a=z 7"], ["+ a=y 5", "+ a=z 7"]),
    "a bounded value is withdrawn first": (["a=x 3-40", "a=z"], ["- a", "+ a=z 11"]),
    "so is one that starts no earlier": (["a=x 5", "a=z 5"], ["- a", "+ a=z 5"]),
    "and one that is to start later than the edit": (["a=x 30", "a=z"], ["- a", "+ a=z 11"]),
    "a value that left is withdrawn without naming it": (["a=x | b=y", "b=y"], ["- a"]),
    "and with it what was said before": (["a=x", "a=y", ""], ["- a"]),
    "one of many is named": (["a=x many | a=y many", "a=y many"], ["- a=x many"]),
    "another one of many comes beside them": (["a=x many", "a=x many | a=y many"], ["+ a=y 11 many"]),
    "another spelling is no news": (["a=X", "a=x"], []),
    "nor is a date that goes": (["a=x 3", "a=x"], []),
    "nor a date that says what is held": (["a=x", "a=x 10"], []),
    "a date that says otherwise is": (["a=x", "a=x 3"], ["- a", "+ a=x 3"]),
    "a later one too, for it is no successor": (["a=x 3", "a=x 5"], ["- a", "+ a=x 5"]),
    "an end is added to what is held": (["a=x", "a=x -20"], ["+ a=x 10-20"]),
    "an end goes again": (["a=x", "a=x -20", "a=x"], ["+ a=x 10"]),
    "an end leaves what was said before": (["a=x", "a=y", "a=y -20"], ["+ a=y 11-20"]),
    "a return after another value begins anew": (["a=x", "a=y", "a=x"], ["+ a=x 12"]),
    "a return after nothing does not": (["a=x", "b=y", "a=x | b=y"], ["+ a=x 10"]),
    "another value after nothing is new": (["a=x", "b=y", "a=z | b=y"], ["+ a=z 12"]),
    "what was said before comes back with it": (
        ["a=x", "a=y", "", "a=y"],
        ["+ a=x 10 from atlas.md", "+ a=y 11"],
    ),
    "one of many returns with its start": (
        ["a=x many | a=y many", "a=x many", "a=x many | a=y many"],
        ["+ a=y 10 many"],
    ),
    "but not once another was added": (
        ["a=x many | a=y many", "a=x many | a=z many", "a=x many | a=y many | a=z many"],
        ["+ a=y 12 many"],
    ),
    "a single value becomes one of many and keeps its start": (
        ["a=x", "a=x many | a=y many"],
        ["- a", "+ a=x 10 many", "+ a=y 11 many"],
    ),
    "and the other way round": (
        ["a=x many | a=y many", "a=y"],
        ["- a=x many", "- a=y many", "+ a=y 10"],
    ),
    "a history gets an earlier value": (["a=y 5", "a=x 3 | a=y 5"], ["+ a=x 3"]),
    "a value becomes a history: seen again, or the new one would take its place": (
        ["a=x 3", "a=x 3 | a=y 5"],
        ["+ a=x 3", "+ a=y 5"],
    ),
    "a history that grows leaves the others alone": (["a=x 3 | a=y 5", "a=x 3 | a=y 5 | a=z 7"], ["+ a=z 7"]),
    "one line of a history goes by name, the others stand": (
        ["a=x 3 | a=y 5 | a=z 7", "a=x 3 | a=z 7"],
        ["- a=y"],
    ),
    "what has the same object is seen again": (
        ["a=x 3 | a=y 5 | a=x 7", "a=x 3 | a=y 5"],
        ["- a=x", "+ a=x 3"],
    ),
    "one line of a history is corrected": (["a=x 3 | a=y 5", "a=x 3 | a=z 6"], ["- a=y", "+ a=z 6"]),
    "a history becomes its last value": (["a=x 3 | a=y 5", "a=y"], ["- a=x"]),
    "a history gives way to something else": (["a=x 3 | a=y 5", "a=z"], ["- a", "+ a=z 11"]),
    "a corrected date leaves what was said before": (["a=x", "a=y 20", "a=y 15"], ["- a=y", "+ a=y 15"]),
    "but not what would come back to light": (["a=x 5", "a=y 7", "a=y 3"], ["- a", "+ a=y 3"]),
    "equal statements are one": (["a=x | a=X"], ["+ a=x 10"]),
    "an undated one says nothing beside a dated one": (["a=x | a=x 3"], ["+ a=x 3"]),
    "one slot may have single and many values": (
        ["a=x | a=y many | a=x many"],
        ["+ a=x 10", "+ a=x 10 many", "+ a=y 10 many"],
    ),
}


@pytest.mark.parametrize(("said", "last"), LIVES.values(), ids=LIVES.keys())
def test_the_last_day_of_a_note(said: list[str], last: list[str]) -> None:
    assert days(*said)[-1] == last


def test_a_line_is_ready_to_be_written() -> None:
    seen = observe([note("owner=Priya 3-9")], Holdings(), day(10), by="git:1a2b")
    times = "valid_from=2024-01-03, valid_until=2024-01-09, recorded_at=2024-01-10T00:00:00Z"
    assert [render(line) for line in seen.lines] == [
        f"- [observed] Atlas :: owner :: Priya {{note=atlas.md, {times}, confidence=0.9, by=git:1a2b}}"
    ]
    assert (seen.observed, seen.withdrawn) == (1, 0)


def test_a_scope_is_written_where_it_is_not_the_default() -> None:
    one = note("owner=Ana")
    lab = statement("owner=Bo")._replace(scope="Lab", scope_key="lab")
    seen = observe([one._replace(statements=(*one.statements, lab))], Holdings(), day(10))
    assert [(line.object, line.scope) for line in seen.lines] == [("Ana", None), ("Bo", "Lab")]


def test_another_scope_is_another_slot() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("owner=Bo"))
    moved = note("owner=Bo")
    lab = (moved.statements[0]._replace(scope="lab", scope_key="lab"),)
    seen = ledger.run(day(11), moved._replace(statements=lab))
    assert [(line.kind, line.scope) for line in seen.lines] == [("withdrawn", None), ("observed", "lab")]


# The date that a note bears ------------------------------------------------------------------------------


def test_a_dated_note_dates_what_is_seen_with_it_first_and_nothing_later() -> None:
    ledger, found = Ledger(), []
    for number, texts, dated in ((10, ["a=x", "b=y 5"], 3), (11, ["a=x", "b=y 5"], 7), (12, ["a=z", "c=v"], 7)):
        found.append(lines(ledger.run(day(number), note(*texts, dated=day(dated)))))
    assert found == [["+ a=x 3", "+ b=y 5"], [], ["- b", "+ a=z 12", "+ c=v 12"]]


def test_a_date_after_the_end_of_a_value_does_not_date_it() -> None:
    seen = observe([note("a=x -20", dated=day(30))], Holdings(), day(10))
    assert lines(seen) == ["+ a=x 10-20"]


def test_a_dated_note_that_moves_was_seen_before() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("a=x", dated=day(3)))
    seen = ledger.run(day(11), gone(), note("a=x", "b=y", path="old/atlas.md", dated=day(3)))
    assert lines(seen) == ["- a", "+ a=x 3", "+ b=y 11"]


# Values that cannot be recorded --------------------------------------------------------------------------


def test_a_value_that_ended_before_it_was_seen_is_refused_and_the_run_goes_on() -> None:
    stated = note("a=x -7", "b=y")
    seen = observe([stated], Holdings(), day(10))
    (finding,) = seen.refused
    assert lines(seen) == ["+ b=y 10"]
    assert (finding.code, finding.path, finding.line) == ("close-before-open", "atlas.md", 1)
    assert finding.message == 'The end "2024-01-07" is not after the start "2024-01-10".'
    assert finding.hint == "write valid_from on the line: without it the value starts when it was first seen"


def test_what_is_refused_waits_and_is_refused_again() -> None:
    ledger, stated = Ledger(), note("a=x -7", "b=y")
    ledger.run(day(10), stated)
    assert [one.predicate for one in differing(stated, ledger.holdings).unrecorded] == ["a"]
    assert not ledger.run(day(11), stated).lines


def test_a_value_refused_takes_the_place_of_what_was_held() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("a=x"))
    assert lines(ledger.run(day(11), note("a=x -7"))) == ["- a"]


# What differs --------------------------------------------------------------------------------------------


def test_what_differs_is_told_of_one_note_without_an_instant() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("a=x", "b=y", "c=z many"))
    found = differing(note("a=x", "b=w", "c=Z many", "c=v many"), ledger.holdings)
    assert [(one.predicate, one.object) for one in found.unrecorded] == [("b", "w"), ("c", "v")]
    assert found.departed == (("default", "Atlas", "b", "y", False, "default"),)


def test_of_a_note_that_is_gone_everything_has_departed() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("a=x", "c=z many"))
    found = differing(gone(), ledger.holdings)
    assert [(one.predicate, one.object, one.many) for one in found.departed] == [("a", "x", False), ("c", "z", True)]


def test_what_a_note_said_before_an_edit_has_not_departed() -> None:
    ledger = Ledger()
    ledger.run(day(10), note("a=x"))
    ledger.run(day(11), note("a=y"))
    assert differing(note("a=y"), ledger.holdings) == ((), ())
