"""Tools that tell what is believed: when, since when it was known, on whose word, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from loreweave.mcp.arguments import FLAG, TEXT, WHOLE, Argument
from loreweave.mcp.tool import (
    COUNT,
    FACTS,
    LIMIT,
    OFFSET,
    THINGS,
    WORD,
    WORD_OR_NOT,
    Tool,
    gives,
    listed,
    paged,
    shown,
)
from loreweave.mcp.wording import for_agents
from loreweave.reports.answer import GROUPS, STEPS
from loreweave.reports.count import GROUPINGS

if TYPE_CHECKING:
    from loreweave.library import Lore

_PAGE = 50
"""How many facts one answer holds where nothing is said."""

_KNOWN = Argument("as_known_at", TEXT, "Answer with what was known then; else as best known.")
_AS_OF = Argument("as_of", TEXT, "The instant asked about, such as 2024-06-01; else now.")
_SUBJECT = Argument("subject", TEXT, "Whom or what it is about.")
_PREDICATE = Argument("predicate")


def _facts(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    offset, limit = given.pop("offset", 0), given.pop("limit", _PAGE)
    found = paged(shown(lore.facts(**given, limit=offset + limit)), "facts", offset)
    if not found["of"]:
        told = lore.advice(**given)
        found["advice"] = for_agents(told) or "Nothing is believed; that is no proof of the contrary."
    return found


def _why(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.why(given.pop("subject"), given.pop("predicate"), **given))}


def _counted(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    offset, limit = given.pop("offset", 0), given.pop("limit", GROUPS)
    return paged(shown(lore.count(**given, limit=offset + limit)), "groups", offset)


QUERY_FACTS = Tool(
    name="lore_query_facts",
    title="Query facts",
    told=(
        "What is believed, now or at any time (as_of), as known now or at any earlier time (as_known_at). Use it to"
        " check what holds before you rely on it. Each fact has source, by, both intervals and origin:"
        " inferred ones are deductions, not statements."
    ),
    run=_facts,
    arguments=(
        _SUBJECT,
        _PREDICATE,
        Argument("object"),
        Argument("source", TEXT, choices=("stated", "inferred", "extracted")),
        _AS_OF,
        _KNOWN,
        Argument("history", FLAG, "All valid time; not with as_of."),
        Argument("limit", WHOLE, LIMIT, least=1),
        OFFSET,
    ),
    answer=listed("facts", FACTS, as_of=WORD_OR_NOT, as_known_at=WORD_OR_NOT),
)

WHY = Tool(
    name="lore_why",
    title="Explain a belief",
    told=(
        "The chain behind one value: each line recorded of it, what that changed, and the answer before and after."
        " Use it when values conflict, or when asked how something is known."
    ),
    run=_why,
    arguments=(
        Argument("subject", required=True),
        Argument("predicate", required=True),
        _AS_OF,
        _KNOWN,
        Argument("limit", WHOLE, LIMIT, least=1),
    ),
    answer=listed("steps", THINGS, facts=FACTS, as_of=WORD),
    more=f"set limit, {STEPS} where it is not set, or narrow as_known_at",
)

AGGREGATE_FACTS = Tool(
    name="lore_aggregate_facts",
    title="Count facts",
    told="How often something was so, in groups, with the true number of groups. Use it for how many and how often.",
    run=_counted,
    arguments=(
        Argument("group_by", TEXT, "Else object.", choices=tuple(GROUPINGS)),
        _SUBJECT,
        _PREDICATE,
        Argument("since", TEXT, "Count what began then or later."),
        Argument("until", TEXT, "Count what began before."),
        _KNOWN,
        Argument("limit", WHOLE, LIMIT, least=1),
        OFFSET,
    ),
    answer=gives({"groups": THINGS, "shown": COUNT, "of": COUNT, "total": COUNT, "more": WORD}, optional="more"),
)
