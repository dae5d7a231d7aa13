"""The dates in a question, whole or said from the day of asking, and what is only a date because of a word beside it.

"Room 2019" and "may I search this" name no time; "in 2019" and "since May" do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loreweave.notes.relative import Named, relative
from loreweave.notes.when import Said, Stretch, quarters, said
from loreweave.times import Instant, to_datetime

_BEFORE = 24  # characters: as many as "throughout the early "
_YEAR = r"(?<![0-9A-Za-z_.,:/#$€])((?:19|20)[0-9]{2})"
_NO_MORE = r"(?![0-9A-Za-z_%]|[.,:/-][0-9])"
_COUNTED = "words|lines|items|files|notes|pages|rows|bytes|characters|times|people|km|kg|ms"
_year_pairs = re.compile(rf"{_YEAR}(?: ?[–—-] ?| to )((?:19|20)[0-9]{{2}}){_NO_MORE}").finditer
_years = re.compile(rf"{_YEAR}(?:( ?[年년])(?![代0-9])|{_NO_MORE}(?! (?:{_COUNTED})(?![a-z])))").finditer
_led = re.compile(
    r"(?<![0-9A-Za-z_])(?:in|on|by|since|from|after|before|until|till|to|through|throughout|during|between|of|last|this"
    r"|early|mid|late|starting|beginning|year|years|summer|winter|spring|autumn|fall)"
    r"(?: the)?(?: years?| early| mid| late)?[ -]$",
    re.IGNORECASE,
).search
_joined = re.compile(r",? ?(,|and|to|until|till|through|or|[–—-]) ?(?:in )?", re.IGNORECASE)


def dates_in(question: str, now: Instant | None) -> list[Said]:
    """Give the dates in a question, in order, none within another; those said from ``now`` where that is given."""
    whole = list(said(question))
    found = [(date, True) for date in whole] + list(_years_in(question))
    if now is not None:
        following = {date.start: date for date in whole}
        found += [_placed(question, name, following) for name in relative(question, to_datetime(now).date())]
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


def _placed(question: str, name: Named, following: dict[int, Said]) -> tuple[Said, bool]:
    """Read a day or month without a year in the year of the date that it is joined to, where it is."""
    join = _joined.match(question, name.end) if name.in_year else None
    beside = following.get(join.end()) if join else None
    if name.in_year and beside and beside.stretch:
        meant = name.in_year(to_datetime(beside.stretch.from_).year)
        return Said.at(question, name.start, name.end, meant), True
    return Said.at(question, name.start, name.end, name.meant), name.certain
