"""What keeps a line that reads well from having any effect: one finding, for its reader and for who would write it."""

from __future__ import annotations

from loreweave import times
from loreweave.errors import Finding
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.slots import key
from loreweave.notes.visible import is_blank, reveal
from loreweave.times import Instant

_STARTING = ("fact", "observed")


def fault(line: Line, recorded_at: Instant | None) -> Finding | None:
    """Give the reason to quarantine a line with this effective record time, or None where it is sound.

    The finding carries the key of the scope where there is one; its place in a file is the caller's to add.
    """
    scope_key = key(DEFAULT_SCOPE if line.scope is None else line.scope)
    found = _empty_key(line) or _blank_object(line) or _without_time(line, recorded_at) or _inverted(line, recorded_at)
    if found is None:
        return None
    code, message, hint = found
    return Finding(code, message, hint, scope_key=scope_key or None)


def _empty_key(line: Line) -> tuple[str, str, str] | None:
    for name in ("subject", "predicate", "scope"):
        value = getattr(line, name)
        if value is not None and not key(value):
            message = f"The {name} {reveal(value)} has an empty key: nothing of it is left to tell it from others."
            return "empty-key", message, f"write a {name} with a letter, a digit or a sign in it"
    return None


def _blank_object(line: Line) -> tuple[str, str, str] | None:
    if line.object is None or not is_blank(line.object):
        return None
    return "blank-object", f"The object {reveal(line.object)} is blank.", "write the value after the second ::"


def _without_time(line: Line, recorded_at: Instant | None) -> tuple[str, str, str] | None:
    if recorded_at is not None:
        return None
    message = f"This [{line.kind}] line has no record time: none is written, and its file's name gives no day."
    return "no-record-time", message, "write recorded_at=2024-06-01T09:30:00Z in the attributes"


def _inverted(line: Line, recorded_at: Instant | None) -> tuple[str, str, str] | None:
    start = recorded_at if line.valid_from is None and line.kind in _STARTING else line.valid_from
    if start is None or line.valid_until is None or line.valid_until > start:
        return None
    ends, starts = times.show_day(line.valid_until), times.show_day(start)
    message = f'The end "{ends}" is not after the start "{starts}".'
    return "close-before-open", message, "give a valid_until that is later than valid_from"
