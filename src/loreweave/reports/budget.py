"""What fits into a pack: JSON on one line of a bounded length, each part up to its share, then what room is left for.

What did not fit is named under ``left_out``, with how many there are and how to get them. In a room too small for that
a pack says only that everything was left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypedDict, cast

LEAST = 100
"""The fewest characters that a pack may be given: what it takes to say that everything was left out."""

_SHARES = {"beliefs": 0.4, "passages": 0.35, "changes": 0.15, "used": 0.1}
"""The parts in the order in which a pack has them, and of the room each its share."""

_THEN = ("passages", "changes", "used", "beliefs")
"""The order in which the parts take what room is left."""

REST = {
    "beliefs": "lore_query_facts",
    "passages": "lore_search; lore_read_note gives a passage whole",
    "changes": "lore_resume with since, or lore_timeline of a subject",
    "used": "lore_query_sql: from uses",
    "everything": "ask with a larger budget",
}
"""How to get what a part leaves out."""


class LeftOut(TypedDict):
    """How many of a part are shown, of how many, and how to get the rest."""

    shown: int
    of: int
    rest: str


class Pack(TypedDict, total=False):
    """A pack as JSON: the present instant, the scope, how many of each thing there are, and the parts.

    ``beliefs`` are current ones, those of the topic first; ``passages`` are of the topic; ``changes`` of belief and
    the notes ``used`` are the latest. ``left_out`` is always there, and names each part that is not whole; where the
    room is too small for the others it alone is. ``degraded`` tells why a search went without what was to help it.
    """

    now: str
    scope: str
    quoted: str
    totals: dict[str, int]
    beliefs: list[dict[str, Any]]
    passages: list[dict[str, Any]]
    changes: list[dict[str, Any]]
    used: list[dict[str, Any]]
    degraded: list[str]
    left_out: dict[str, LeftOut]


class Part(NamedTuple):
    """The first items of a part, as JSON, and how many there are."""

    items: Sequence[dict[str, Any]]
    of: int


def fitted(head: Mapping[str, Any], parts: Mapping[str, Part], budget: int) -> Pack:
    """Fill a pack with what fits into so many characters, and name what does not."""
    everything = {name: part.items for name, part in parts.items()}
    whole = _pack(head, parts, everything)
    if len(served(whole)) <= budget:
        return whole
    nothing: dict[str, Sequence[dict[str, Any]]] = dict.fromkeys(parts, ())
    for frame in (head, {"totals": head["totals"]}):
        room = budget - len(served(_pack(frame, parts, nothing, at_most=True)))
        if room >= 0:
            return _pack(frame, parts, _filled(parts, room))
    of = sum(part.of for part in parts.values())
    return {"left_out": {"everything": {"shown": 0, "of": of, "rest": REST["everything"]}}}


def _pack(
    head: Mapping[str, Any],
    parts: Mapping[str, Part],
    shown: Mapping[str, Sequence[dict[str, Any]]],
    *,
    at_most: bool = False,
) -> Pack:
    """Put a pack together; ``at_most`` makes what is said of the parts left out as long as it can become."""
    left_out = {
        name: {"shown": part.of if at_most else len(shown[name]), "of": part.of, "rest": REST[name]}
        for name, part in parts.items()
        if len(shown[name]) < part.of
    }
    return cast("Pack", {**head, **{name: list(items) for name, items in shown.items()}, "left_out": left_out})


def _filled(parts: Mapping[str, Part], room: int) -> dict[str, list[dict[str, Any]]]:
    """Choose what is shown: of each part what fits into its share, then of all what fits into the room left."""
    sizes = {name: [len(served(item)) for item in part.items] for name, part in parts.items()}
    chosen: dict[str, set[int]] = {name: set() for name in parts}
    left = room
    for name, bound in (
        *((name, int(room * share)) for name, share in _SHARES.items()),
        *((name, room) for name in _THEN),
    ):
        within = min(left, bound)
        for at, size in enumerate(sizes[name]):
            comma = bool(chosen[name])
            if at not in chosen[name] and size + comma <= within:
                chosen[name].add(at)
                within -= size + comma
                left -= size + comma
    return {name: [part.items[at] for at in sorted(chosen[name])] for name, part in parts.items()}


def served(answer: object) -> str:
    """Write an answer as it is served and measured: JSON on one line."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
