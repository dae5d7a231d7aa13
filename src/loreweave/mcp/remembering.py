"""Tools that look back: what happened, what changed since last time, what fades, what is to be tidied up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from loreweave.mcp.arguments import NUMBER, TEXT, WHOLE, Argument
from loreweave.mcp.tool import LIMIT, THING, THINGS, WORD, Tool, gives, listed, shown

if TYPE_CHECKING:
    from loreweave.library import Lore

_LIMIT = Argument("limit", WHOLE, LIMIT, least=1)


def _timeline(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.timeline(given.pop("entity"), **given))}


def _resume(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.resume(**given))}


def _review(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.review(**given))}


def _dream(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.dream(**given))}


TIMELINE = Tool(
    name="lore_timeline",
    title="Timeline of an entity",
    told=(
        "What happened to one person, project or thing, in the order of time: how beliefs about it changed, each with"
        " the previous value, and dated passages that name it. Use it for how something came about."
    ),
    run=_timeline,
    arguments=(
        Argument("entity", TEXT, "Its name, or an alias.", required=True),
        Argument("since", TEXT, "From this date on."),
        Argument("until", TEXT, "Before this date."),
        Argument("limit", WHOLE, "How many at most, the latest.", least=1),
    ),
    answer=listed("entries", THINGS, entity=WORD),
    keeps_last=True,
    more="these are the latest; set until to the first of them",
)

RESUME = Tool(
    name="lore_resume",
    title="What changed since last time",
    told=(
        "What changed since the last session: notes, and beliefs that began, ended or were superseded. Use it as a"
        " session begins. Without since it also marks now as the last time."
    ),
    run=_resume,
    arguments=(
        Argument("since", TEXT, "What was recorded after this instant; marks nothing."),
        Argument("name", TEXT, "Whose sessions, where several share the vault."),
        _LIMIT,
    ),
    answer=gives({"since": WORD}),
    writes=True,
    is_idempotent=False,
    more="set a higher limit, or a later since",
)

RESUME_SINCE = attrs.evolve(
    RESUME,
    told="What changed since an instant: notes, and beliefs that began, ended or were superseded.",
    arguments=(attrs.evolve(RESUME.arguments[0], told="What was recorded after this instant.", required=True), _LIMIT),
    writes=False,
    is_idempotent=True,
)
"""The same for a server that only reads, which marks nothing."""

REVIEW = Tool(
    name="lore_review",
    title="What fades",
    told=(
        "Passages that matter and fade, and beliefs long open that may no longer hold. Use it to ask the user what is"
        " still true; lore_mark_used keeps a passage."
    ),
    run=_review,
    arguments=(Argument("threshold", NUMBER, "Fading below this share, 0 to 1; else 0.3."), _LIMIT),
    answer=gives({"fading": THING, "open": THING}),
    more="set a higher limit",
)

DREAM_REPORT = Tool(
    name="lore_dream_report",
    title="What to tidy up",
    told=(
        "Duplicates, contradictions, stale beliefs, missing links, orphans and pending proposals; changes nothing. Use"
        " it when asked to tidy up, and let the user decide."
    ),
    run=_dream,
    arguments=(Argument("limit", WHOLE, "How many of each at most.", least=1),),
    answer=gives({"counts": THING, "duplicates": THING, "contradictions": THING}),
    is_slow=True,
    more="set a higher limit",
)
