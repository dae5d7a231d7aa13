"""What stands where: the note asked for by its name first, then what words found, with what links reach between.

A note that the question names does not crowd out those that speak of it: a further passage of it gives way to one of
another note, not far behind it, whose text has all the words that it has. Where the question is nothing but a name,
that goes for every note. What links alone reach comes after the first of what words found, some in every answer, never
before them. The two are not scored against each other: a note that links reach need share no word with the question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from loreweave.search.constants import FIRST, REACHED, SPREAD
from loreweave.search.passages import Passage
from loreweave.search.ranking import Words

if TYPE_CHECKING:
    from loreweave.search.direct import Direct

Group = Sequence[Passage]
"""A passage with its copies."""

One = TypeVar("One")

Titled = Sequence[Mapping[str, str]]
"""For each wording that is nothing but a name, the paths of the notes that have it, and the name as they do."""

_NONE = Words()
_FENCE = re.compile(r"[ \t>]*+(?:```|~~~)")
_NOTHING = re.compile(r"!?\[\[[^\[\]]*+\]\]|!?\[[^\[\]]*+\]\([^()]*+\)|<[^<>]*+>|https?://\S++")
_WORD = re.compile(r"[^\W_]")


def arranged(direct: Direct, named: Collection[str], titled: Titled) -> list[Group]:
    """Give what words found in the order in which it is shown; ``named`` are the paths of notes the question names."""
    if not named:
        return list(direct.groups)
    order = sorted(chain(*direct.groups), key=lambda each: (-direct.scores[each.span_id], *each.standing))
    near = {passage.span_id for passage in order[:SPREAD]}
    first = [group for group in direct.groups if group[0].span_id in near]
    crowding = {group[0].path for group in first} if titled else named
    spread = [*_spread(first, direct.words, crowding), *direct.groups[len(first) :]]
    asked = _first(spread, titled)
    rest = [group for at, group in enumerate(spread) if at not in asked]
    return [sorted(spread[at], key=lambda each: not name_of(each, titled)) for at in asked] + rest


def with_named(direct: Sequence[Group], linked: Sequence[Group], titled: Titled) -> list[Group]:
    """Put with the first of what words found the notes called as a wording is that links alone reach."""
    asked = len(_first(direct, titled))
    by_name = _first(linked, lacking(direct, titled))
    return [*direct[:asked], *(linked[at] for at in by_name), *direct[asked:]]


def lacking(groups: Sequence[Group], titled: Titled) -> Titled:
    """Give those wordings that are names of which no passage is among these."""
    return [names for names in titled if not _first(groups, [names])]


def placed(direct: Sequence[One], linked: Sequence[One]) -> list[One]:
    """Give both kinds in one list, by turns ``FIRST`` of what words found and ``REACHED`` of what links reach."""
    found = list[One]()
    for turn in range(max(len(direct), len(linked))):
        found += direct[turn * FIRST : (turn + 1) * FIRST]
        found += linked[turn * REACHED : (turn + 1) * REACHED]
    return found


def name_of(passage: Passage, titled: Titled) -> str | None:
    """Give the name of the note of a passage, where it was asked for by that."""
    return next((names[passage.path] for names in titled if passage.path in names), None)


def _first(groups: Sequence[Group], titled: Titled) -> list[int]:
    """Give the places of the first group of each wording that is a name, in their order."""
    found = {
        next((at for at, group in enumerate(groups) if any(each.path in names for each in group)), None)
        for names in titled
    }
    return sorted(at for at in found if at is not None)


def _spread(groups: Sequence[Group], words: Mapping[int, Words], crowding: Collection[str]) -> Iterator[Group]:
    rest, shown = list(groups), set[str]()
    while rest:
        one = rest[0]
        if one[0].path in shown and one[0].path in crowding:
            having = words.get(one[0].span_id, _NONE).anywhere
            said = (other for other in rest if not having & ~words.get(other[0].span_id, _NONE).in_text)
            one = next((other for other in said if having and other[0].path not in shown), one)
        rest.remove(one)
        shown.add(one[0].path)
        yield one


def tells(text: str) -> bool:
    """Say whether a passage says anything but its heading: more than pictures, links and code."""
    within = ""
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if fence and not within:
            within = fence[0].strip()
        elif within:
            within = "" if fence and line.strip().startswith(within) else within
        elif not line.startswith("#") and _WORD.search(_NOTHING.sub(" ", line)):
            return True
    return False
