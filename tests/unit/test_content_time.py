"""The time that passages and notes are about."""

from __future__ import annotations

import pytest

from loreweave.notes.content_time import Stretch, of_headings, of_note, of_passage, of_text
from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter
from loreweave.notes.scan import scan
from loreweave.times import show_day

NOTHING = Frontmatter()


def properties(block: str) -> Frontmatter:
    return read_frontmatter(scan(f"---\n{block}\n---\n"))


def shown(stretch: Stretch | None) -> str | None:
    return None if stretch is None else f"{show_day(stretch.from_)} {show_day(stretch.until)}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Vendor was late in June 2023.", "2023-06-01 2023-07-01"),
        ("Signed on 14 June 2023.", "2023-06-14 2023-06-15"),
        ("Signed on June 14, 2023.", "2023-06-14 2023-06-15"),
        ("Signed June 14 2023, paid 2023-08-01, planned in Q1 2023.", "2023-01-01 2023-08-02"),
        ("Deployed 2025-03-01T09:30.", "2025-03-01 2025-03-02"),
        ("Room 2019 is free.", None),
        ("Since 2019 the mill stands still, as it did in 2018.", None),
        ("On 45 June, or 2024-99-99, or 30 February 2023.", None),
        ("On 06/07/2023 it rained.", None),
        ("Yesterday, last week, on Friday, in June.", None),
        ("", None),
    ],
)
def test_a_passage_bears_the_dates_in_its_text_from_the_first_to_the_last(text: str, expected: str | None) -> None:
    assert shown(of_text(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On 2023-06-14.\n- [fact] Gadget :: bought :: 2022-01-01 {valid_from=2021-01-01}", "2023-06-14 2023-06-15"),
        ("Home again.\n- [fact] Gadget :: place :: attic {valid_from=2021-01-01}", None),
        ("# Gadget\n\n- [fact] Gadget :: place :: attic {valid_from=2021-01-01}\n", "2021-01-01 2021-01-02"),
        ("- [fact] that it began on 2023-06-14, it is said", "2023-06-14 2023-06-15"),
    ],
)
def test_the_dates_of_facts_are_those_of_a_passage_that_has_nothing_else(text: str, expected: str | None) -> None:
    assert shown(of_passage(text)) == expected


def test_what_is_no_date_hides_none_beside_it() -> None:
    assert shown(of_text("Not 2024-02-30 but 2024-02-29, room 2019.")) == "2024-02-29 2024-03-01"


def test_a_passage_below_a_dated_heading_has_that_of_the_innermost() -> None:
    assert shown(of_headings(("2024", "March 2024", "2024-03-05", "Review"))) == "2024-03-05 2024-03-06"
    assert shown(of_headings(("March 2024", "Review"))) == "2024-03-01 2024-04-01"
    assert of_headings(("Plans", "Review")) is None
    assert of_headings(()) is None


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2025-05-05", "2025-05-05 2025-05-06"),
        ("'2025-05-05'", "2025-05-05 2025-05-06"),
        ("2025-05-05T23:30:00-08:00", "2025-05-05 2025-05-06"),
        ("2025-05", "2025-05-01 2025-06-01"),
        ("2025", "2025-01-01 2026-01-01"),
        ("5 May 2025", "2025-05-05 2025-05-06"),
        ("'[[2025-05-05]]'", "2025-05-05 2025-05-06"),
        ("'[[daily/2025-05-05|Monday]]'", "2025-05-05 2025-05-06"),
        ("[2025-05-05]", "2025-05-05 2025-05-06"),
        ("1595952505", "2020-07-28 2020-07-29"),
        ("1595952505024", "2020-07-28 2020-07-29"),
        ("from 2025-05-05 to 2025-05-09", "2025-05-05 2025-05-10"),
        ("0800-12-25", "0800-12-25 0800-12-26"),
        ("2025-02-30", None),
        ("soon", None),
        ("'{{date}}'", None),
        ("", None),
        ("12345678901", None),
    ],
)
def test_a_property_dates_a_note(written: str, expected: str | None) -> None:
    assert shown(of_note("a.md", properties(f"created: {written}"))) == expected


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("valid_from: 2025-04-04\ncreated: 2025-03-03\nevent_date: 2025-02-02\ndate: 2025-01-01", "2025-01-01"),
        ("valid_from: 2025-04-04\ncreated: 2025-03-03\nEvent Date: 2025-02-02", "2025-02-02"),
        ("valid_from: 2025-04-04\ncreated: 2025-03-03", "2025-03-03"),
        ("valid-from: 2025-04-04", "2025-04-04"),
        ("date: soon\ncreated: 2025-03-03", "2025-03-03"),
        ("date:\ncreated: 2025-03-03", "2025-03-03"),
        ("updated: 2025-03-03", "2026-08-05"),
    ],
)
def test_the_first_property_that_can_be_read_counts_and_then_the_name(block: str, expected: str) -> None:
    stretch = of_note("daily/2026-08-05.md", properties(block))
    assert stretch is not None
    assert show_day(stretch.from_) == expected


@pytest.mark.parametrize(
    "written",
    [
        "date created: 2025-03-03",
        "date-created: 2025-03-03 10:12",
        "Date_Created: Monday, March 3rd 2025, 10:12:00 am",
        "dateCreated: 2025-03-03T10:12:00Z",
        "created date: 2025-03-03",
        "creation date: '[[2025-03-03]]'",
        "created-at: 2025-03-03",
        "createTime: 2025-03-03 10:12:00",
        "creation time: 2025-03-03 10:12",
        "created date: soon\ncreation_date: 2025-03-03",
    ],
)
def test_the_day_of_creation_dates_a_note_under_other_names_where_nothing_else_does(written: str) -> None:
    assert shown(of_note("Atlas.md", properties(written))) == "2025-03-03 2025-03-04"
    assert shown(of_note("2024-01-01.md", properties(written))) == "2024-01-01 2024-01-02"
    assert shown(of_note("Atlas.md", properties(f"{written}\nvalid_from: 2023-01-01"))) == "2023-01-01 2023-01-02"


@pytest.mark.parametrize(
    "written",
    [
        "date modified: 2025-03-03",
        "updated: 2025-03-03",
        "date published: 2025-03-03",
        "created by: 2025-03-03",
        "date created: soon",
        "not created: 2025-03-03",
        "sr-due: 2025-03-03",
    ],
)
def test_no_other_property_dates_a_note(written: str) -> None:
    assert of_note("Atlas.md", properties(written)) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("2026-08-05.md", "2026-08-05 2026-08-06"),
        ("daily/2026-08-05 Meeting.md", "2026-08-05 2026-08-06"),
        ("Meeting 2026-08-05.md", "2026-08-05 2026-08-06"),
        ("journals/2026_08_05.md", "2026-08-05 2026-08-06"),
        ("Meeting_2026-08-05_Atlas.md", "2026-08-05 2026-08-06"),
        ("daily.journal.2026.08.05.md", "2026-08-05 2026-08-06"),
        ("20260805.md", "2026-08-05 2026-08-06"),
        ("202608051230 Kettle.md", "2026-08-05 2026-08-06"),
        ("20260805123000.md", "2026-08-05 2026-08-06"),
        ("2026-08.md", "2026-08-01 2026-09-01"),
        ("2026-Q3.md", "2026-07-01 2026-10-01"),
        ("Review August 2026.md", "2026-08-01 2026-09-01"),
        ("2026年8月5日.md", "2026-08-05 2026-08-06"),
        ("2026-08-05日记.md", "2026-08-05 2026-08-06"),
        ("2026-02-30.md", None),
        ("20261305.md", None),
        ("2026.md", None),
        ("2026-08-05/Atlas.md", None),
        ("Atlas.md", None),
    ],
)
def test_the_name_of_a_file_dates_a_note_that_has_no_other_date(path: str, expected: str | None) -> None:
    assert shown(of_note(path, NOTHING)) == expected
