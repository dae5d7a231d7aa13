"""The one passage that an address names, in any of the forms in which addresses are shown.

A heading or lines that are the passage's own name it, and so does a line in it; where an address may mean several
passages, or none, it is refused with those that may be meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from loreweave.errors import Refused
from loreweave.events.slots import key
from loreweave.notes.visible import excerpt
from loreweave.projections.names import heading_key
from loreweave.reports.addresses import Place, Rows, place_of
from loreweave.search.found import address as written
from loreweave.search.passages import Passage

NEAREST = 3
"""How many passages are named where an address means none, or several."""

LONG = 120
"""How many characters of an address are quoted."""

_OF_NOTE = """
    select span_id, path, anchor, start_line, end_line, text, hash, null, null
    from spans where scope_key = ? and path = ? order by start_line, span_id
"""


def passage_at(rows: Rows, address: str, scope: str) -> Passage:
    """Find the passage that an address names: ``path#heading``, ``path:line``, ``path:start-end`` or both.

    Raises BadRequest for what is no address, Refused for what is no passage of the scope, or not one alone.
    """
    place = place_of(rows, address, scope)
    passages = [Passage(*row) for row in rows(_OF_NOTE, [key(scope), place.path])]
    meant = _meant(passages, place)
    if len({address_of(each) for each in meant}) == 1:
        return meant[0]  # parts of one very long line have one address
    if meant:
        told = f"{excerpt(address)} may mean any of {len(meant):,} passages."
        raise Refused(told, f"name one of them: {_shown(meant)}")
    near = _shown(_nearest(passages, place))
    raise Refused(f"No passage stands at {excerpt(address)}.", f"nearest: {near}" if near else "")


def address_of(passage: Passage) -> str:
    """Write the address of a passage."""
    return written(passage.path, passage.anchor, passage.start_line, passage.end_line)


def _meant(passages: Sequence[Passage], place: Place) -> Sequence[Passage]:
    """Give the passages that may be meant: below the heading, at the lines where these tell more."""
    if not place.anchor:
        return passages if place.start is None else _at_lines(passages, place)
    below = _below(passages, place.anchor)
    if below and place.start is not None:
        return _at_lines(below, place) or below
    if place.start is None:
        return below
    lines = f"{place.start}" if place.end is None else f"{place.start}-{place.end}"
    return _below(passages, f"{place.anchor}:{lines}")


def _below(passages: Sequence[Passage], anchor: str) -> Sequence[Passage]:
    """Give those below a heading, as written, or else under any spelling that a link may use."""
    exactly = [each for each in passages if each.anchor == anchor]
    return exactly or [each for each in passages if heading_key(each.anchor) == heading_key(anchor)]


def _at_lines(passages: Sequence[Passage], place: Place) -> Sequence[Passage]:
    """Give the one that has just these lines, or else those that have some of them."""
    start = place.start or 0
    end = start if place.end is None else place.end
    exactly = [each for each in passages if (each.start_line, each.end_line) == (start, end)]
    return exactly or [each for each in passages if each.start_line <= end and start <= each.end_line]


def _nearest(passages: Sequence[Passage], place: Place) -> Sequence[Passage]:
    """Give the passages of a note, those with a heading most like the one asked for first, then the nearest lines."""
    from difflib import SequenceMatcher

    sought = heading_key(place.anchor)

    def likeness(passage: Passage) -> tuple[float, int, int]:
        alike = SequenceMatcher(None, sought, heading_key(passage.anchor)).ratio() if sought else 0.0
        distance = 0 if place.start is None else abs(passage.start_line - place.start)
        return -alike, distance, passage.start_line

    return sorted(passages, key=likeness)


def _shown(passages: Sequence[Passage]) -> str:
    shown = ", ".join(map(_named, passages[:NEAREST]))
    more = len(passages) - NEAREST
    return f"{shown} and {more:,} more" if more > 0 else shown


def _named(passage: Passage) -> str:
    """Quote an address; of one that is long, its lines say which passage it is."""
    whole = address_of(passage)
    return excerpt(whole if len(whole) <= LONG else f"{passage.path}:{passage.start_line}-{passage.end_line}", LONG)
