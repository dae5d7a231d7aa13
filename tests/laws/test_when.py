"""Laws about dates as people write them: every form of a date says that date, and no text is too much."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from loreweave.errors import BadRequest
from loreweave.notes.content_time import of_headings, of_note, of_text
from loreweave.notes.frontmatter import read_frontmatter
from loreweave.notes.months import ENGLISH
from loreweave.notes.scan import scan
from loreweave.notes.when import Stretch, read, said
from loreweave.search.dates import bounds, dates_in
from loreweave.search.window import window_of
from loreweave.times import DAY, from_datetime, read_instant, to_datetime

FIRST, LAST = date(1000, 1, 1), date(2999, 12, 31)
days = st.dates(FIRST, LAST)
nows = st.integers(read_instant("1990-01-01"), read_instant("2080-01-01"))

_PIECES = (
    *"0 1 2 3 9 . , / - : ' ( ) [ ] 年 月 日 前 T Z Q ０ é 去年 上个月 https://a.b/".split(),
    *"2023 1999 2024-02-30 14 31st 06/07/2023 June May Feb. Freitag Friday Mars q3 third quarter of".split(),
    *"in on to and before after since until by between from as last this next few ago now latest history".split(),
    *"days weeks months years yesterday today".split(),
    *("\n", " ", "\xa0", "\u3000", "\u200b", "\x00", "\ud800"),
)
texts = st.lists(st.sampled_from(_PIECES), max_size=30).flatmap(
    lambda pieces: st.sampled_from(["", " "]).map(lambda blank: blank.join(pieces))
) | st.text(max_size=60)


def _ordinal(day: int) -> str:
    return f"{day}{'th' if 11 <= day <= 13 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def _name(day: date) -> str:
    return ENGLISH[day.month - 1].capitalize()


DAYS: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day:%Y-%m-%d}",
    lambda day: f"{day.year}-{day.month}-{day.day}",
    lambda day: f"{day:%Y/%m/%d}",
    lambda day: f"{day.year}/{day.month}/{day.day}",
    lambda day: f"{day:%Y.%m.%d}",
    lambda day: f"{day:%d.%m.%Y}",
    lambda day: f"{day.day}.{day.month}.{day.year}",
    lambda day: f"{day.year}年{day.month}月{day.day}日",
    lambda day: f"{_name(day)} {day.day} {day.year}",
    lambda day: f"{_name(day)} {day.day}, {day.year}",
    lambda day: f"{_name(day)} {_ordinal(day.day)}, {day.year}",
    lambda day: f"{day.day} {_name(day)} {day.year}",
    lambda day: f"{_ordinal(day.day)} of {_name(day)}, {day.year}",
    lambda day: f"{day.day} {_name(day)[:3]} {day.year}",
    lambda day: f"{day.day:02}-{_name(day)[:3]}-{day.year}",
    lambda day: f"{day:%Y-%m-%d}T23:59:59+14:00",
)
MONTHS: tuple[Callable[[date], str], ...] = (
    lambda day: f"{day:%Y-%m}",
    lambda day: f"{_name(day)} {day.year}",
    lambda day: f"{_name(day)[:3]}. {day.year}",
    lambda day: f"{day.year}年{day.month}月",
)
QUARTERS: tuple[Callable[[int, int], str], ...] = (
    lambda year, quarter: f"Q{quarter} {year}",
    lambda year, quarter: f"{year}-Q{quarter}",
    lambda year, quarter: f"{'first second third fourth'.split()[quarter - 1]} quarter of {year}",
)


def instant(day: date) -> int:
    return (day - date(1970, 1, 1)).days * DAY


def month_after(day: date) -> date:
    return (day.replace(day=28) + timedelta(4)).replace(day=1)


def assert_said(written: str, stretch: Stretch) -> None:
    """It is read alone, found within a text, and meant in a question and in what bounds a search."""
    assert read(written) == stretch
    assert of_text(f"They met ({written}), it is told.") == stretch
    window = window_of((f"who was there in {written}?",), None)
    assert window is not None
    assert (window.kind, window.from_, window.until) == ("in", *stretch)
    assert bounds(written, None, None) == (stretch.from_, None) or "T" in written


@given(days, st.sampled_from(DAYS))
@example(date(2024, 2, 29), DAYS[0])
def test_every_form_of_a_day_says_that_day(day: date, form: Callable[[date], str]) -> None:
    assert_said(form(day), Stretch(instant(day), instant(day) + DAY))


@given(days, st.sampled_from(MONTHS))
@example(date(2023, 12, 1), MONTHS[0])
def test_every_form_of_a_month_says_that_month(day: date, form: Callable[[date], str]) -> None:
    assert_said(form(day), Stretch(instant(day.replace(day=1)), instant(month_after(day))))


@given(st.integers(1000, 2999), st.integers(1, 4), st.sampled_from(QUARTERS))
def test_every_form_of_a_quarter_says_three_months(year: int, quarter: int, form: Callable[[int, int], str]) -> None:
    first = date(year, 3 * quarter - 2, 1)
    after = month_after(month_after(month_after(first)))
    assert_said(form(year, quarter), Stretch(instant(first), instant(after)))


@given(texts, nows)
@example("2024-02-30T", 0)
@example("16-14 June 2023", 0)
@example("on June 14, in the last 3 years ago", 0)
@example("in " * 20 + "99999 years ago", 0)
def test_no_text_raises_and_whatever_is_found_lies_in_it_in_order(text: str, now: int) -> None:
    for found in (list(said(text)), dates_in(text, now), dates_in(text, None)):
        assert all(0 <= date.start < date.end <= len(text) for date in found)
        assert all(one.end <= other.start for one, other in pairwise(found))
        assert all((date.stretch is None) is bool(date.fault) for date in found)
        assert all(date.stretch is None or date.stretch.from_ < date.stretch.until for date in found)


@given(texts, nows)
@example("since 2024, before 2023", 0)
def test_a_window_is_never_empty_and_asks_for_an_instant_in_it(text: str, now: int) -> None:
    window = window_of((text,), now)
    if window is None or not window.kind:
        return
    assert (window.from_, window.until) != (None, None)
    if window.from_ is not None and window.until is not None:
        assert window.from_ < window.until
    if window.as_of is not None:
        assert window.covers(window.as_of, window.as_of + 1)


@given(texts)
def test_no_text_raises_for_a_note_or_as_a_bound(text: str) -> None:
    of_headings((text, text))
    of_note(text, read_frontmatter(scan(f"---\ndate: {text}\n---\n")))
    with suppress(BadRequest):
        assert bounds(text, None, None)[0] is not None


@given(texts, nows, st.integers(0, DAY - 1))
def test_the_hour_of_asking_changes_no_dates(text: str, now: int, hour: int) -> None:
    midnight = from_datetime(to_datetime(now).replace(hour=0, minute=0, second=0, microsecond=0))
    assert dates_in(text, midnight) == dates_in(text, midnight + hour)
