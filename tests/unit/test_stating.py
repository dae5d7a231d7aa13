"""Asserting: what is written, what is on record already, and what a new value does to the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import loreweave
from loreweave.errors import Refused
from loreweave.library import Lore
from told import BOB, GOOD, NOW, TODAY, believed, journal, shown, told, write


@pytest.fixture
def lore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lore:
    monkeypatch.setenv("LORE_NOW", NOW)
    return loreweave.open(tmp_path)


def test_a_statement_is_one_line_that_says_all_that_was_said(lore: Lore) -> None:
    made = lore.assert_fact(
        "Atlas",
        "status",
        "shipped :: twice",
        valid_from="2024-01-01",
        valid_until="2024-06-01T12:00:00+02:00",
        confidence=0.9,
        source="inferred",
        by="priya",
        because='she said "done"',
        episode="call of 5 March",
    )
    (line,) = journal(lore)
    assert line == (
        "- [fact] Atlas :: status :: shipped :: twice {valid_from=2024-01-01, valid_until=2024-06-01T10:00:00Z, "
        "recorded_at=2025-03-05T14:00:00Z, confidence=0.9, source=inferred, by=priya, "
        'because="she said \\"done\\"", episode=call of 5 March}'
    )
    assert (made.path, made.line_number, made.lines) == (TODAY, 1, tuple(journal(lore)))


def test_what_is_not_said_is_left_to_the_record_time(lore: Lore) -> None:
    made = lore.assert_fact("Atlas", "status", "draft")
    assert journal(lore) == ["- [fact] Atlas :: status :: draft {recorded_at=2025-03-05T14:00:00Z, source=stated}"]
    assert shown(made.holds) == "2025-03-05T14:00:00Z → now"


def test_a_scope_is_written_where_it_is_not_the_default(lore: Lore) -> None:
    with loreweave.open(lore.engine.root, scope="Audit") as other:
        other.assert_fact("Atlas", "status", "draft")
        assert believed(other, "Atlas", "status") == ["draft"]
    assert "scope=Audit" in journal(lore)[0]
    assert believed(lore, "Atlas", "status") == []


@pytest.mark.parametrize("head", ["", "# Notes\n\n", "# Notes, and no line end", "a\r\nb\r"])
def test_lines_come_after_what_stands_in_the_file(lore: Lore, head: str) -> None:
    write(lore, "", TODAY)
    (lore.engine.root / TODAY).write_bytes(head.encode())
    made = lore.assert_fact("Atlas", "status", "draft")
    content = (lore.engine.root / TODAY).read_bytes().decode()
    assert content.startswith(head)
    assert content.removeprefix(head).strip("\n").startswith("- [fact] Atlas")
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert lines[made.line_number - 1] == made.lines[0]
    assert [fact.line for fact in lore.facts(subject="Atlas")] == [made.line_number]


def test_a_rehearsal_tells_all_and_writes_nothing(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-06-01", dry_run=True)
    assert (made.dry_run, made.written, made.path, made.line_number) == (True, False, TODAY, 1)
    assert told(made) == {"superseded": ["good: 2024-06-01 → now"]}
    assert journal(lore) == []
    assert believed(lore, "Vendor", "reliability") == ["good"]


def test_the_record_clock_never_goes_back(lore: Lore, monkeypatch: pytest.MonkeyPatch) -> None:
    lore.assert_fact("Atlas", "status", "draft")
    monkeypatch.setenv("LORE_NOW", "2025-03-05T13:00:00Z")
    lore.assert_fact("Atlas", "owner", "Priya")
    assert "recorded_at=2025-03-05T14:00:00.000001Z" in journal(lore)[1]


def test_a_record_dated_more_than_a_day_ahead_is_followed_by_nothing(lore: Lore) -> None:
    write(lore, "- [fact] A :: b :: c {recorded_at=2025-03-06T14:00:00.000001Z}\n")
    with pytest.raises(Refused, match=r"2025-03-06T14:00:00.000001Z \(lore/journal/2024-01-10.md:1\)"):
        lore.assert_fact("Atlas", "status", "draft")
    write(lore, "- [fact] A :: b :: c {recorded_at=2025-03-06T14:00:00Z}\n")
    lore.assert_fact("Atlas", "status", "draft")


@pytest.mark.parametrize(
    ("said", "is_news"),
    [
        ({}, False),
        ({"object": "GOOD  "}, False),
        ({"valid_from": "2023-12-31T23:00:00-01:00"}, False),
        ({"confidence": 1.0}, False),
        ({"by": "somebody else", "because": "asked again"}, False),
        ({"confidence": 0.9}, True),
        ({"source": "inferred"}, True),
        ({"valid_until": "2024-06-01"}, True),
        ({"valid_from": "2024-01-02"}, True),
        ({"valid_from": None}, True),
        ({"many": True}, True),
    ],
)
def test_a_statement_that_stands_already_is_not_written_again(lore: Lore, said: dict[str, Any], is_news: bool) -> None:
    write(lore, GOOD)
    asked = {"object": "good", "valid_from": "2024-01-01", **said}
    made = lore.assert_fact("vendor", "Reliability", **asked)
    assert made.written is is_news
    assert len(journal(lore)) == is_news
    if not is_news:
        assert (made.path, made.line_number, shown(made.holds)) == ("lore/journal/2024-01-10.md", 1, "2024-01-01 → now")


def test_a_statement_that_was_closed_may_be_made_again(lore: Lore) -> None:
    write(lore, GOOD + "- [invalidate] Vendor :: reliability {valid_until=2024-06-01, recorded_at=2024-07-01}\n")
    made = lore.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01")
    assert made.written
    assert believed(lore, "Vendor", "reliability") == ["good"]
    assert told(made) == {"corrected": ["good: 2024-01-01 → 2024-06-01"]}


def test_a_statement_that_was_retracted_may_be_made_again(lore: Lore) -> None:
    write(lore, GOOD + "- [retract] Vendor :: reliability {recorded_at=2024-07-01}\n")
    assert lore.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01").written


def test_a_later_start_supersedes(lore: Lore) -> None:
    lore.assert_fact("Ana", "lives in", "Lucknow", valid_from="2020-01-01")
    made = lore.assert_fact("Ana", "lives_in", "Hyderabad", valid_from="2024-11-01")
    assert told(made) == {"superseded": ["Lucknow: 2024-11-01 → now"]}
    assert shown(made.effects["superseded"][0].now) == "2020-01-01 → 2024-11-01"
    assert shown(made.holds) == "2024-11-01 → now"
    assert believed(lore, "Ana", "lives in", as_of="2023-06-15") == ["Lucknow"]
    assert believed(lore, "Ana", "lives in", as_of="2024-11-01") == ["Hyderabad"]


def test_the_same_value_again_continues(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "Good", valid_from="2024-06-01")
    assert told(made) == {"continued": ["good: 2024-06-01 → now"]}


def test_a_backdated_value_tells_what_it_holds(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "fair", valid_from="2023-01-01")
    assert (shown(made.holds), told(made)) == ("2023-01-01 → 2024-01-01", {})


def test_the_same_start_corrects(lore: Lore) -> None:
    write(lore, GOOD)
    made = lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-01-01")
    assert told(made) == {"corrected": ["good: 2024-01-01 → now"]}
    assert lore.assert_fact("Vendor", "reliability", "good", valid_from="2024-01-01").written
    assert believed(lore, "Vendor", "reliability") == ["good"]


def test_a_shorter_restatement_lets_older_values_show(lore: Lore) -> None:
    write(
        lore,
        "- [fact] Desk :: keeper :: Bob {valid_from=2024-01-01, valid_until=2025-01-01, recorded_at=2024-01-10}\n"
        "- [fact] Desk :: keeper :: Cy {valid_from=2024-03-01, valid_until=2024-09-01, recorded_at=2024-01-11}\n",
    )
    made = lore.assert_fact("Desk", "keeper", "Cy", valid_from="2024-03-01", valid_until="2024-06-01")
    assert told(made) == {"corrected": ["Cy: 2024-03-01 → 2024-09-01"], "returned": ["Bob: 2024-06-01 → 2024-09-01"]}


def test_an_interval_inside_another_overrides(lore: Lore) -> None:
    write(lore, BOB.replace("recorded_at", "valid_until=2025-01-01, recorded_at"))
    made = lore.assert_fact("Desk", "keeper", "Cy", valid_from="2024-03-01", valid_until="2024-06-01")
    assert told(made) == {"overridden": ["Bob: 2024-03-01 → 2024-06-01"]}


def test_what_a_note_said_is_masked(lore: Lore) -> None:
    write(
        lore,
        "- [observed] Atlas :: owner :: Priya {note=atlas.md, valid_from=2024-02-01, recorded_at=2024-02-02}\n",
        "lore/ledger/2024-02-02-0001.md",
    )
    made = lore.assert_fact("Atlas", "owner", "Tom", valid_from="2024-03-01")
    assert told(made) == {"masked": ["Priya: 2024-03-01 → now"]}
    assert made.effects["masked"][0].note == "atlas.md"
    back = lore.retract_fact("Atlas", "owner", "Tom")
    assert told(back) == {"retracted": ["Tom: 2024-03-01 → now"], "returned": ["Priya: 2024-03-01 → now"]}
