"""The time that a question asks about."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime

import pytest

from loreweave.errors import BadRequest, Refused
from loreweave.search.dates import bounds
from loreweave.search.window import Window, window_of
from loreweave.times import DAY, read_instant, show_day

NOW = read_instant("2026-11-30T04:00:00Z")
"""A Monday."""


def asked(*wordings: str, now: int | None = NOW) -> Window | None:
    return window_of(wordings, now)


def shown(window: Window | None) -> str | None:
    """The kind of a window and both its ends."""
    if window is None:
        return None
    ends = ("…" if end is None else show_day(end) for end in (window.from_, window.until))
    return " ".join((window.kind, *ends))


def day_asked(question: str) -> str | None:
    """The day as of which a question asks for beliefs."""
    window = asked(question)
    return None if window is None or window.as_of is None else show_day(window.as_of // DAY * DAY)


@pytest.mark.parametrize(
    ("question", "window"),
    [
        ("2026-08-05", "in 2026-08-05 2026-08-06"),
        ("2026-02", "in 2026-02-01 2026-03-01"),
        ("2024-02", "in 2024-02-01 2024-03-01"),
        ("August 2026", "in 2026-08-01 2026-09-01"),
        ("Q3 2026", "in 2026-07-01 2026-10-01"),
        ("back in 2019", "in 2019-01-01 2020-01-01"),
        ("ledger March 2025", "in 2025-03-01 2025-04-01"),
        ("went through my notes from March 2024", "in 2024-03-01 2024-04-01"),
        ("2023/06/14 storm", "in 2023-06-14 2023-06-15"),
        ("2023年6月14日的会议", "in 2023-06-14 2023-06-15"),
        ("2023年的计划", "in 2023-01-01 2024-01-01"),
        ("budget in Q3 2026", "in 2026-07-01 2026-10-01"),
        ("what happened in the year 2021", "in 2021-01-01 2022-01-01"),
        ("the summer of 2021", "in 2021-01-01 2022-01-01"),
        ("mid-2023", "in 2023-01-01 2024-01-01"),
        ("before Q3 2026", "before … 2026-07-01"),
        ("prior to June 2023", "before … 2023-06-01"),
        ("not before Q3 2026", "since 2026-07-01 …"),
        ("no earlier than June 2023", "since 2023-06-01 …"),
        ("不早于2023年6月", "since 2023-06-01 …"),
        ("not after June 2023", "until … 2023-07-01"),
        ("not later than June 2023", "until … 2023-07-01"),
        ("不晚于2023年6月", "until … 2023-07-01"),
        ("before the June 2023 meeting", "before … 2023-06-01"),
        ("until March 2025", "until … 2025-04-01"),
        ("up to 2025-03-04", "until … 2025-03-05"),
        ("before the end of 2023", "until … 2024-01-01"),
        ("by July 10, 2022", "by … 2022-07-11"),
        ("by the end of March 2024", "by … 2024-04-01"),
        ("as of March 2024", "as of … 2024-04-01"),
        ("after August 2025", "after 2025-09-01 …"),
        ("since 2024", "since 2024-01-01 …"),
        ("from March 2024 onwards", "since 2024-03-01 …"),
        ("starting in 2024-03", "since 2024-03-01 …"),
        ("2023年6月之前的计划", "before … 2023-06-01"),
        ("2023年以来", "since 2023-01-01 …"),
        ("2023年6月之后", "after 2023-07-01 …"),
        ("截至2024年3月", "until … 2024-04-01"),
        ("2023年6月前端重构", "in 2023-06-01 2023-07-01"),
        ("between 2023 and 2025", "between 2023-01-01 2026-01-01"),
        ("between 1 and 5 May 2024", "between 2024-05-01 2024-05-06"),
        ("between August 11 and August 15 2023", "between 2023-08-11 2023-08-16"),
        ("from March to May 2024", "between 2024-03-01 2024-06-01"),
        ("from 2024-03-01 to 2024-03-05", "between 2024-03-01 2024-03-06"),
        ("since 2024-01-01 until 2024-06-30", "between 2024-01-01 2024-07-01"),
        ("2023-2025 roadmap", "in 2023-01-01 2026-01-01"),
        ("roadmap 2023 to 2025", "in 2023-01-01 2026-01-01"),
        ("in 2022 and 2024", "in 2022-01-01 2025-01-01"),
        ("since 2022, before March 2024", "since 2022-01-01 2024-03-01"),
        ("before 2022, since 2024", "before … 2022-01-01"),
    ],
)
def test_a_question_has_a_window(question: str, window: str) -> None:
    assert shown(asked(question, now=None)) == window
    assert shown(asked(question)) == window


@pytest.mark.parametrize(
    "question",
    [
        "none here",
        "may I search this",
        "march of progress",
        "a second thought in a sec",
        "Room 2019",
        "error 2019",
        "is the 2023 roadmap up to date",
        "in 2000 words",
        "a list of 2000 items",
        "version 1.2 after 3 tries",
        "the Friday prayer of June Carter",
        "2020年代",
        "",
        " ",
    ],
)
def test_a_question_may_say_nothing_of_time(question: str) -> None:
    assert asked(question) is None


@pytest.mark.parametrize(
    ("question", "window"),
    [
        ("today", "in 2026-11-30 2026-12-01"),
        ("what did I write yesterday", "in 2026-11-29 2026-11-30"),
        ("the day before yesterday", "in 2026-11-28 2026-11-29"),
        ("last night", "in 2026-11-29 2026-11-30"),
        ("this week", "in 2026-11-30 2026-12-07"),
        ("last week", "in 2026-11-23 2026-11-30"),
        ("last weekend", "in 2026-11-28 2026-11-30"),
        ("last month", "in 2026-10-01 2026-11-01"),
        ("last quarter", "in 2026-07-01 2026-10-01"),
        ("this year", "in 2026-01-01 2027-01-01"),
        ("next month", "in 2026-12-01 2027-01-01"),
        ("3 days ago", "in 2026-11-27 2026-11-28"),
        ("two weeks ago", "in 2026-11-16 2026-11-23"),
        ("a month ago", "in 2026-10-01 2026-11-01"),
        ("a couple of years ago", "in 2024-01-01 2025-01-01"),
        ("in the last 7 days", "in 2026-11-23 2026-12-01"),
        ("last 3 months", "in 2026-08-30 2026-12-01"),
        ("past 9 months", "in 2026-02-28 2026-12-01"),
        ("past year", "in 2025-11-30 2026-12-01"),
        ("on Friday", "in 2026-11-27 2026-11-28"),
        ("last Monday", "in 2026-11-23 2026-11-24"),
        ("in June", "in 2026-06-01 2026-07-01"),
        ("last December", "in 2025-12-01 2026-01-01"),
        ("since March", "since 2026-03-01 …"),
        ("before Q3", "before … 2026-07-01"),
        ("in Q4", "in 2026-10-01 2027-01-01"),
        ("10 November", "in 2026-11-10 2026-11-11"),
        ("on the 14th of June", "in 2026-06-14 2026-06-15"),
        ("since December 24", "since 2025-12-24 …"),
        ("on 29 February", "in 2024-02-29 2024-03-01"),
        ("since 2024-01-01 until yesterday", "between 2024-01-01 2026-11-30"),
        ("from June 2025 to today", "between 2025-06-01 2026-12-01"),
        ("去年的目标", "in 2025-01-01 2026-01-01"),
        ("上个月", "in 2026-10-01 2026-11-01"),
        ("昨天", "in 2026-11-29 2026-11-30"),
    ],
)
def test_what_is_said_from_the_day_of_asking_is_read_from_an_instant_that_is_given(question: str, window: str) -> None:
    assert shown(asked(question)) == window
    alone = asked(question, now=None)
    assert alone is None or alone.until is None or show_day(alone.until) < "2026"


@pytest.mark.parametrize(
    ("question", "window"),
    [
        ("what was finished last Friday on 23 January, 2022", "in 2022-01-23 2022-01-24"),
        ("last week, as told on November 6, 2023", "in 2023-11-06 2023-11-07"),
        ("rain in August since 2024", "since 2024-01-01 …"),
    ],
)
def test_beside_a_whole_date_what_is_said_from_another_day_counts_for_nothing(question: str, window: str) -> None:
    assert shown(asked(question)) == window


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("status before August 2025", "2025-07-31"),
        ("what was the status in 2023", "2023-12-31"),
        ("where did I live in 2023", "2023-12-31"),
        ("hired by Acme in 2023", "2023-12-31"),
        ("owner as of March 2024", "2024-03-31"),
        ("owner on 2024-03-05", "2024-03-05"),
        ("owner until March 2024", "2024-03-31"),
        ("owner between 2023 and 2025", "2025-12-31"),
        ("owner by 2027", "2027-12-31"),
        ("owner this year", "2026-11-30"),
        ("owner in 2026", "2026-11-30"),
        ("owner since 2024", None),
        ("owner after August 2025", None),
        ("owner", None),
    ],
)
def test_beliefs_are_asked_for_as_of_the_end_of_a_window_or_now_within_it(question: str, day: str | None) -> None:
    assert day_asked(question) == day


def test_beliefs_are_asked_for_at_the_last_instant_of_the_window() -> None:
    window = asked("in 2023")
    assert window is not None
    assert window.as_of == read_instant("2023-12-31T23:59:59.999999Z")
    assert asked("in 2026") is not None
    assert (asked("in 2026") or Window()).as_of == NOW


@pytest.mark.parametrize(
    "question",
    [
        "latest status",
        "who is the owner now",
        "the current owner",
        "newest figures",
        "most recent service",
        "最新的计划",
    ],
)
def test_words_for_now_ask_for_the_newest(question: str) -> None:
    window = asked(question, now=None)
    assert window is not None
    assert (window.newest, window.kind, window.history) == (True, "", False)


@pytest.mark.parametrize("question", ["known issues", "a snow report", "river currents", "nowhere", "done recently"])
def test_words_that_only_begin_like_now_do_not(question: str) -> None:
    assert asked(question) is None


def test_a_date_counts_more_than_a_word_for_now() -> None:
    window = asked("the current owner in March 2024")
    assert window is not None
    assert (window.kind, window.newest) == ("in", False)


@pytest.mark.parametrize(
    "question",
    ["history of Atlas", "how has the owner of Atlas changed", "has it changed over time", "what did it used to be"],
)
def test_words_for_history_ask_for_all_that_ever_held(question: str) -> None:
    window = asked(question)
    assert window is not None
    assert (window.history, window.kind, window.as_of) == (True, "", None)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("party on 06/07/2023", '"06/07/2023" may be 2023-07-06 or 2023-06-07, so the question was asked without it.'),
        ("what happened on 2024-99-99", '"2024-99-99" is not in the calendar, so the question was asked without it.'),
        ("30 February 2023", '"30 February 2023" is not in the calendar, so the question was asked without it.'),
        ("what on 30 February", '"30 February" is not in the calendar, so the question was asked without it.'),
        ("45 June", '"45 June" is not in the calendar, so the question was asked without it.'),
        ("99999 years ago", '"99999 years ago" is not in the calendar, so the question was asked without it.'),
    ],
)
def test_a_date_that_cannot_be_read_is_said_and_left_out(question: str, note: str) -> None:
    window = asked(question)
    assert window is not None
    assert (window.notes, window.kind, window.as_of) == ((note,), "", None)


def test_a_date_that_cannot_be_read_hides_no_other() -> None:
    window = asked("2024-02-30 or in March 2024")
    assert shown(window) == "in 2024-03-01 2024-04-01"
    assert window is not None
    assert len(window.notes) == 1


def test_of_several_wordings_the_first_with_a_date_decides() -> None:
    assert shown(asked("party", "party in 2023", "party in 2024")) == "in 2023-01-01 2024-01-01"
    assert asked("party", "feast") is None
    window = asked("party in 2023", "latest party", "history of parties")
    assert window is not None
    assert (window.kind, window.newest, window.history) == ("in", False, True)


def test_the_words_that_say_the_time_are_told_as_written() -> None:
    window = asked("Who owned Atlas Before the June 2023, since 14 May, 2021?")
    assert window is not None
    assert window.said == ("Before the June 2023", "since 14 May, 2021")
    assert window.text == "Before the June 2023, since 14 May, 2021"


def test_full_width_digits_are_digits() -> None:
    assert shown(asked("２０２３年６月")) == "in 2023-06-01 2023-07-01"


@pytest.mark.parametrize(
    ("question", "begins", "ends", "covered"),
    [
        ("in March 2024", "2024-03-31", "2024-04-01", True),
        ("in March 2024", "2024-02-01", "2024-03-01", False),
        ("in March 2024", "2024-04-01", "2024-04-02", False),
        ("in March 2024", "2020-01-01", "2025-01-01", True),
        ("before 2024", "2023-12-31", "2024-01-01", True),
        ("before 2024", "2024-01-01", "2024-01-02", False),
        ("since 2024", "2023-12-31", "2024-01-01", False),
        ("since 2024", "2024-01-01", "2024-01-02", True),
        ("latest", "2024-01-01", "2024-01-02", False),
    ],
)
def test_a_window_covers_what_has_an_instant_in_it(question: str, begins: str, ends: str, covered: bool) -> None:
    window = asked(question)
    assert window is not None
    assert window.covers(read_instant(begins), read_instant(ends)) is covered


@pytest.mark.parametrize(
    "unit",
    ["in 2023 ", "last ", "a a ", "may ", "before ", "2023-06-14 ", "how has ", "1 ", "上个", "the end of "],
)
def test_a_question_of_ten_thousand_words_costs_little(unit: str) -> None:
    text = unit * 10_000
    started = time.process_time()
    asked(text)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("since", "shown_day"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-03-05T09:30:00+02:00", "2024-03-05T07:30:00Z"),
        ("2024-03", "2024-03-01"),
        ("March 2024", "2024-03-01"),
        (" 5 March 2024 ", "2024-03-05"),
        ("2024-Q2", "2024-04-01"),
        ("2024", "2024-01-01"),
        ("2024年3月", "2024-03-01"),
        ("0800-12-25", "0800-12-25"),
        ("yesterday", "2026-11-29"),
        ("last month", "2026-10-01"),
        ("3 days ago", "2026-11-27"),
        ("June", "2026-06-01"),
        ("friday", "2026-11-27"),
        (date(2024, 3, 5), "2024-03-05"),
        (datetime(2024, 3, 5, 9, tzinfo=UTC), "2024-03-05T09:00:00Z"),
    ],
)
def test_a_search_is_bounded_by_a_date_in_any_form(since: str | date, shown_day: str) -> None:
    first, last = bounds(since, None, NOW)
    assert (show_day(first or 0), last) == (shown_day, None)
    assert bounds(None, since, NOW) == (None, first)


def test_until_ends_before_what_it_names() -> None:
    assert bounds("2024-03", "2024-04", None) == (read_instant("2024-03-01"), read_instant("2024-04-01"))
    assert bounds(None, None, None) == (None, None)


def test_bounds_that_hold_nothing_are_refused_and_the_hint_says_why() -> None:
    with pytest.raises(Refused) as raised:
        bounds("2024-03", "March 2024", None)
    assert raised.value.message == "until: 2024-03-01T00:00:00Z is not after 2024-03-01T00:00:00Z."
    assert raised.value.hint == "until is exclusive: since 2024-03 until 2024-04 is all of March 2024"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("garbage", 'since: "garbage" is not a date.'),
        ("", 'since: "" is not a date.'),
        ("room 2019", 'since: "room 2019" is not a date.'),
        ("2024-99-99", 'since: "2024-99-99" is not in the calendar.'),
        ("30 February", 'since: "30 February" is not in the calendar.'),
        ("06/07/2023", 'since: "06/07/2023" may be 2023-07-06 or 2023-06-07.'),
        ("in March 2024", 'since: "in March 2024" is not a date.'),
    ],
)
def test_a_bound_that_cannot_be_read_is_an_error(text: str, message: str) -> None:
    with pytest.raises(BadRequest) as raised:
        bounds(text, None, NOW)
    assert raised.value.message == message
    assert raised.value.hint == "write 2024-06-01, 2024-06, 2024-Q2, 2024, or June 2024"


def test_without_an_instant_of_asking_nothing_is_read_from_it() -> None:
    with pytest.raises(BadRequest, match='until: "last month" is not a date'):
        bounds(None, "last month", None)


def test_what_is_no_text_and_no_date_is_an_error() -> None:
    with pytest.raises(BadRequest, match="since: 5 is not a time"):
        bounds(5, None, NOW)  # type: ignore[arg-type]
