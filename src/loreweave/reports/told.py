"""What was found while dreaming, each as one sentence, on a screen and in Markdown, and the mark by which it is known.

A mark hangs on what was found and on nothing that shifts from day to day, such as a line or a number of words. What is
found again after somebody used the passage, or said the belief once more, is another thing and has another mark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import singledispatch
from hashlib import sha256
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.brief import clipped
from loreweave.reports.disagreements import Contradiction, Side
from loreweave.reports.duplicates import Duplicate
from loreweave.reports.lately import Changed
from loreweave.reports.orphans import Orphan
from loreweave.reports.review import Fading, Standing
from loreweave.reports.undecided import Undecided
from loreweave.reports.unlinked import Unlinked
from loreweave.search.found import address
from loreweave.times import from_datetime, show_instant

if TYPE_CHECKING:
    from loreweave.reports.dream import Dream, Found

HEADINGS = {
    "contradictions": "contradictions",
    "changes": "changes of the last 14 days",
    "proposals": "pending proposals",
    "fading": "fading",
    "open": "long open",
    "duplicates": "duplicates",
    "missing_links": "missing links",
    "orphans": "orphans",
}
"""The lists of a report in the order in which they are shown, and what each is called."""

CLIPPED = 48
"""Characters that are told of a text at most."""

KINDS = {
    "interval-overridden": "one was stated for a time that the other covers",
    "noted-against-asserted": "a note says otherwise than was stated",
    "noted-against-noted": "notes say so under one name",
    "inferred-over-stated": "an inference is believed over a statement",
    "notes-disagree": "notes say so of one thing",
}
"""What each kind of contradiction is."""


@attrs.frozen
class Style:
    """How a part of a fact, another text of notes, the address of a passage, and a passage in brief are written."""

    part: Callable[[str], str]
    text: Callable[[str], str]
    place: Callable[[str], str]
    brief: Callable[[str], str]


def lists(report: Dream) -> Iterable[tuple[str, Found[object]]]:
    """Give the lists of a report in the order in which they are shown."""
    return ((name, getattr(report, name)) for name in HEADINGS)


def marks(name: str, items: Iterable[object]) -> Iterator[str]:
    """Give the mark of each item of a list, no two alike: the same as long as the same is found."""
    seen: Counter[tuple[str, ...]] = Counter()
    for item in items:
        known = _identity(item)
        parts = (name, *known, *([str(seen[known])] if seen[known] else []))
        seen[known] += 1
        yield sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:10]


@singledispatch
def told(item: object, style: Style) -> str:
    """Tell what was found in one line."""
    raise TypeError(f"{type(item).__name__} is nothing that is found in {style}")


@told.register
def _(item: Duplicate, style: Style) -> str:
    places = [style.brief(place) if item.passages == 1 else style.place(note_of(place)) for place in item.places]
    others = _listed(["some of them", *map(style.place, item.beside)], 1 + len(item.beside))
    more = f", and {others} {item.others:,} passage{'' if item.others == 1 else 's'} more" if item.others else ""
    return f"{_listed(places, item.notes)} have {_shared(item)} {style.text(clipped(item.text, CLIPPED))}{more}"


@told.register
def _(item: Contradiction, style: Style) -> str:
    slot = f"{style.part(item.subject)} :: {style.part(item.predicate)}"
    others = _listed([_side(side, style) for side in item.others], item.of)
    return f"{slot}: {_side(item.one, style)} against {others}: {KINDS[item.kind]}"


@told.register
def _(item: Changed, style: Style) -> str:
    values = f"{style.text(clipped(item.previous, CLIPPED))} → {style.text(clipped(item.object, CLIPPED))}"
    learned = f"from {_day(item.valid_from)}, recorded {_day(item.recorded_at)}"
    slot = f"{style.part(item.subject)} :: {style.part(item.predicate)}"
    return f"{slot}: {values} ({learned}{', a correction' if item.corrected else ''})"


@told.register
def _(item: Fading, style: Style) -> str:
    place = style.place(address(item.path, item.anchor, item.start_line, item.end_line))
    return f"{place} is {item.retrievability:.0%} remembered, last used {_day(item.last_used)}"


@told.register
def _(item: Standing, style: Style) -> str:
    fact = " :: ".join(map(style.part, (item.subject, item.predicate, item.object)))
    return f"{fact} since {_day(item.valid_from)}, last said {_day(item.recorded_at)}: still true?"


@told.register
def _(item: Unlinked, style: Style) -> str:
    things = _listed([*map(style.text, item.things)], item.of)
    both = f"both {'link to' if item.linked else 'speak of'} {things}" if item.things else ""
    named = "one names the other without a link" if item.named else ""
    return f"{style.place(item.one)} and {style.place(item.other)} {', and '.join(filter(None, (both, named)))}"


@told.register
def _(item: Orphan, style: Style) -> str:
    if item.of > 1:
        return f"{style.part(item.path)} ({item.alone:,} of {item.of:,} notes stand alone, day notes aside)"
    words = f"{item.words:,} word{'' if item.words == 1 else 's'}"
    broken = f", {item.broken:,} link{'' if item.broken == 1 else 's'} to what is not there" if item.broken else ""
    return f"{style.place(item.path)} ({words}{broken})"


@told.register
def _(item: Undecided, style: Style) -> str:
    verb = {"invalidate": "end ", "retract": "unsay "}.get(item.kind, "")
    fact = " :: ".join(style.part(part) for part in (item.subject, item.predicate, item.object) if part is not None)
    who = f" by {style.part(item.recorded_by)}" if item.recorded_by else ""
    return f"{verb}{fact}, proposed{who} on {_day(item.recorded_at)} ({item.proposal_id[:8]})"


def _shared(item: Duplicate) -> str:
    """Tell how many words and passages they have in common, and whether in the same words."""
    near, words = item.passages - item.exact, f"{item.words:,} words"
    likeness = f"({'at least ' if max(near, item.notes - 1) > 1 else ''}{item.likeness:.0%} of the wording is the same)"
    if item.passages == 1:
        return f"nearly the same {words} {likeness}" if near else f"the same {words}"
    if near and item.exact:
        return f"{item.passages} passages in common, {item.exact} the same and {near} nearly {likeness}, {words}"
    return (
        f"nearly the same {near} passages {likeness}, {words}" if near else f"the same {item.exact} passages, {words}"
    )


def _side(side: Side, style: Style) -> str:
    place = style.place(f"{side.path}:{side.line}" if side.line else side.path)
    begins = "undated" if side.valid_from is None else f"from {_day(side.valid_from)}"
    recorded = "not recorded yet" if side.recorded_at is None else f"recorded {_day(side.recorded_at)}"
    return f"{style.text(clipped(side.object, CLIPPED))} ({begins}, {recorded}, {place})"


def note_of(place: str) -> str:
    """Give the note of the address of a passage."""
    return place.rpartition(":")[0].partition("#")[0]


def _listed(shown: Sequence[str], of: int) -> str:
    """List texts, and how many more there are."""
    return (
        f"{', '.join(shown)} and {of - len(shown):,} more"
        if of > len(shown)
        else " and ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
    )


def _day(moment: datetime) -> str:
    return show_instant(from_datetime(moment))[:10]


@singledispatch
def _identity(item: object) -> tuple[str, ...]:
    """Give what tells an item from every other of its list."""
    raise TypeError(f"{type(item).__name__} is nothing that is found")


@_identity.register
def _(item: Duplicate) -> tuple[str, ...]:
    return tuple(map(note_of, item.places))


@_identity.register
def _(item: Contradiction) -> tuple[str, ...]:
    one = item.one
    times = (one.valid_from, one.recorded_at)
    return (item.kind, item.subject, item.predicate, one.object, one.path, *map(str, times))


@_identity.register
def _(item: Changed) -> tuple[str, ...]:
    return (item.subject, item.predicate, item.previous, item.object, item.valid_from.isoformat())


@_identity.register
def _(item: Fading) -> tuple[str, ...]:
    return (item.path, item.anchor, item.begins, item.last_used.isoformat())


@_identity.register
def _(item: Standing) -> tuple[str, ...]:
    return (item.subject, item.predicate, item.object, item.recorded_at.isoformat())


@_identity.register
def _(item: Unlinked) -> tuple[str, ...]:
    return (item.one, item.other)


@_identity.register
def _(item: Orphan) -> tuple[str, ...]:
    return (item.path,)


@_identity.register
def _(item: Undecided) -> tuple[str, ...]:
    return (item.proposal_id,)
