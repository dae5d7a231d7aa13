"""Tools that write: what an agent states, ends or unsays is a line of the record, with who said it and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from loreweave.mcp.arguments import FLAG, NUMBER, TEXT, Argument
from loreweave.mcp.tool import SAYS, THING, WORD, WORD_OR_NOT, Tool, gives, shown
from loreweave.reports.guidance import QUOTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from loreweave.engine.outcome import Outcome
    from loreweave.library import Lore

_SLOT = (Argument("subject", required=True), Argument("predicate", required=True))
_BECAUSE = Argument("because", TEXT, "Why: quote who said it, or name what you concluded it from.")
_EPISODE = Argument("episode", TEXT, "The conversation or document it was heard in.")
_DRY_RUN = Argument("dry_run", FLAG, "Only tell what it would do.")

_WRITTEN = gives(
    {
        "written": SAYS,
        "subject": WORD,
        "predicate": WORD,
        "object": WORD_OR_NOT,
        "origin": WORD,
        "effects": THING,
        "quoted": WORD,
    }
)


def _outcome(made: Outcome) -> dict[str, Any]:
    """Tell what a write came to; of the effects only those that there are."""
    told = shown(made)
    told["origin"] = f"{told.pop('path')}:{told.pop('line_number')}"
    told["effects"] = {name: effects for name, effects in told["effects"].items() if effects}
    return {**told, "quoted": QUOTED}


def _assert(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return _outcome(lore.assert_fact(given.pop("subject"), given.pop("predicate"), given.pop("object"), **given))


def _invalidate(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return _ended(lore.invalidate_fact, given)


def _retract(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return _ended(lore.retract_fact, given)


def _ended(verb: Callable[..., Outcome], given: dict[str, Any]) -> dict[str, Any]:
    return _outcome(verb(given.pop("subject"), given.pop("predicate"), given.pop("object", None), **given))


ASSERT_FACT = Tool(
    name="lore_assert_fact",
    title="State a fact",
    told=(
        "Record a value as one line of the journal, by you. Use it for what the user states or a source says; set"
        " source to inferred for what you conclude. An earlier value of the slot is superseded, never erased."
        " Where the vault wants proposals, it becomes one."
    ),
    run=_assert,
    arguments=(
        *_SLOT,
        Argument("object", TEXT, "The value.", required=True),
        Argument("valid_from", TEXT, "Since when it holds, such as 2024-06-01; else now."),
        Argument("valid_until", TEXT, "Until when, excluded; else open."),
        Argument("confidence", NUMBER, "0 to 1."),
        Argument("source", TEXT, "Else stated.", choices=("stated", "inferred")),
        Argument("many", FLAG, "The slot holds several values side by side."),
        Argument("then_resume", FLAG, "From valid_until on what held before holds again."),
        _BECAUSE,
        _EPISODE,
        _DRY_RUN,
    ),
    answer=_WRITTEN,
    writes=True,
)

INVALIDATE_FACT = Tool(
    name="lore_invalidate_fact",
    title="End a fact",
    told="Record that something stopped being true, at valid_until or now. Use it when it was right and is over.",
    run=_invalidate,
    arguments=(
        *_SLOT,
        Argument("object", TEXT, "This value alone."),
        Argument("valid_until", TEXT, "When it ended; else now."),
        _BECAUSE,
        _EPISODE,
        _DRY_RUN,
    ),
    answer=_WRITTEN,
    writes=True,
    destroys=True,
)

RETRACT_FACT = Tool(
    name="lore_retract_fact",
    title="Unsay a fact",
    told="Record that something was never right, such as a mistake of yours. What was believed stays on record.",
    run=_retract,
    arguments=(
        *_SLOT,
        Argument("object", TEXT, "This value alone."),
        Argument("valid_from", TEXT, "The one that began then."),
        _BECAUSE,
        _EPISODE,
        _DRY_RUN,
    ),
    answer=_WRITTEN,
    writes=True,
    destroys=True,
)
