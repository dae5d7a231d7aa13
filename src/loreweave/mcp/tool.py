"""A tool: its name, what it takes and gives, what it may do, and the one method of the library it asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.mcp.arguments import WHOLE, Argument, schema
from loreweave.reports.codec import plain

if TYPE_CHECKING:
    from loreweave.library import Lore

Run = Callable[["Lore", dict[str, Any]], dict[str, Any]]
"""Answers a call: the vault opened for the client, and the arguments that were read."""

Schema = dict[str, Any]

WORD: Schema = {"type": "string"}
WORD_OR_NOT: Schema = {"type": ["string", "null"]}
COUNT: Schema = {"type": "integer"}
COUNT_OR_NOT: Schema = {"type": ["integer", "null"]}  # null where there may be more than were counted
SAYS: Schema = {"type": "boolean"}
THINGS: Schema = {"type": "array", "items": {"type": "object"}}
ROWS: Schema = {"type": "array", "items": {"type": "array"}}
THING: Schema = {"type": "object"}

FACT_FIELDS = (
    "subject predicate object valid_from valid_until known_from known_until source by origin".split()
)  # what no fact is shown without
FACTS: Schema = {"type": "array", "items": {"type": "object", "required": FACT_FIELDS}}

LIMIT = "How many at most."
OFFSET = Argument("offset", WHOLE, "How many to pass over.", least=0)


def gives(properties: Mapping[str, Schema], *, optional: str = "") -> Schema:
    """Give the JSON Schema of an answer, of which all but the ``optional`` properties are always there.

    That it quotes is said in every answer.
    """
    properties = {"quoted": WORD, **properties}
    required = [name for name in properties if name not in optional.split()]
    return {"type": "object", "properties": properties, "required": required}


def listed(noun: str, items: Schema, **besides: Schema) -> Schema:
    """Give the JSON Schema of an answer that is a list, and says how much of it is shown."""
    parts = {noun: items, "shown": COUNT, "of": COUNT, "more": WORD}
    return gives(parts | besides, optional="more")


@attrs.frozen(kw_only=True)
class Tool:
    """A tool as clients see it, and as it is run.

    ``told`` says when to use it. ``more`` says how to get what an answer leaves out, where it takes no ``offset``; one
    that ``keeps_last`` leaves out the first items. ``bound`` names the argument, of the method asked, that bounds how
    long its answer is: all the room there is where neither it is given nor ``usual`` is said. ``is_slow`` tools are run
    apart, so that others need not wait for them.
    """

    name: str
    title: str
    told: str
    run: Run
    arguments: tuple[Argument, ...]
    answer: Schema
    writes: bool = False
    destroys: bool = False
    is_idempotent: bool = True
    is_slow: bool = False
    keeps_last: bool = False
    bound: str = ""
    usual: int | None = None
    more: str = "ask for less at a time"

    @property
    def takes(self) -> Schema:
        """The JSON Schema of its arguments."""
        return schema(self.arguments)

    @property
    def hints(self) -> dict[str, bool]:
        """Give what clients are told of its effects."""
        return {
            "readOnlyHint": not self.writes,
            "destructiveHint": self.destroys,
            "idempotentHint": self.is_idempotent,
            "openWorldHint": False,
        }

    def told_more(self, given: Mapping[str, Any], shown: int, of: int | None) -> str:
        """Say how much a list in the answer to these arguments leaves out, and how to get it; empty for nothing."""
        reached = given.get(OFFSET.name, 0) + shown
        how = f"call again with offset {reached}" if OFFSET in self.arguments else self.more
        if of is None:
            return f"more than were counted: {how}"
        return f"{of - reached:,} more: {how}" if reached < of else ""


def shown(value: Any) -> Any:
    """Give an answer of the library as JSON, each line with ``by`` and ``origin``, each fact with both intervals."""
    return _told(plain(value))


def _told(value: Any) -> Any:
    if isinstance(value, list):
        return [_told(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {name: _told(each) for name, each in value.items()}
    if "recorded_by" in made:
        made["by"] = made.pop("recorded_by")
    if "path" in made and "line" in made:
        made["origin"] = f"{made.pop('path')}:{made.pop('line')}"
    return _as_fact(made) if "known_from" in made else made


def _as_fact(made: dict[str, Any]) -> dict[str, Any]:
    """Give a belief with both intervals, without what says nothing more to an agent."""
    left = {name: value for name, value in made.items() if name not in ("scope", "event_id", "known_until")}
    if not left.get("many"):
        left.pop("many", None)
    return {**left, "known_until": made.get("known_until")}


def paged(lore_answer: Mapping[str, Any], noun: str, offset: int) -> dict[str, Any]:
    """Leave out the first items of a list that was answered whole, and say how many are left."""
    items = lore_answer[noun][offset:]
    return {**lore_answer, noun: items, "shown": len(items)}
