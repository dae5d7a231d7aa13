"""The one reader of dates as people write them: days, months and quarters, found in a text or read alone.

Every form has a year of four digits, so a text is searched for years, and only what stands right beside one is read.
Days are ``2023-06-14``, ``2023-6-14``, ``2023/06/14``, ``2023.06.14``, ``2023年6月14日``, ``June 14, 2023``,
``14th of June 2023``, ``14.06.2023`` and ``June 14–16, 2023``; months ``2023-06``, ``June 2023`` and ``2023年6月``;
quarters ``Q3 2026``, ``2026-Q3`` and ``third quarter of 2026``. A time of day after a day is passed over: it is that
day, as written. Years run from 1000 to 2999.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from loreweave.notes.months import month_of
from loreweave.notes.visible import excerpt
from loreweave.times import DAY, Instant

FORMS = "write 2024-06-01, 2024-06, 2024-Q2, 2024, or June 2024"
_EPOCH = date(1970, 1, 1).toordinal()
_BEFORE = 40  # characters, as many as "14th to 16th of September "
_ADDRESS = 300  # characters of an address in which its "://" is looked for
NOWHERE = "is not in the calendar"
_QUARTERS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}


class Stretch(NamedTuple):
    """A stretch of time, from an instant on until another, which is no longer part of it."""

    from_: Instant
    until: Instant


class Said(NamedTuple):
    """A date as written: where it stands in its text, its stretch, and if it has none, the sentence that says why."""

    start: int
    end: int
    stretch: Stretch | None
    fault: str = ""

    @classmethod
    def at(cls, text: str, start: int, end: int, meant: Stretch | str) -> Said:
        """Make one of a place in a text and its stretch, or of what to say of the text there."""
        if isinstance(meant, str):
            return cls(start, end, None, f"{excerpt(text[start:end])} {meant}")
        return cls(start, end, meant)


_year = re.compile(r"[12](?<![0-9A-Za-z_][12])[0-9]{3}(?![0-9])")
_CLOCK = r"(?:[T ][0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-2][0-9](?::?[0-5][0-9])?)?)?"
_onwards = re.compile(
    r"([12][0-9]{3})(?:-(?:[Qq]([1-4])|(0[1-9]|1[0-2])(?!-?[0-9])|([0-9]{1,2})-([0-9]{1,2})(?![0-9])" + _CLOCK + ")"
    r"|/([0-9]{1,2})/([0-9]{1,2})|\.([0-9]{2})\.([0-9]{2})"
    r"| ?[年년] ?([0-9]{1,2}) ?[月월](?: ?([0-9]{1,2}) ?[日号號일])?)(?![0-9A-Za-z])"
).match
_numbers = re.compile(r"(?<![0-9A-Za-z./-])([0-9]{1,2})([./-])([0-9]{1,2})\2$").search
_DAY = r"(?:([0-9]{1,2})(?:st|nd|rd|th)?(?: ?[–—-] ?| and | to ))?([0-9]{1,2})(?:st|nd|rd|th|er|\.|º)?"
_named = re.compile(
    rf"(?<![^\W_])(?:(?:Q([1-4])|({'|'.join(_QUARTERS)})[ \xa0\n]quarter)(?:,? (?:of |in )?|[/-])"
    rf"|(?:{_DAY}[ \xa0\n/-](?:of |de )?)?([^\W\d_]{{3,10}})\.?(?:[ \xa0\n]{_DAY})?(?:,?[ \xa0\n](?:of |de )?|[,/-]))$",
    re.IGNORECASE,
).search


_alone = re.compile(r"[12][0-9]{3}[年년]?").fullmatch
_goes_on = re.compile(r"[0-9A-Za-z_]|\.[0-9]").match


def read(text: str) -> Stretch:
    """Read a text that is one date, or a year; raise ValueError, with the sentence that says why, otherwise."""
    text = text.strip()
    if _alone(text):
        return quarters(int(text[:4]), 1, 4)
    found = next(said(text), None)
    if found is None or found[:2] != (0, len(text)):
        raise ValueError(f"{excerpt(text)} is not a date")
    if found.stretch is None:
        raise ValueError(found.fault)
    return found.stretch


def said(text: str) -> Iterator[Said]:
    """Yield the dates in a text, in order; what is in no calendar, or may be two days, has a fault and no stretch."""
    for year in _year.finditer(text):
        start, end = year.span()
        before = text[start - 1 : start]
        if before and before in "/=-&?#%" and _in_address(text, start):
            continue
        if found := _onwards(text, start):
            yield Said.at(text, start, found.end(), _of_digits(found))
        elif before and before in " \xa0\n,./-" and not _goes_on(text, end):
            window = text[max(0, start - _BEFORE) : start]
            if found := _numbers(window, max(0, len(window) - 7)):
                yield Said.at(text, start - len(found[0]), end, _of_numbers(int(year[0]), found))
            elif (found := _named(window)) and (meant := _of_name(int(year[0]), found)):
                yield Said.at(text, start - len(found[0]), end, meant)


def days(year: int, month: int, first: int, last: int) -> Stretch | str:
    """Give the days of a month from one to another, or what to say where the calendar does not have them."""
    try:
        start, end = date(year, month, first).toordinal(), date(year, month, last).toordinal()
    except ValueError:
        return NOWHERE
    return Stretch((start - _EPOCH) * DAY, (end + 1 - _EPOCH) * DAY) if start <= end else NOWHERE


def month(year: int, number: int) -> Stretch | str:
    """Give a month, or what to say where no calendar has it."""
    if not 1 <= number <= 12:
        return NOWHERE
    after = date(year + number // 12, number % 12 + 1, 1).toordinal()
    return Stretch((date(year, number, 1).toordinal() - _EPOCH) * DAY, (after - _EPOCH) * DAY)


def quarters(year: int, first: int, last: int) -> Stretch:
    """Give the quarters of a year from one to another; from 1 to 4 they are the year."""
    start, after = date(year, 3 * first - 2, 1), date(year + last // 4, 3 * last % 12 + 1, 1)
    return Stretch((start.toordinal() - _EPOCH) * DAY, (after.toordinal() - _EPOCH) * DAY)


def _of_digits(found: re.Match[str]) -> Stretch | str:
    year, kind = int(found[1]), found.lastindex
    assert kind is not None
    if kind == 2:
        return quarters(year, int(found[2]), int(found[2]))
    if kind in {3, 10}:
        return month(year, int(found[kind]))
    return days(year, int(found[kind - 1]), int(found[kind]), int(found[kind]))


def _of_numbers(year: int, found: re.Match[str]) -> Stretch | str:
    first, second = int(found[1]), int(found[3])
    if found[2] == "." or first > 12 or first == second:
        return days(year, second, first, first)
    if second <= 12:
        return f"may be {year}-{second:02}-{first:02} or {year}-{first:02}-{second:02}"
    return days(year, first, second, second)


def _of_name(year: int, found: re.Match[str]) -> Stretch | str | None:
    quarter, ordinal, since, day, name, since_after, day_after = found.groups()
    if name is None:
        which = int(quarter or _QUARTERS[ordinal.lower()])
        return quarters(year, which, which)
    if day_after:
        since, day = since_after, day_after
    number = month_of(name, dated=bool(day))
    if number is None or not day:
        return month(year, number) if number else None
    return days(year, number, int(since or day), int(day))


def _in_address(text: str, position: int) -> bool:
    """Say whether a place stands in an address: what is linked to has that date, not what links to it."""
    near = text[max(0, position - _ADDRESS) : position]
    address = near.rfind("://")
    return address >= 0 and not any(blank in near[address:] for blank in " \n(")
