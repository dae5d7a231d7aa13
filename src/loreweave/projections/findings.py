"""Findings that only the fold of a slot can see: lines without effect, and lines that are twins."""

from __future__ import annotations

from collections.abc import Mapping

from loreweave.errors import WARNING, Finding

CODES = ("ineffective", "twin-lines")

_IDLE = {
    "FactInvalidated": ("close ends nothing", "no claim on record then reaches beyond that instant"),
    "FactRetracted": ("retraction unsays nothing", "no claim on record then fits it"),
    "ValueWithdrawn": ("withdrawal drops nothing", "its note had said nothing that fits it"),
}


def ineffective(event: Mapping[str, object]) -> Finding:
    """Make the finding for a close, retraction or withdrawal that moves nothing at its own record instant."""
    what, why = _IDLE[str(event["kind"])]
    return _finding(
        "ineffective",
        f"This {what} of {event['subject']} :: {event['predicate']}: {why}.",
        "Check its names and dates: `lore why` shows what the slot held.",
        event,
    )


def twins(one: Mapping[str, object], other: Mapping[str, object]) -> Finding | None:
    """Make the finding for two journal lines alike but for their content; None where their authors differ."""
    if one["recorded_by"] != other["recorded_by"] or not str(one["path"]).startswith("lore/journal/"):
        return None
    return _finding(
        "twin-lines",
        f"This line and {one['path']}:{one['line']} state {other['subject']} :: {other['predicate']} from one start, "
        "at one record time, by one author, and differ.",
        "Keep one of them: a merge may have brought back a line that was edited.",
        other,
    )


def _finding(code: str, message: str, hint: str, event: Mapping[str, object]) -> Finding:
    path, line, scope_key = str(event["path"]), int(str(event["line"])), str(event["scope_key"])
    return Finding(code, message, hint, path, line, 1, WARNING, scope_key)
