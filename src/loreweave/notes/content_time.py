"""Content time: the time that a passage, or a note as a whole, is about, as far as it says so itself.

A passage bears the dates in its own text, from the first to the last, else those in the nearest heading above it that
has any. A note bears the date of a property, else that in the name of its file, else the day of its creation under the
names that plugins give it. Years alone date neither: they stand in passages of every time. Nor do the dates of a
``[fact]`` line, unless the passage has nothing else: they say when the fact holds, and not of when the text beside it
speaks. Dates in code are examples, and date nothing. The time of the file counts never.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from loreweave.notes.dates import read_date
from loreweave.notes.model import Frontmatter
from loreweave.notes.when import Stretch, days, read, said
from loreweave.times import DAY

__all__ = ["Stretch", "of_headings", "of_note", "of_passage", "of_text"]

VERSION = 3
"""Of the rules below; what was dated by others is read anew."""

_PROPERTIES = ("date", "event date", "created", "valid from")
_OF_CREATION = (
    "date created,created date,created at,created on,created time,creation date,creation time,create date,create time"
).split(",")
_CREATED = tuple(dict.fromkeys(form for name in _OF_CREATION for form in (name, name.replace(" ", ""))))
_without_facts = re.compile(r"^[ \t]*+[-*+][ \t]*+\[fact\](?!\().*::.*$", re.MULTILINE).sub
_says = re.compile(r"^(?! {0,3}#{1,6}(?:\s|$))[^\n]*\w", re.MULTILINE).search
_stamp = re.compile(r"([12][0-9]{3})([0-9]{2})([0-9]{2})(?:[0-9]{4}|[0-9]{6})?(?![0-9A-Za-z])").match


def of_passage(text: str) -> Stretch | None:
    """Give the stretch of the dates in a passage, beside its facts where it has more than these; None without any."""
    prose = _without_facts("", text) if "[fact]" in text else text
    return of_text(prose if _says(prose) else text)


def of_text(text: str) -> Stretch | None:
    """Give the stretch from the first to the last of the dates in a text, None where it has none."""
    found = [date.stretch for date in said(text) if date.stretch]
    if not found:
        return None
    return Stretch(min(date.from_ for date in found), max(date.until for date in found))


def of_headings(headings: Sequence[str]) -> Stretch | None:
    """Give the stretch of the innermost of the headings above a passage that has a date, None where none has."""
    return next(filter(None, map(of_text, reversed(headings))), None)


def of_note(path: str, frontmatter: Frontmatter) -> Stretch | None:
    """Give the stretch that the note at ``path`` bears, by its properties or its name, None where it bears none.

    Of ``date``, ``event_date``, ``created`` and ``valid_from``, in this order, the first that can be read counts.
    ``date created`` and its like count where nothing else does: a note may be made later than the day it is named by.
    """
    properties = _of_properties(frontmatter, _PROPERTIES)
    return properties or _of_name(path.rpartition("/")[2]) or _of_properties(frontmatter, _CREATED)


def _of_properties(frontmatter: Frontmatter, names: Iterable[str]) -> Stretch | None:
    found = (_of_property(entry.items[0].text) for entry in frontmatter.named(*names) if entry.items)
    return next(filter(None, found), None)


def _of_property(text: str) -> Stretch | None:
    try:
        return read(text)
    except ValueError:
        pass
    try:
        day = read_date(text) // DAY * DAY
    except ValueError:
        return of_text(text)
    return Stretch(day, day + DAY)


def _of_name(name: str) -> Stretch | None:
    """Read ``2026-08-05 Review.md``, ``2026_08_05.md``, ``Review June 2026.md`` and ``202608051230.md``."""
    if found := _stamp(name):
        day = days(int(found[1]), int(found[2]), int(found[3]), int(found[3]))
        return None if isinstance(day, str) else day
    return of_text(name.replace("_", "-"))
