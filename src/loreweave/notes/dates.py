"""The date that a note as a whole bears: that of a property, else that of its file's name.

The properties are ``valid_from``, ``date`` and ``created``, in this order; the first that can be read counts.
A number of ten digits there is seconds since 1970, one of thirteen milliseconds.
The name of a file dates it where it begins with a day: ``2026-08-05.md``, ``2026-08-05 Review.md``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from loreweave.errors import WARNING, Finding
from loreweave.notes.model import Frontmatter, Property
from loreweave.notes.visible import excerpt
from loreweave.times import DATE_PATTERN, HINT, Instant, read_instant

_UNITS = {10: 1_000_000, 13: 1_000}
_epoch = re.compile(r"[0-9]{10}|[0-9]{13}").fullmatch
_link = re.compile(r"\[\[([^\[\]|#]*+)(?:[|#][^\[\]]*+)?\]\]").fullmatch
_day = re.compile(rf"({DATE_PATTERN})(?![0-9A-Za-z])").match


class Dated(NamedTuple):
    """The date of a note, None where it bears none, and what is wrong with dates that cannot be read."""

    instant: Instant | None = None
    findings: tuple[Finding, ...] = ()


def dated(path: str, frontmatter: Frontmatter) -> Dated:
    """Give the date of the note at ``path``; findings name the line and no path."""
    findings: list[Finding] = []
    for entry in frontmatter.named("valid from", "date", "created"):
        if not entry.items:
            continue
        try:
            return Dated(read_date(entry.items[0].text), tuple(findings))
        except ValueError:
            findings.append(_unreadable(entry))
    return Dated(_of_name(path.rpartition("/")[2]), tuple(findings))


def read_date(text: str) -> Instant:
    """Read a time, a link to the note of a day, or a number of seconds or milliseconds; raise ValueError otherwise."""
    text = text.strip()
    if _epoch(text):
        return int(text) * _UNITS[len(text)]
    if found := _link(text):
        text = found[1].rpartition("/")[2].strip()
    return read_instant(text)


def _unreadable(entry: Property) -> Finding:
    text, line = entry.items[0]
    message = f"The property {excerpt(entry.name)} dates the note, but {excerpt(text)} is not a time."
    return Finding("unreadable-date", message, HINT, line=line, severity=WARNING)


def _of_name(name: str) -> Instant | None:
    found = _day(name)
    try:
        return read_instant(found[1]) if found else None
    except ValueError:
        return None
