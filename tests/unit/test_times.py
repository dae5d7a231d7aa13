"""Instants: one way to read, one way to print."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

import pytest

from loreweave import times
from loreweave.errors import BadRequest
from loreweave.times import DAY, read_instant, show_day, show_instant

NOON = read_instant("2024-06-01T12:00:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "2024-06-01T12:00",
        "2024-06-01 12:00",
        "2024-06-01T12:00:00",
        "2024-06-01T12:00:00.0",
        "2024-06-01T12:00:00.000000Z",
        "2024-06-01T14:00+02:00",
        "2024-06-01T14:00:00+02",
        "2024-06-01T03:30-08:30",
        "2024-06-02T02:00:00+14:00",
    ],
)
def test_one_instant_has_many_spellings(text: str) -> None:
    assert read_instant(text) == NOON


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-30",
        "2023-02-29",
        "20240601",
        "2024-6-1",
        "2024-W22-6",
        "2024-153",
        "2024-06-01T24:00",
        "2024-06-01T12",
        "2024-06-01T12:60",
        "2024-06-01T12:00:60Z",
        "2024-06-01T12:00:00,5",
        "2024-06-01T12:00:00.1234567",
        "2024-06-01T12:00z",
        "2024-06-01t12:00",
        "2024-06-01Z",
        "2024-06-01T12:00+25:00",
        " 2024-06-01",
        "2024-06-01\n",
        "２０２４-06-01",
        "0000-01-01",
        "0001-01-01T00:00+01:00",
        "9999-12-31T23:00-02:00",
        "infinity",
        "now",
        "",
    ],
)
def test_anything_else_is_refused_and_quoted(text: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_instant(text)
    assert f'"{text}"' in str(refused.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2024-06-01", "2024-06-01T00:00:00Z"),
        ("2024-06-01T12:00:00.500", "2024-06-01T12:00:00.5Z"),
        ("2024-06-01T12:00:00.000001Z", "2024-06-01T12:00:00.000001Z"),
        ("0001-01-01", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ("1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.9Z"),
    ],
)
def test_instants_print_as_short_as_they_can(text: str, shown: str) -> None:
    assert show_instant(read_instant(text)) == shown
    assert read_instant(shown) == read_instant(text)


def test_a_midnight_prints_as_its_day() -> None:
    assert show_day(read_instant("2024-06-01T02:00+02:00")) == "2024-06-01"
    assert show_day(NOON) == "2024-06-01T12:00:00Z"
    assert read_instant("2024-06-01") == NOON - NOON % DAY


def test_a_naive_datetime_is_utc() -> None:
    naive = datetime(2024, 6, 1, 12)  # noqa: DTZ001 a naive one is what is asked about
    assert times.from_datetime(naive) == NOON
    assert times.from_datetime(naive.replace(tzinfo=timezone(timedelta(hours=-1)))) == NOON + DAY // 24
    assert times.to_datetime(NOON) == datetime(2024, 6, 1, 12, tzinfo=UTC)


WEST, EAST = timezone(timedelta(hours=-1)), timezone(timedelta(hours=1))


@pytest.mark.parametrize("moment", [datetime(9999, 12, 31, 23, tzinfo=WEST), datetime(1, 1, 1, tzinfo=EAST)])
def test_a_datetime_outside_the_calendar_is_refused(moment: datetime) -> None:
    with pytest.raises(ValueError, match="is not in the calendar"):
        times.from_datetime(moment)


@pytest.mark.parametrize("moment", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)])
@pytest.mark.parametrize("zone", [None, UTC])
def test_the_first_and_the_last_instant_are_in_the_calendar(moment: datetime, zone: tzinfo | None) -> None:
    assert times.to_datetime(times.from_datetime(moment.replace(tzinfo=zone))) == moment


@pytest.mark.parametrize(
    "value", ["now", "2026-02-30", "", 5, 1.5, True, b"2024-01-01", datetime(9999, 12, 31, 23, 30, tzinfo=WEST)]
)
def test_a_time_that_cannot_be_read_is_a_bad_request_by_name(value: object) -> None:
    with pytest.raises(BadRequest, match=r"^as_of: .+ is not (a time|in the calendar)\.$") as refused:
        times.read_time("as_of", value)  # type: ignore[arg-type]
    assert refused.value.hint == times.HINT


def test_a_time_is_given_as_text_date_or_datetime_or_not_at_all() -> None:
    for value in ("2024-06-01T12:00", datetime(2024, 6, 1, 13, tzinfo=EAST)):
        assert times.read_time("as_of", value) == NOON
    assert times.read_time("as_of", date(2024, 6, 1)) == NOON - DAY // 2
    assert times.read_time("as_of", None) is None
