"""Answers are made to fit the room there is: lists lose their last items, then texts their ends, and both are told.

Every list that may be cut stands in an object that says ``shown`` and ``of``: what is left out is counted there, and
``more`` says how to get it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from loreweave.errors import BadRequest

LEAST, MOST = 4_000, 40_000
"""Characters that a result may have: the smallest limit that can be set, and the one where nothing is said."""

More = Callable[[int, int | None], str]
"""Says how to get what a list leaves out, given how many of its items are shown and of how many; empty for nothing.

None is more than were counted.
"""

FRAME = 400
"""Characters of a result around the answer."""

_TEXTS = (6_000, 2_000, 600, 200, 60)
"""Where texts are cut, in turn, once no list can be."""


def written(answer: Any) -> str:
    """Write an answer as the text that stands beside it."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def fitted(answer: dict[str, Any], room: int, more: More, *, keeps_last: bool = False) -> tuple[dict[str, Any], str]:
    """Give an answer and its text so that a result with both stays within ``room`` characters.

    ``keeps_last`` leaves out the first items of a list. Raises BadRequest where even the shortest is too long.
    """
    for holder, name in _places(answer):
        if "more" not in holder:
            _tell(holder, name, more)
    for longest, least in ((None, 1), *((longest, 1) for longest in _TEXTS), (_TEXTS[-1], 0)):
        made = answer if longest is None else _shortened(answer, longest)
        made, text = _listed(made, room, partial(_cut, more=more, keeps_last=keeps_last), least)
        if _weight(text) <= room:
            return made, text
    raise BadRequest(
        f"The answer does not fit into {room:,} characters.", "start the server with more, or ask for less"
    )


def _listed(answer: dict[str, Any], room: int, cut: Callable[..., None], least: int) -> tuple[dict[str, Any], str]:
    """Cut the largest list, again and again, until the answer fits or each list has no more than ``least`` items."""
    text = written(answer)
    if _weight(text) <= room:
        return answer, text
    made = json.loads(text)
    while _weight(text) > room:
        places = [(holder, name) for holder, name in _places(made) if len(holder[name]) > least]
        if not places:
            break
        holder, name = max(places, key=lambda place: len(written(place[0][place[1]])))
        cut(holder, name, max(least, int(len(holder[name]) * (room / _weight(text) + 0.02))))
        text = written(made)
    return made, text


def _cut(holder: dict[str, Any], name: str, wanted: int, *, more: More, keeps_last: bool) -> None:
    """Leave of a list what is wanted, at least one item less than there were, and say so."""
    kept = min(wanted, len(holder[name]) - 1)
    holder[name] = holder[name][-kept:] if keeps_last and kept else holder[name][:kept]
    holder["shown"] = kept
    _tell(holder, name, more)


def _tell(holder: dict[str, Any], name: str, more: More) -> None:
    """Say how to get what a list leaves out, where it leaves something out."""
    told = more(len(holder[name]), holder["of"])
    if told:
        holder["more"] = told


def _places(value: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Give the lists that may be cut: in an object that says ``shown``, the first one of so many items."""
    if isinstance(value, dict):
        if "shown" in value and "of" in value:
            lists = (name for name, each in value.items() if isinstance(each, list) and len(each) == value["shown"])
            yield from ((value, name) for name in list(lists)[:1])
        for each in value.values():
            yield from _places(each)
    elif isinstance(value, list):
        for each in value:
            yield from _places(each)


def _shortened(value: Any, longest: int) -> Any:
    """Give the same with every longer text cut, which its end tells."""
    if isinstance(value, str) and len(value) > longest:
        return f"{value[:longest]}… [{len(value) - longest:,} more characters]"
    if isinstance(value, dict):
        return {name: _shortened(each, longest) for name, each in value.items()}
    return [_shortened(each, longest) for each in value] if isinstance(value, list) else value


def fits(answer: dict[str, Any], room: int) -> bool:
    """Tell whether a result with an answer stays within ``room`` characters as it is."""
    return _weight(written(answer)) <= room


def shares(room: int) -> tuple[int, ...]:
    """Give how long an answer may be as JSON: as most are written, then whatever stands in it."""
    return int((room - FRAME) / 2.15), (room - FRAME) // 4


def _weight(text: str) -> int:
    """Count the characters of a result: its structured answer, and the same again as a text in it."""
    return len(text) + len(json.dumps(text, ensure_ascii=False)) + FRAME
