"""`instant(x)` reads times in SQL exactly as `read_instant` does, whatever their type and whatever the time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.store.views import views
from loreweave.times import TIME_PATTERN, read_instant, to_datetime

ZONES = ("UTC", "America/New_York", "Asia/Kathmandu")


@pytest.fixture(scope="module")
def sql() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(next(view.sql for view in views() if view.name == "instant"))
    return connection


def asked(sql: duckdb.DuckDBPyConnection, value: object, zone: str = "UTC") -> datetime | None:
    sql.execute(f"set TimeZone = '{zone}'")
    return sql.execute("select instant($x)", {"x": value}).fetchall()[0][0]


def naive(text: str) -> datetime:
    return to_datetime(read_instant(text)).replace(tzinfo=None)


dates = st.from_regex(r"(?:000[0-2]|20[0-9]{2}|999[89])-(?:0[0-9]|1[0-3])-(?:[0-2][0-9]|3[0-2])", fullmatch=True)
clocks = st.from_regex(r"[T ][0-2][0-9]:[0-6][0-9](?::[0-6][0-9](?:\.[0-9]{1,7})?)?", fullmatch=True)
offsets = st.sampled_from(
    ["", "", "Z", "+05", "-05:30", "+23:59", "-23:59", "+24", "z", " UTC", "+5", "-0530", "+00:60"]
)
near_times = st.builds(lambda day, clock, offset: day + clock + offset, dates, st.just("") | clocks, offsets)


@given(
    text=near_times | st.from_regex(TIME_PATTERN, fullmatch=True) | st.text(max_size=12), zone=st.sampled_from(ZONES)
)
def test_text_is_read_as_everywhere_else(sql: duckdb.DuckDBPyConnection, text: str, zone: str) -> None:
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        return
    try:
        expected = naive(text)
    except ValueError:
        with pytest.raises(duckdb.InvalidInputException, match="is not a time"):
            asked(sql, text, zone)
    else:
        assert asked(sql, text, zone) == expected


@pytest.mark.parametrize(
    "text",
    """infinity -infinity epoch now today 20240601 2024-W01-1 2024-06-01T24:00 2026-02-30 0000-01-01 10000-01-01
    2024-06-01T09:30:60 2024-06 2024-6-1 2024-06-01T9:30 0001-01-01T00:00+01 9999-12-31T23:00-02
    0000-12-31T23:00-02 ２０２４-06-01""".split(),
)
def test_what_is_no_time_is_an_error_that_quotes_it(sql: duckdb.DuckDBPyConnection, text: str) -> None:
    _refused(sql, text)


@pytest.mark.parametrize("text", ["", " 2024-06-01", "2024-06-01 ", "2024-06-01\n", "2024-06-01 (BC)"])
def test_blanks_and_more_are_no_part_of_a_time(sql: duckdb.DuckDBPyConnection, text: str) -> None:
    _refused(sql, text)


def _refused(sql: duckdb.DuckDBPyConnection, text: str) -> None:
    with pytest.raises(duckdb.InvalidInputException) as raised:
        asked(sql, text)
    assert f'"{text}" is not a time; write 2024-06-01' in str(raised.value)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    ("value", "read"),
    [
        (date(2024, 6, 1), "2024-06-01"),
        (datetime.fromisoformat("2024-06-01 09:30:00.000005"), "2024-06-01T09:30:00.000005"),
        (datetime(2024, 6, 1, 9, 30, tzinfo=UTC), "2024-06-01T09:30"),
        (datetime(2024, 6, 1, 9, 30, tzinfo=timezone(timedelta(hours=5, minutes=30))), "2024-06-01T04:00"),
    ],
)
def test_dates_and_timestamps_are_read_too(sql: duckdb.DuckDBPyConnection, value: object, read: str, zone: str) -> None:
    assert asked(sql, value, zone) == naive(read)


def test_only_none_is_none(sql: duckdb.DuckDBPyConnection) -> None:
    assert asked(sql, None) is None


@pytest.mark.parametrize(
    "given_value",
    [
        *("20240601", "1717200000", "true", "time '09:30'", "interval 1 day", "['2024-06-01']"),
        *("'infinity'::timestamp", "'-infinity'::date", "'infinity'::timestamptz"),
        *("'10000-01-01'::timestamp", "'0001-01-01 (BC)'::date", "timestamp_ns '2024-06-01 00:00:00.123456789'"),
    ],
)
def test_other_types_and_endless_times_are_errors(sql: duckdb.DuckDBPyConnection, given_value: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="is not a time"):
        sql.execute(f"select instant({given_value})").fetchall()


def test_a_column_is_read_row_by_row(sql: duckdb.DuckDBPyConnection) -> None:
    rows = sql.execute(
        "select instant(t) from (values ('2024-06-01'), (null), ('2024-06-01T02:00+02')) as given(t)"
    ).fetchall()
    assert rows == [(naive("2024-06-01"),), (None,), (naive("2024-06-01"),)]


def test_one_bad_row_is_not_read_as_none(sql: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.InvalidInputException, match='"soon" is not a time'):
        sql.execute("select instant(t) from (values ('2024-06-01'), ('soon')) as given(t)").fetchall()


def test_the_type_is_a_timestamp(sql: duckdb.DuckDBPyConnection) -> None:
    kinds = sql.execute("select typeof(instant(null)), typeof(instant('2024-06-01')), typeof(instant(current_date))")
    assert set(kinds.fetchall()[0]) == {"TIMESTAMP"}
