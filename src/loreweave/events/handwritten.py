"""Lines of the record written in a note: a ``[fact]`` line is a value, and lines of other kinds have no effect there.

A page that was clipped from elsewhere must not end what was stated, so that a close in a note is a finding that shows
the command to run. What a ``[fact]`` line says of its source, author, scope or record time is ignored.
A word in brackets that is a kind by chance, as in ``- [session] with Priya``, begins an observation.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import attrs

from loreweave.errors import ERROR, WARNING, Finding
from loreweave.events.heeded import unheeded
from loreweave.events.misses import near_miss, tag_of
from loreweave.events.model import JOURNAL_KINDS, Line
from loreweave.events.parse import parse_line
from loreweave.events.quarantine import fault
from loreweave.times import read_instant, show_day

LONGEST = 2_000
"""How many characters a field may have, as in a line that is written."""

_EARLIEST = read_instant("0001-01-01")
_TOLD = ("source", "recorded_at", "by", "scope", "because", "episode", "proposal")
_TIMES = {"invalidate": ("--valid-until", "valid_until"), "retract": ("--valid-from", "valid_from")}
_plain = re.compile(r"[\w./:@%+-]+").fullmatch


class Handwritten(NamedTuple):
    """A ``[fact]`` line as it counts in a note, None where it does not, and findings with a column and no line."""

    fact: Line | None
    findings: list[Finding]


def read_handwritten(text: str) -> Handwritten | None:
    """Read a line of a note that is, or is nearly, one of the record; None is any other line."""
    kind = tag_of(text)
    if kind is None:
        near = near_miss(text, ("fact",))
        return Handwritten(None, [near]) if near else None
    line, findings = parse_line(text)
    column = text.find("[") + 1
    if kind == "fact":
        return _fact(line, list(findings), text)
    if "::" not in text and (line is None or line == Line(kind, object=line.object)):
        return None
    if kind in _TIMES:
        return Handwritten(None, [_close(kind, line, column)])
    home = "lore/journal/" if kind in JOURNAL_KINDS else "lore/ledger/"
    message = f"This [{kind}] line has no effect, for it stands in a note."
    return Handwritten(None, [Finding("misplaced", message, f"[{kind}] lines count under {home}", column=column)])


def _fact(line: Line | None, findings: list[Finding], text: str) -> Handwritten:
    if line is None:
        severity = WARNING if "::" not in text else ERROR
        return Handwritten(None, [attrs.evolve(finding, severity=severity) for finding in findings])
    said = [name for name in _TOLD if getattr(line, name) is not None and getattr(line, name) != "extracted"]
    findings += [found for name in said for found in unheeded([name], text.rfind(name) + 1)]
    wrong = fault(line._replace(scope=None), _EARLIEST) or _excess(line)
    return Handwritten(None if wrong else line, [*findings, *([wrong] if wrong else [])])


def _excess(line: Line) -> Finding | None:
    for name in ("subject", "predicate", "object"):
        size = len(getattr(line, name))
        if size > LONGEST:
            message = f"The {name} of this [fact] line has {size:,} characters."
            return Finding("long-value", message, f"a field has at most {LONGEST:,} characters", severity=WARNING)
    return None


def _close(kind: str, line: Line | None, column: int) -> Finding:
    message = (
        f"This [{kind}] line has no effect, for it stands in a note: what a page says must not end what was stated."
    )
    hint = f"run: {_command(kind, line)}" if line else f"run: lore {kind} SUBJECT PREDICATE"
    return Finding("close-in-note", message, hint, column=column, severity=WARNING)


def _command(kind: str, line: Line) -> str:
    option, name = _TIMES[kind]
    time = getattr(line, name)
    words = [word for word in (line.subject, line.predicate, line.object) if word]
    options = [option, show_day(time)] if time is not None else []
    ends_options = ["--"] if any(word.startswith("-") for word in words) else []
    return " ".join(["lore", kind, *options, *ends_options, *map(_quoted, words)])


def _quoted(word: str) -> str:
    """Write a word so that a shell takes it as it is, whoever wrote it."""
    return word if _plain(word) else "'" + word.replace("'", "'\\''") + "'"
