"""Findings that only the fold of a slot can see: lines without effect, and lines that are twins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from loreweave.errors import WARNING, Finding

CODES_OF_SLOTS = ("ineffective", "twin-lines")
"""The findings that belong to a slot; all others belong to a file, or to all notes."""

Event = Mapping[str, object]
"""An event by the names of its columns."""

_ORIGIN = ("event_id", "path", "line")
_IDLE = {
    "FactInvalidated": ("close ends nothing", "no claim on record then reaches beyond that instant"),
    "FactRetracted": ("retraction unsays nothing", "no claim on record then fits it"),
    "ValueWithdrawn": ("withdrawal drops nothing", "its note had said nothing that fits it"),
}


def ineffective(event: Event) -> Finding:
    """Make the finding for a close, retraction or withdrawal that moves nothing at its own record instant."""
    what, why = _IDLE[str(event["kind"])]
    return _finding(
        "ineffective",
        f"This {what} of {event['subject']} :: {event['predicate']}: {why}.",
        "Check its names and dates: `lore why` shows what the slot held.",
        event,
    )


def twins(pairs: Iterable[tuple[Event, Event]]) -> Iterator[Finding]:
    """Make a finding for each line that one like it but for its content stands before, by the same author.

    ``pairs`` are in order: the first line of a slot, start and record time, and a later one of the same.
    """
    latest: dict[tuple[object, ...], tuple[Event, Event | None]] = {}
    for first, line in pairs:
        latest.setdefault(_alike(first), (first, None))
        last, other = latest.get(_alike(line), (line, None))
        if _content(last) != _content(line):
            other = last
        latest[_alike(line)] = line, other
        if other is not None:
            yield _twin(other, line)


def _alike(event: Event) -> tuple[object, ...]:
    names = ("scope_key", "subject_key", "predicate_key", "recorded_at", "valid_from", "recorded_by")
    return tuple(event[name] for name in names)


def _content(event: Event) -> dict[str, object]:
    return {name: value for name, value in event.items() if name not in _ORIGIN}


def _twin(one: Event, other: Event) -> Finding:
    return _finding(
        "twin-lines",
        f"This line and {one['path']}:{one['line']} state {other['subject']} :: {other['predicate']} from one start, "
        "at one record time, by one author, and differ.",
        "Keep one of them: a merge may have brought back a line that was edited.",
        other,
    )


def _finding(code: str, message: str, hint: str, event: Event) -> Finding:
    path, line, scope_key = str(event["path"]), int(str(event["line"])), str(event["scope_key"])
    return Finding(code, message, hint, path, line, 1, WARNING, scope_key)
