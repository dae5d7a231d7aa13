"""Instants on both time axes: read in one way, printed in one way, UTC in microseconds."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import attrs

from loreweave.errors import BadRequest

Instant = int
"""Microseconds since 1970-01-01T00:00:00Z. Instants are compared, never text."""

Time = str | date | None
"""A time as callers give it: a text, a date (its midnight UTC) or a datetime (naive: UTC); None is not given."""

DAY = 86_400_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = _EPOCH.toordinal()
_MICROSECOND = timedelta(microseconds=1)
_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND

DATE_PATTERN = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME_PATTERN = (
    DATE_PATTERN + r"(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3])(?::[0-5][0-9])?)?)?"
)
_readable = re.compile(TIME_PATTERN).fullmatch

HINT = "write 2024-06-01, or 2024-06-01T09:30:00Z"


def read_instant(text: str) -> Instant:
    """Read ``YYYY-MM-DD``, or that with a time of day and perhaps an offset; raise ValueError otherwise.

    A date is its midnight UTC; a time without an offset is UTC; an offset is converted.
    """
    if not _readable(text):
        raise ValueError(f'"{text}" is not a time')
    try:
        if len(text) == 10:
            return (date.fromisoformat(text).toordinal() - _EPOCH_DAY) * DAY
        return from_datetime(datetime.fromisoformat(text))
    except ValueError:
        raise ValueError(f'"{text}" is not in the calendar') from None


def read_time(name: str, value: Time) -> Instant | None:
    """Read a time given by a caller; raise BadRequest, naming it, where it cannot be read."""
    try:
        if value is None:
            return None
        if isinstance(value, datetime):
            return from_datetime(value)
        return read_instant(value.isoformat() if isinstance(value, date) else value)
    except TypeError:
        raise BadRequest(f"{name}: {value!r} is not a time.", HINT) from None
    except ValueError as unreadable:
        raise BadRequest(f"{name}: {unreadable}.", HINT) from None


def from_datetime(moment: datetime) -> Instant:
    """Convert a datetime; a naive one is UTC. Raises ValueError where UTC has no such year, from 1 to 9999."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    instant = (moment - _EPOCH) // _MICROSECOND
    if not _FIRST <= instant <= _LAST:
        raise ValueError(f'"{moment.isoformat()}" is not in the calendar')
    return instant


def to_datetime(instant: Instant) -> datetime:
    """Convert to an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=instant)


def shifted(instant: Instant, by: int) -> Instant:
    """Give the instant so many microseconds after another, the first or the last there is where it lies beyond."""
    return min(max(instant + by, _FIRST), _LAST)


def show_instant(instant: Instant) -> str:
    """Print as RFC 3339 with ``Z``, the fraction as short as it can be."""
    text = to_datetime(instant).replace(tzinfo=None).isoformat()
    if "." in text:
        text = text.rstrip("0")
    return text + "Z"


def show_day(instant: Instant) -> str:
    """Print a midnight as its day, anything else as an instant."""
    text = show_instant(instant)
    return text[:10] if instant % DAY == 0 else text


@attrs.frozen
class Moment:
    """The instant asked about and the instant asked from; None is open: any time, as best known."""

    as_of: Instant | None = None
    as_known_at: Instant | None = None
