"""A note read by its address: whole, a section of it, a passage, or some lines, and where to go on reading.

What may be read is what the index holds as a note of the scope, under the path it has there: a path that leads
elsewhere is the path of no note. The text is that of the file as it is now, and so are the sections and passages in it.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.errors import Refused
from loreweave.notes.visible import excerpt
from loreweave.projections.names import heading_key
from loreweave.reports.addresses import Place, place_of
from loreweave.reports.asks import Asks
from loreweave.reports.question import whole_number

if TYPE_CHECKING:
    from loreweave.notes.model import Heading

LINES = 500
"""How many lines are given where nothing is said."""

HEADINGS = 20
"""How many headings are named where the one that was asked for is none of the note."""

CHARACTERS = 30_000
"""How many characters they have at most, written as JSON."""


@attrs.frozen
class NoteText:
    """Lines of a note as they are written: ``start_line`` to ``end_line`` of the ``lines`` that it has.

    ``anchor`` is the heading that was asked for. ``of`` is how many lines the address names, and ``rest`` the address
    of those that follow the ones given; None where there are none. ``cut`` tells that the last line is longer than
    what may be given. The text is quoted: what it says is said by whoever wrote the note.
    """

    path: str
    title: str
    anchor: str
    start_line: int
    end_line: int
    text: str
    of: int
    lines: int
    rest: str | None
    cut: bool

    @property
    def shown(self) -> int:
        """The number of lines given."""
        return self.end_line - self.start_line + 1


class ReadsNotes(Asks):
    """Reading the notes of one vault, in one scope."""

    @abstractmethod
    def note_text(self, path: str) -> str:
        """Give the text of a file that the index has as a note."""

    def read_note(self, address: str, *, offset: int = 0, limit: int = LINES, characters: int = CHARACTERS) -> NoteText:
        """Give a note, or what of it an address names: ``path``, ``path#heading``, ``path:line`` or ``path:start-end``.

        Of these lines ``offset`` are left out, and then ``limit`` given at most, with ``characters`` as JSON. A line
        stands for the passage it is in. Raises Refused for what is no note of the scope, or not in it.
        """
        window = _Window(
            whole_number("offset", offset, 0),
            whole_number("limit", limit, 1),
            whole_number("characters", characters, 1),
        )
        with self.asking() as session:
            place = place_of(session.rows, address, self.scope)
        text = self.note_text(place.path)
        return _read(place, text, window)


class _Window(NamedTuple):
    offset: int
    limit: int
    characters: int


# ------------------------------------------------------------------------------------------------ what it holds


def lines_named(place: Place, text: str) -> tuple[int, int]:
    """Give the first and the last line of a note that an address names."""
    return _stretch(place, text, _lines(text))


def _read(place: Place, text: str, window: _Window) -> NoteText:
    lines = _lines(text)
    start, end = _stretch(place, text, lines)
    of = end - start + 1
    if window.offset and window.offset >= of:
        raise Refused(f"offset: {window.offset:,} leaves nothing of {of:,} lines.", "give less, or leave it out")
    first = start + window.offset
    wanted = lines[first - 1 : min(end, first + window.limit - 1)]
    kept, cut = _fitting(wanted, window.characters)
    last = first + len(kept) - 1
    rest = f"{place.path}:{last + 1}-{end}" if last < end else None
    return NoteText(place.path, place.title, place.anchor, first, last, "\n".join(kept), of, len(lines), rest, cut)


def _lines(text: str) -> list[str]:
    """Give the lines of a text as they are counted everywhere: ended by LF, CRLF or CR."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def _fitting(lines: Sequence[str], characters: int) -> tuple[list[str], bool]:
    """Give the first lines that fit; of a first one that does not, as much of it as does, and that it was cut."""
    sizes = list(accumulate(_size(line) + 2 for line in lines))
    count = next((at for at, size in enumerate(sizes) if size > characters), len(lines))
    if count or not lines:
        return list(lines[:count]), False
    line = lines[0][:characters]
    while _size(line) > characters:
        line = line[: min(len(line) - 1, len(line) * characters // _size(line))]
    return [line], True


def _size(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False)) - 2


def _stretch(place: Place, text: str, lines: Sequence[str]) -> tuple[int, int]:
    """Give the first and the last line that are asked for."""
    if place.anchor:
        start, end = _section(place, text, len(lines))
        if place.start is None or not start <= place.start <= end:
            return start, end
    if place.start is None:
        return 1, len(lines)
    last = place.start if place.end is None else place.end
    if not 1 <= place.start <= min(last, len(lines)):
        what = f"{place.start}" if place.end is None else f"{place.start}-{place.end}"
        told = f"{excerpt(place.path)} has no lines {what}: it has {len(lines):,}."
        raise Refused(told, "leave the lines out to read all")
    return _passage(place.start, text, len(lines)) if place.end is None else (place.start, min(last, len(lines)))


def _section(place: Place, text: str, last: int) -> tuple[int, int]:
    """Give the lines from a heading to the next of its level; of several that read alike, the one at the line given."""
    from loreweave.notes.read import read_note

    headings = read_note(place.path, text).headings
    meant = [at for at, heading in enumerate(headings) if heading.text == place.anchor]
    meant = meant or [
        at for at, heading in enumerate(headings) if heading_key(heading.text) == heading_key(place.anchor)
    ]
    if not meant:
        has = ", ".join(map(excerpt, _nearest(headings, place.anchor))) or "none"
        raise Refused(f"{excerpt(place.path)} has no heading {excerpt(place.anchor)}.", f"it has {has}")
    sections = [(headings[at].line, _end(headings, at, last)) for at in meant]
    return next((each for each in sections if each[0] <= (place.start or 0) <= each[1]), sections[0])


def _nearest(headings: Sequence[Heading], anchor: str) -> list[str]:
    """Give the first headings, or of very many those most like another."""
    from difflib import SequenceMatcher

    def unlike(text: str) -> float:
        return -SequenceMatcher(None, heading_key(anchor), heading_key(text)).ratio()

    texts = [heading.text for heading in headings]
    return texts if len(texts) <= HEADINGS else sorted(texts, key=unlike)[:HEADINGS]


def _end(headings: Sequence[Heading], at: int, last: int) -> int:
    level = headings[at].level
    return next((each.line - 1 for each in headings[at + 1 :] if each.level <= level), last)


def _passage(line: int, text: str, last: int) -> tuple[int, int]:
    """Give the lines of the passage that has a line, or of what stands between two passages, as frontmatter does."""
    from loreweave.notes.read import read_note

    before = 0
    for span in read_note("", text).spans:
        if line <= span.end_line:
            return (
                (span.start_line, min(span.end_line, last))
                if span.start_line <= line
                else (before + 1, span.start_line - 1)
            )
        before = span.end_line
    return before + 1, last
