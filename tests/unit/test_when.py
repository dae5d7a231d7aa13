"""The one reader of dates as people write them."""

from __future__ import annotations

import time

import pytest

from loreweave.notes.when import Stretch, read, said
from loreweave.times import DAY, show_day

DAYS = [
    "2023-06-14",
    "2023-6-14",
    "2023/06/14",
    "2023/6/14",
    "2023.06.14",
    "14.06.2023",
    "14.6.2023",
    "14/06/2023",
    "06/14/2023",
    "14-06-2023",
    "June 14 2023",
    "June 14, 2023",
    "June 14,2023",
    "Jun. 14, 2023",
    "june 14th, 2023",
    "14 June 2023",
    "14 June, 2023",
    "14th June 2023",
    "14th of June 2023",
    "14th of June, 2023",
    "14-Jun-2023",
    "2023年6月14日",
    "2023 年 6 月 14 日",
    "2023年06月14号",
    "2023년 6월 14일",
    "14. Juni 2023",
    "14 juin 2023",
    "14 de junio de 2023",
    "2023-06-14T09:30",
    "2023-06-14 09:30:00",
    "2023-06-14T00:30:00.123456+02:00",
    "2023-06-14T23:30:00Z",
]
MONTHS = [
    "2023-06",
    "June 2023",
    "Jun 2023",
    "JUNE 2023",
    "June, 2023",
    "June of 2023",
    "2023年6月",
    "Juni 2023",
    "juin 2023",
    "junio de 2023",
]
QUARTERS = ["Q3 2026", "q3 2026", "Q3/2026", "2026-Q3", "Q3 of 2026", "third quarter of 2026", "3rd quarter 2026"]


def shown(stretch: Stretch | None) -> tuple[str, str] | None:
    """The first day of a stretch, and the first after it."""
    return None if stretch is None else (show_day(stretch.from_), show_day(stretch.until))


def found(text: str) -> list[tuple[str, str]]:
    return [(show_day(date.stretch.from_), show_day(date.stretch.until)) for date in said(text) if date.stretch]


@pytest.mark.parametrize("written", DAYS)
def test_a_day_is_read_in_every_form(written: str) -> None:
    assert shown(read(written)) == ("2023-06-14", "2023-06-15")


@pytest.mark.parametrize("written", MONTHS)
def test_a_month_is_read_in_every_form(written: str) -> None:
    assert shown(read(written)) == ("2023-06-01", "2023-07-01")


@pytest.mark.parametrize("written", QUARTERS)
def test_a_quarter_is_read_in_every_form(written: str) -> None:
    assert shown(read(written)) == ("2026-07-01", "2026-10-01")


@pytest.mark.parametrize(
    ("written", "begins", "until"),
    [
        ("2024-02", "2024-02-01", "2024-03-01"),
        ("2026-02", "2026-02-01", "2026-03-01"),
        ("2023-12", "2023-12-01", "2024-01-01"),
        ("Q4 2026", "2026-10-01", "2027-01-01"),
        ("2019", "2019-01-01", "2020-01-01"),
        ("2019年", "2019-01-01", "2020-01-01"),
        ("2024-02-29", "2024-02-29", "2024-03-01"),
        ("June 14–16, 2023", "2023-06-14", "2023-06-17"),
        ("14-16 June 2023", "2023-06-14", "2023-06-17"),
        ("August 11 and 15, 2023", "2023-08-11", "2023-08-16"),
        ("2999-12-31", "2999-12-31", "3000-01-01"),
        (" 1000-01-01 ", "1000-01-01", "1000-01-02"),
    ],
)
def test_a_stretch_ends_where_the_next_begins(written: str, begins: str, until: str) -> None:
    assert shown(read(written)) == (begins, until)


@pytest.mark.parametrize("name", "January February March April May June July August".split())
def test_every_month_is_known_by_its_name_and_by_three_letters(name: str) -> None:
    assert read(f"{name} 2023") == read(f"{name[:3]} 2023")


@pytest.mark.parametrize(
    ("written", "month"),
    [("März", 3), ("Mai", 5), ("Dezember", 12), ("février", 2), ("août", 8), ("enero", 1), ("septiembre", 9)],
)
def test_months_are_known_in_german_french_and_spanish(written: str, month: int) -> None:
    assert read(f"3 {written} 2023") == read(f"2023-{month:02}-03")


def test_mars_is_a_month_only_beside_a_day() -> None:
    assert found("The rover of the Mars 2020 mission") == []
    assert found("le 14 mars 2020") == [("2020-03-14", "2020-03-15")]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("2024-99-99", '"2024-99-99" is not in the calendar'),
        ("2023-02-30", '"2023-02-30" is not in the calendar'),
        ("2023/02/29", '"2023/02/29" is not in the calendar'),
        ("2023年13月1日", '"2023年13月1日" is not in the calendar'),
        ("45 June 2023", '"45 June 2023" is not in the calendar'),
        ("30 February 2024", '"30 February 2024" is not in the calendar'),
        ("February 30, 2024", '"February 30, 2024" is not in the calendar'),
        ("16-14 June 2023", '"16-14 June 2023" is not in the calendar'),
        ("13/13/2023", '"13/13/2023" is not in the calendar'),
        ("06/07/2023", '"06/07/2023" may be 2023-07-06 or 2023-06-07'),
        ("6-7-2023", '"6-7-2023" may be 2023-07-06 or 2023-06-07'),
        ("garbage", '"garbage" is not a date'),
        ("", '"" is not a date'),
        ("2023-06-14 and more", '"2023-06-14 and more" is not a date'),
        ("June", '"June" is not a date'),
        ("14.06.23", '"14.06.23" is not a date'),
        ("0999", '"0999" is not a date'),
        ("20230614", '"20230614" is not a date'),
    ],
)
def test_what_is_no_date_is_said_in_one_sentence(written: str, sentence: str) -> None:
    with pytest.raises(ValueError) as raised:
        read(written)
    assert str(raised.value) == sentence


def test_one_number_twice_is_not_ambiguous_and_dots_put_the_day_first() -> None:
    assert read("06/06/2023") == read("2023-06-06")
    assert read("06.07.2023") == read("2023-07-06")


def test_a_long_text_is_quoted_in_part() -> None:
    with pytest.raises(ValueError) as raised:
        read("x" * 100_000)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "Room 2019",
        "may I search this",
        "a second march in 1 sec",
        "Version 1.2.2023.4",
        "v2023.1.2",
        "the 2023-24 season",
        "in 2023",
        "order 12023-06-14",
        "build_2023-06-14",
        "ISBN 2023-06-144",
        "id 2023-06-14a",
        "item2023-06-14",
        "June 2023rd",
        "Summer 2023",
        "+49 1800 2023",
        "14 Juneau 2023",
        "1/2/23",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert list(said(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "See https://example.org/2023/06/14/kettle for more.",
        "[kettle](https://example.org/2023-06-14)",
        "<http://example.org/?from=2023-06-14>",
    ],
)
def test_the_date_in_an_address_is_that_of_what_is_linked_to(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "on 2023-06-14.",
        "(2023-06-14)",
        "[[2023-06-14]]",
        "[[daily/2023-06-14|Wednesday]]",
        "- [x] water the beans ✅ 2023-06-14",
        "date:2023-06-14",
        "https://example.org was visited on 2023/06/14",
        "于2023年6月14日举行",
        "8:56 pm on 14 June, 2023",
        "Wed, 14 Jun 2023 09:00",
        "on June 14,\n2023",
        "**14.06.2023**",
    ],
)
def test_a_date_is_found_within_a_text(text: str) -> None:
    assert found(text) == [("2023-06-14", "2023-06-15")]


def test_dates_come_in_their_order_with_their_places() -> None:
    text = "From 14 June 2023 to 2024-02, not 2024-02-30."
    assert [(text[date.start : date.end], date.fault) for date in said(text)] == [
        ("14 June 2023", ""),
        ("2024-02", ""),
        ("2024-02-30", '"2024-02-30" is not in the calendar'),
    ]


def test_a_time_of_day_belongs_to_the_day_as_written_whatever_its_offset() -> None:
    (date,) = said("at 2023-06-14T00:30:00+02:00 sharp")
    assert date.stretch is not None
    assert date.stretch.until - date.stretch.from_ == DAY
    assert (date.start, date.end) == (3, 28)


@pytest.mark.parametrize("unit", [*"12 -.年/aJ", "June ", "14.", "Q3 ", "2023", "third quarter of "])
def test_two_million_characters_of_one_kind_cost_little(unit: str) -> None:
    text = unit * (2_000_000 // len(unit))
    started = time.process_time()
    assert list(said(text)) == []
    assert time.process_time() - started < 1


@pytest.mark.parametrize("unit", ["1999 ", "2023-", "June 2023 ", "2023-06-14 ", "://2000/", "14.06.2023 "])
def test_a_text_twice_as_long_costs_twice_as_much(unit: str) -> None:
    def cost(times: int) -> float:
        text = unit * times
        started = time.process_time()
        list(said(text))
        return time.process_time() - started

    cost(1_000)
    assert min(cost(20_000) for _ in range(3)) < 12 * min(cost(5_000) for _ in range(3)) + 0.05
