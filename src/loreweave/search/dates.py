"""The dates in a question, whole or said from the day of asking, and the dates that bound a search.

Some are dates only by a word beside them: "room 2019" and "may I search this" name no time, "in 2019" and "since May"
do. Beside a whole date, one said from the day of asking counts only if it is joined to it: "last week, on 3 May 2023".
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from loreweave.errors import BadRequest, Refused
from loreweave.notes.relative import Named, relative
from loreweave.notes.visible import excerpt
from loreweave.notes.when import FORMS, Said, Stretch, quarters, said
from loreweave.times import Instant, Time, read_instant, read_time, show_instant, to_datetime

_BEFORE = 24  # characters: as many as "throughout the early "
_YEAR = r"(?<![0-9A-Za-z_.,:/#$€])((?:19|20)[0-9]{2})"
_NO_MORE = r"(?![0-9A-Za-z_%]|[.,:/-][0-9])"
_COUNTED = "words|lines|items|files|notes|pages|rows|bytes|characters|times|people|km|kg|ms"
_year_pairs = re.compile(rf"{_YEAR}(?: ?[–—-] ?| to )((?:19|20)[0-9]{{2}}){_NO_MORE}").finditer
_years = re.compile(rf"{_YEAR}(?:( ?[年년])(?![代0-9])|{_NO_MORE}(?! (?:{_COUNTED})(?![a-z])))").finditer
_led = re.compile(
    r"(?<![0-9A-Za-z_])(?:in|on|by|since|from|after|before|until|till|to|through|throughout|during|between|last|this"
    r"|early|mid|late|starting|beginning|year|years|summer|winter|spring|autumn|fall"
    r"|(?:end|start|beginning|middle|half|month|quarter|week|summer|winter|spring|autumn|fall) of)"
    r"(?: the)?(?: years?| early| mid| late)?[ -]$",
    re.IGNORECASE,
).search
_joined = re.compile(r",? ?(,|and|to|until|till|through|or|[–—-]) ?(?:in )?", re.IGNORECASE)


def dates_in(question: str, now: Instant | None) -> list[Said]:
    """Give the dates in a question, in order, none within another; those said from ``now`` where that is given."""
    whole = [(date, True) for date in said(question)] + list(_years_in(question))
    found = _kept(question, whole)
    today = None if now is None else to_datetime(now).date()
    named = (_placed(question, name, found, today) for name in relative(question, today))
    return _kept(question, whole + [date for date in named if date is not None])


def bounds(since: Time, until: Time, now: Instant | None) -> tuple[Instant | None, Instant | None]:
    """Read the dates that bound a search, in any form that a question may have.

    Each is the first instant of what it names: ``until`` 2024-03 ends before March, as every ``until`` is exclusive.
    Raise BadRequest for what is no date, and Refused where nothing lies between.
    """
    first, last = bound("since", since, now), bound("until", until, now)
    if first is not None and last is not None and last <= first:
        told = f"until: {show_instant(last)} is not after {show_instant(first)}."
        raise Refused(told, "until is exclusive: since 2024-03 until 2024-04 is all of March 2024")
    return first, last


def bound(name: str, value: Time, now: Instant | None) -> Instant | None:
    """Read one date that bounds a search: the first instant of what it names; raise BadRequest, naming it."""
    if not isinstance(value, str):
        return read_time(name, value)
    text = value.strip()
    try:
        return read_instant(text)
    except ValueError:
        pass
    question = f"in {text}"
    found = next((date for date in dates_in(question, now) if (date.start, date.end) == (3, len(question))), None)
    if found is None or found.stretch is None:
        raise BadRequest(f"{name}: {found.fault if found else f'{excerpt(text)} is not a date'}.", FORMS)
    return found.stretch.from_


def _kept(question: str, found: list[tuple[Said, bool]]) -> list[Said]:
    """Keep of dates that overlap the first and longest, and of uncertain ones those that a word beside makes dates."""
    kept: list[Said] = []
    for date, certain in sorted(found, key=lambda pair: (pair[0].start, -pair[0].end)):
        if kept and date.start < kept[-1].end:
            continue
        if certain or _is_led(question, date.start) or (kept and joined(question, kept[-1].end, date.start)):
            kept.append(date)
    return kept


def joined(question: str, end: int, start: int) -> str | None:
    """Give the word by which what ends here is joined to what starts there, None where it is not."""
    found = _joined.fullmatch(question, end, start)
    return found[1].lower() if found else None


def _is_led(question: str, start: int) -> bool:
    return _led(question[max(0, start - _BEFORE) : start]) is not None


def _years_in(question: str) -> Iterator[tuple[Said, bool]]:
    for found in _year_pairs(question):
        first, last = quarters(int(found[1]), 1, 4), quarters(int(found[2]), 1, 4)
        if first.from_ < last.from_:
            yield Said(*found.span(), Stretch(first.from_, last.until)), True
    for found in _years(question):
        yield Said(*found.span(), quarters(int(found[1]), 1, 4)), found[2] is not None


def _placed(question: str, name: Named, whole: list[Said], today: dt.date | None) -> tuple[Said, bool] | None:
    """Place what is named from the day of asking; beside whole dates, only what is joined to one is meant so."""
    join = _joined.match(question, name.end)
    after = next((said.stretch for said in whole if join and said.start == join.end()), None)
    if after and name.in_year:
        return Said.at(question, name.start, name.end, name.in_year(to_datetime(after.from_).year)), True
    if today is None or (whole and not after and not any(joined(question, said.end, name.start) for said in whole)):
        return None
    return Said.at(question, name.start, name.end, name.meant), name.certain or bool(whole)
