"""The time a question asks about: its dates, and the words that say how it stands to them.

``in March 2024``, and a date without such a word, is that month; ``before`` ends at the start of the date, and
``until``, ``by`` and ``as of`` at its end; ``since`` begins at its start, and ``after`` at its end. ``between`` holds
both its dates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple
from unicodedata import normalize

import attrs

from loreweave.notes.when import Said, Stretch
from loreweave.search.dates import dates_in, joined
from loreweave.times import Instant

_BEFORE = 48  # characters: as many as "no later than the beginning of the "
_KINDS = {
    "until": "until|till|up to|up until|through|not? later than|not after|before (?:the )?end of|截至|截止|不晚于",
    "before": "before|prior to|earlier than",
    "as of": "as of|as at",
    "by": "by",
    "after": "after|later than",
    "since": "since|not? earlier than|not before|starting(?: in| from)?|beginning(?: in)?|自从|自|不早于",
    "between": "between",
    "in": "from|in|on|during|从|在",
}
_kind = re.compile(
    rf"(?<![0-9A-Za-z_])(?:{'|'.join(f'({words})' for words in _KINDS.values())})"
    r"(?: the)?(?: years?| months? of| end of| start of| beginning of| middle of)?(?: early| mid| late)?[ -]?$",
    re.IGNORECASE,
).search
_FOLLOWING = {
    "before": "之前|以前|前(?![端面后者])",
    "after": "之后|以后|后(?![端台面来])",
    "since": "以来|起(?![草来])|onwards?|and later|or later",
}
_RANGES = {"to", "until", "till", "through", "-", "–", "—"}
_following = re.compile("[ ]?(?:" + "|".join(f"({words})" for words in _FOLLOWING.values()) + ")", re.IGNORECASE).match
_newest = re.compile(
    r"(?<![0-9A-Za-z_])(?:latest|newest|most recent|current|currently|now|nowadays|these days|at the moment|at present"
    r"|as of today)(?![0-9A-Za-z_])|最新|目前|现在|当前",
    re.IGNORECASE,
).search
_history = re.compile(
    r"(?<![0-9A-Za-z_])(?:history|histories|timeline|evolution|evolved|over time|over the years"
    r"|ever been|used to be|how (?:has|have|did)[^.?!]{1,60} changed?)(?![0-9A-Za-z_])|历史|变化|演变",
    re.IGNORECASE,
).search


@attrs.frozen(kw_only=True)
class Window:
    """What a question says of time.

    ``kind`` is ``in``, ``before``, ``until``, ``by``, ``as of``, ``after``, ``since`` or ``between``, and empty where
    no date was read; then ``from_`` and ``until`` (exclusive; None is open) bound nothing. ``as_of`` is the instant
    whose beliefs are asked for, None for the present ones. ``newest``: words such as "latest" prefer what is newest;
    ``history``: all that ever held is asked for. ``said`` are the words that say the time, as written; ``notes``
    sentences on what looks like a date and could not be read.
    """

    kind: str = ""
    from_: Instant | None = None
    until: Instant | None = None
    as_of: Instant | None = None
    newest: bool = False
    history: bool = False
    said: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words that say the time, as one text."""
        return ", ".join(self.said)

    def covers(self, from_: Instant, until: Instant) -> bool:
        """Say whether a stretch has something in common with the dates of the window, where it has any."""
        if not self.kind:
            return False
        return (self.until is None or from_ < self.until) and (self.from_ is None or self.from_ < until)


def window_of(wordings: tuple[str, ...], now: Instant | None) -> Window | None:
    """Give the time that a question asks about, None where it says nothing of time.

    The first wording with a date decides. ``last month`` and the like are read from ``now``, and not without it.
    """
    texts = [normalize("NFKC", wording) for wording in wordings]
    read = [(text, dates_in(text, now)) for text in texts]
    faults = dict.fromkeys(date.fault for _, dates in read for date in dates if date.fault)
    notes = tuple(f"{fault}, so the question was asked without it." for fault in faults)
    parts = next((parts for text, dates in read if (parts := list(_parts(text, dates)))), [])
    newest = not parts and any(_newest(text) for text in texts)
    history = any(_history(text) for text in texts)
    if not (parts or notes or newest or history):
        return None
    from_, until = _together(parts)
    return Window(
        kind=parts[0].kind if parts else "",
        from_=from_,
        until=until,
        as_of=_as_of(from_, until, now),
        newest=newest,
        history=history,
        said=tuple(part.text for part in parts),
        notes=notes,
    )


def untimed(text: str, window: Window) -> str:
    """Give a question without the words that say its time."""
    text = normalize("NFKC", text)
    for words in window.said:
        text = text.replace(words, " ", 1)
    return text


class _Part(NamedTuple):
    """One date with the words that say how a question stands to it."""

    kind: str
    from_: Instant | None
    until: Instant | None
    text: str


def _parts(question: str, dates: list[Said]) -> Iterator[_Part]:
    done = 0
    for date, following in zip_longest(dates, dates[1:]):
        if date.stretch is None or date.start < done:
            continue
        start, kind, done = _stands(question, date)
        join = joined(question, date.end, following.start) if following and following.stretch else None
        stretch = date.stretch
        if following and following.stretch and (join in _RANGES or (join == "and" and kind == "between")):
            kind, done, stretch = "between", following.end, Stretch(stretch.from_, following.stretch.until)
        yield _Part(*_bounds(kind, stretch), question[start:done].strip())


def _stands(question: str, date: Said) -> tuple[int, str, int]:
    """Find the words round a date that say how the question stands to it: their start, the kind, their end."""
    before = _kind(question, max(0, date.start - _BEFORE), date.start)
    start, kind = (before.start(), _named(before, _KINDS)) if before else (date.start, "in")
    if kind == "in" and (after := _following(question, date.end)):
        return start, _named(after, _FOLLOWING), after.end()
    return start, kind, date.end


def _named(found: re.Match[str], kinds: dict[str, str]) -> str:
    return list(kinds)[(found.lastindex or 1) - 1]


def _bounds(kind: str, date: Stretch) -> tuple[str, Instant | None, Instant | None]:
    """Give the kind and both ends of what a question means by a date and the word before it."""
    match kind:
        case "before":
            return kind, None, date.from_
        case "until" | "by" | "as of":
            return kind, None, date.until
        case "after":
            return kind, date.until, None
        case "since":
            return kind, date.from_, None
    return kind, date.from_, date.until


def _together(parts: list[_Part]) -> tuple[Instant | None, Instant | None]:
    """Bring dates together: those that stand side by side are one stretch, which the others cut."""
    closed = [part for part in parts if part.from_ is not None and part.until is not None]
    begins = [part.from_ for part in parts if part.from_ is not None and part.until is None]
    ends = [part.until for part in parts if part.until is not None and part.from_ is None]
    if closed:
        begins.append(min(part.from_ for part in closed if part.from_ is not None))
        ends.append(max(part.until for part in closed if part.until is not None))
    from_, until = max(begins, default=None), min(ends, default=None)
    if from_ is not None and until is not None and from_ >= until:
        return parts[0].from_, parts[0].until
    return from_, until


def _as_of(from_: Instant | None, until: Instant | None, now: Instant | None) -> Instant | None:
    """Give the last instant of a window, or ``now`` where it is within; None where a window has no end."""
    if until is None:
        return None
    return now if now is not None and from_ is not None and from_ <= now < until else until - 1
