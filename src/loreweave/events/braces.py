"""Braces in a field that read like the beginning of an attribute block: what to escape, and what to warn of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from loreweave.events.grammar import ATTRIBUTES, terminal

_special = re.compile(r'["\\{}]')


class Brace(NamedTuple):
    """Where a ``{`` stands, and whether a name that a block knows follows it."""

    at: int
    is_known: bool


def attribute_braces(field: str) -> Iterator[Brace]:
    r"""Yield each unescaped ``{`` that reads like the beginning of an attribute block.

    It does where a known name follows, or where a name does and all from there to the very end of the field could be
    a block: no brace outside quotes but the last ``}``.
    """
    if "{" not in field:
        return
    places = [found.start() for found in _special.finditer(field)]
    ends = _ends(field, places)
    known, named = _beginnings()
    escaped = -1
    for number, at in enumerate(places):
        if at == escaped:
            continue
        if field[at] == "\\":
            escaped = at + 1
        elif field[at] == "{":
            if known.match(field, at):
                yield Brace(at, is_known=True)
            elif ends[number + 1] and named.match(field, at):
                yield Brace(at, is_known=False)


@cache
def _beginnings() -> tuple[re.Pattern[str], re.Pattern[str]]:
    known = rf"\{{[ \t]*+(?:{'|'.join(ATTRIBUTES)})[ \t]*+[=:]"
    named = rf"\{{[ \t]*+(?:{terminal('NAME')}{terminal('IS')}|many[ \t]*+[,}}])"
    return re.compile(known), re.compile(named)


def _ends(field: str, places: list[int]) -> list[bool]:
    r"""Say for each quote, backslash and brace whether the text from there on, outside quotes, ends as a block does.

    Told from the end backwards, so that each place is looked at once. Inside quotes, ``\`` takes the next sign with it.
    """
    last = len(field.rstrip(" \t")) - 1
    outside = [False] * (len(places) + 2)
    inside = [False] * (len(places) + 2)
    for number in range(len(places) - 1, -1, -1):
        at = places[number]
        sign = field[at]
        outside[number], inside[number] = outside[number + 1], inside[number + 1]
        if sign == '"':
            outside[number], inside[number] = inside[number + 1], outside[number + 1]
        elif sign == "\\":
            takes_next = number + 1 < len(places) and places[number + 1] == at + 1
            inside[number] = inside[number + 1 + takes_next]
        else:
            outside[number] = sign == "}" and at == last
    return outside
