"""Times that are named from the day of asking: ``yesterday``, ``last month``, ``3 days ago``, ``Friday``, ``June 14``.

The day is given and never looked up. A month, a quarter or a day without a year is the last that has begun, and a day
of the week the last before today. Weeks begin on Monday.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from loreweave.notes.months import ENGLISH, month_of
from loreweave.notes.when import NOWHERE, Stretch, days, month, quarters
from loreweave.times import DAY

_EPOCH = date(1970, 1, 1).toordinal()
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_COUNTS = {**{word: number for number, word in enumerate(_NUMBERS)}, "a": 1, "an": 1, "couple of": 2, "few": 3}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHIFTS = {"this": 0, "current": 0, "last": 1, "previous": 1, "next": -1}
_NAMED = {
    "day before yesterday": ("day", 2),
    "yesterday": ("day", 1),
    "last night": ("day", 1),
    "today": ("day", 0),
    "tonight": ("day", 0),
    "tomorrow": ("day", -1),
}
_CHINESE = {
    "前天": ("day", 2),
    "昨天": ("day", 1),
    "今天": ("day", 0),
    "明天": ("day", -1),
    "上周": ("week", 1),
    "本周": ("week", 0),
    "这周": ("week", 0),
    "上个月": ("month", 1),
    "上月": ("month", 1),
    "这个月": ("month", 0),
    "本月": ("month", 0),
    "前年": ("year", 2),
    "去年": ("year", 1),
    "今年": ("year", 0),
}
_COUNT = rf"(?:a )?([0-9]{{1,5}}|{'|'.join(_COUNTS)})"
_DAY = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_MONTH = rf"({'|'.join((*ENGLISH, 'sept', *(name[:3] for name in ENGLISH)))})"


class Named(NamedTuple):
    """A time named in a text: where it stands, and its stretch, or what to say where no calendar has it.

    ``certain`` says that it can be nothing but a time; ``May`` can. ``in_year`` reads it again, in a year given.
    """

    start: int
    end: int
    meant: Stretch | str
    certain: bool = True
    in_year: Callable[[int], Stretch | str] | None = None


def relative(text: str, today: date | None) -> Iterator[Named]:
    """Yield the times that a text names from the day of asking; two may overlap.

    Without a day these are months and days of a month, which mean something in a year that is given.
    """
    for found in _months(text):
        yield _month(found, today)
    if today is not None:
        yield from _from_today(text, today)


def _from_today(text: str, today: date) -> Iterator[Named]:
    for pattern, certain, reader in _READERS:
        for found in pattern(text):
            try:
                meant: Stretch | str = reader(found, today)
            except (ValueError, OverflowError):
                meant = NOWHERE
            yield Named(*found.span(), meant, certain)


def _of_name(found: re.Match[str], today: date) -> Stretch:
    return _unit(today, *_NAMED[found[1].lower()])


def _of_chinese(found: re.Match[str], today: date) -> Stretch:
    return _unit(today, *_CHINESE[found[0]])


def _of_shift(found: re.Match[str], today: date) -> Stretch:
    return _unit(today, found[2].lower(), _SHIFTS[found[1].lower()])


def _of_ago(found: re.Match[str], today: date) -> Stretch:
    return _unit(today, found[2].lower(), _count(found[1]))


def _of_run(found: re.Match[str], today: date) -> Stretch:
    """Read ``last 3 months`` and ``past week``, which run up to today."""
    unit, count = found[found.lastindex or 0].lower(), _count(found[1]) if found.lastindex == 2 else 1
    if unit in {"day", "week"}:
        return _span(today - timedelta(count * (7 if unit == "week" else 1)), today)
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    length = (date((months + 1) // 12, (months + 1) % 12 + 1, 1) - date(months // 12, months % 12 + 1, 1)).days
    return _span(date(months // 12, months % 12 + 1, min(today.day, length)), today)


def _of_weekday(found: re.Match[str], today: date) -> Stretch:
    day = today - timedelta((today.weekday() - _WEEKDAYS.index(found[1].lower()) - 1) % 7 + 1)
    return _span(day, day)


def _of_quarter(found: re.Match[str], today: date) -> Stretch:
    number = int(found[1])
    return quarters(today.year - (3 * number - 2 > today.month), number, number)


def _month(found: re.Match[str], today: date | None) -> Named:
    """Read ``June``, ``June 14`` or ``14th of June``: the last that has begun, or in a year that stands near."""
    number, day = month_of(found[2]) or 0, int(found[1] or found[3] or 0)

    def in_year(year: int) -> Stretch | str:
        return days(year, number, day, day) if found[1] or found[3] else month(year, number)

    meant: Stretch | str = NOWHERE
    if today is not None:
        latest = today.year - ((number, day) > (today.month, today.day))
        tried = map(in_year, range(latest, latest - 9, -1))  # a 29 February may be eight years back
        meant = next((stretch for stretch in tried if isinstance(stretch, Stretch)), NOWHERE)
    certain = day > 0 and found[2][0].isupper() and found[2].lower() not in {"may", "mar", "march"}
    return Named(*found.span(), meant, certain, in_year)


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else _COUNTS[text.lower()]


def _unit(today: date, unit: str, back: int) -> Stretch:
    """Give the day, week, weekend, month, quarter or year that lies so many of them before that of today."""
    monday = today - timedelta(today.weekday() + 7 * back)
    if unit == "day":
        return _span(today - timedelta(back), today - timedelta(back))
    if unit == "week":
        return _span(monday, monday + timedelta(6))
    if unit == "weekend":
        return _span(monday + timedelta(5), monday + timedelta(6))
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = (today.year * 12 + today.month - 1) // months * months - back * months
    after = date((first + months) // 12, (first + months) % 12 + 1, 1)
    return _span(date(first // 12, first % 12 + 1, 1), after - timedelta(1))


def _span(first: date, last: date) -> Stretch:
    return Stretch((first.toordinal() - _EPOCH) * DAY, (last.toordinal() + 1 - _EPOCH) * DAY)


def _finder(pattern: str) -> Callable[[str], Iterator[re.Match[str]]]:
    return re.compile(rf"(?<![0-9A-Za-z_.])(?:{pattern})(?![0-9A-Za-z_])", re.IGNORECASE).finditer


_months = _finder(rf"(?:{_DAY} (?:of )?)?{_MONTH}\.?(?: {_DAY})?(?!')")
_READERS = (
    (_finder(f"(?:the )?({'|'.join(_NAMED)})"), True, _of_name),
    (re.compile("|".join(_CHINESE)).finditer, True, _of_chinese),
    (_finder(rf"({'|'.join(_SHIFTS)}) (week|weekend|month|quarter|year)"), True, _of_shift),
    (_finder(rf"(?:(?:last|past|previous) {_COUNT} (day|week|month|year)s)"), True, _of_run),
    (_finder(r"past (week|month|year)"), True, _of_run),
    (_finder(rf"{_COUNT} (day|week|month|year)s? ago"), True, _of_ago),
    (_finder(f"({'|'.join(_WEEKDAYS)})"), False, _of_weekday),
    (_finder("Q([1-4])"), False, _of_quarter),
)
