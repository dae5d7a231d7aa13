"""The date that a note as a whole bears."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from loreweave.errors import WARNING
from loreweave.notes.dates import dated
from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.model import Frontmatter
from loreweave.notes.scan import scan
from loreweave.times import show_day

NOTHING = Frontmatter()


def properties(block: str) -> Frontmatter:
    return read_frontmatter(scan(f"---\n{block}\n---\n"))


def day(path: str, frontmatter: Frontmatter = NOTHING) -> str | None:
    instant = dated(path, frontmatter).instant
    return None if instant is None else show_day(instant)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2025-05-05", "2025-05-05"),
        ("'2025-05-05'", "2025-05-05"),
        ("2025-05-05 09:30", "2025-05-05T09:30:00Z"),
        ("2025-05-05T09:30:00+02:00", "2025-05-05T07:30:00Z"),
        ("'[[2025-05-05]]'", "2025-05-05"),
        ("[[daily/2025-05-05|Monday]]", "2025-05-05"),
        ("[2025-05-05]", "2025-05-05"),
        ("1595952505", "2020-07-28T16:08:25Z"),
        ("1595952505024", "2020-07-28T16:08:25.024Z"),
    ],
)
def test_a_property_dates_a_note(written: str, shown: str) -> None:
    assert day("a.md", properties(f"created: {written}")) == shown


@pytest.mark.parametrize(
    ("block", "shown"),
    [
        ("created: 2025-01-01\ndate: 2025-02-02\nvalid_from: 2025-03-03", "2025-03-03"),
        ("created: 2025-01-01\nDate: 2025-02-02", "2025-02-02"),
        ("Valid From: 2025-03-03\ndate: 2025-02-02", "2025-03-03"),
        ("created: 2025-01-01\ndate:\nvalid_from: '{{date}}'", "2025-01-01"),
        ("updated: 2025-01-01\nevent_date: 2025-02-02", "2026-08-05"),
    ],
)
def test_the_first_that_can_be_read_counts(block: str, shown: str) -> None:
    found = dated("2026-08-05.md", properties(block))
    assert found.instant is not None
    assert (show_day(found.instant), found.findings) == (shown, ())


@pytest.mark.parametrize("written", ["5 May 2025", "2025-02-30", "20250505", "12345678901", "2025", "[x, 2025-05-05]"])
def test_one_that_cannot_be_read_is_said_and_passed_over(written: str) -> None:
    found = dated("2026-08-05.md", properties(f"created: 2025-01-01\ndate: {written}"))
    said = [(finding.code, finding.line, finding.severity) for finding in found.findings]
    assert said == [("unreadable-date", 3, WARNING)]
    assert found.instant is not None
    assert show_day(found.instant) == "2025-01-01"


def test_the_finding_quotes_the_value() -> None:
    (finding,) = dated("a.md", properties("date: 5 May 2025")).findings
    assert finding.message == 'The property "date" dates the note, but "5 May 2025" is not a time.'
    assert finding.hint == "write 2024-06-01, or 2024-06-01T09:30:00Z"
    assert len(dated("a.md", properties(f"date: {'5' * 100_000}")).findings[0].message) < 200


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("2026-08-05.md", "2026-08-05"),
        ("daily/2026-08-05 Meeting.md", "2026-08-05"),
        ("2026-08-05-meeting.MD", "2026-08-05"),
        ("2026-08-05_meeting.md", "2026-08-05"),
        ("2026-08-05日记.md", "2026-08-05"),
        ("2026-08-051.md", None),
        ("2026-08-05T10.md", None),
        ("2026-02-30.md", None),
        ("20260805.md", None),
        ("Meeting 2026-08-05.md", None),
        ("2026-08-05/Atlas.md", None),
        ("2026-08.md", None),
    ],
)
def test_the_name_of_a_file_dates_a_note_that_has_no_other_date(path: str, shown: str | None) -> None:
    assert day(path) == shown
    assert day(path, properties("date: 2025-05-05")) == "2025-05-05"


@pytest.fixture(params=["America/Los_Angeles", "UTC", "Pacific/Kiritimati"])
def _zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_zone")
def test_a_date_is_the_same_day_in_every_zone() -> None:
    assert os.environ["TZ"]
    assert day("Atlas.md", properties("date: 2025-05-05")) == "2025-05-05"
    assert day("2025-05-05.md") == "2025-05-05"
