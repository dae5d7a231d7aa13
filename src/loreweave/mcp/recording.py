"""Tools that write: what an agent states, ends, unsays or keeps is a line, with who wrote it and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from loreweave.mcp.arguments import FLAG, NUMBER, TEXT, WHOLE, Argument
from loreweave.mcp.tool import COUNT, LIMIT, SAYS, THING, THINGS, WORD, WORD_OR_NOT, Tool, gives, listed, shown
from loreweave.reports.codec import plain

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
    }
)


def _outcome(made: Outcome) -> dict[str, Any]:
    """Tell what a write came to; of the effects only those that there are."""
    told = shown(made)
    told["origin"] = f"{told.pop('path')}:{told.pop('line_number')}"
    told["effects"] = {name: effects for name, effects in told["effects"].items() if effects}
    return {**told}


def _assert(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return _outcome(lore.assert_fact(given.pop("subject"), given.pop("predicate"), given.pop("object"), **given))


def _invalidate(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return _ended(lore.invalidate_fact, given)


def _retract(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return _ended(lore.retract_fact, given)


def _ended(verb: Callable[..., Outcome], given: dict[str, Any]) -> dict[str, Any]:
    return _outcome(verb(given.pop("subject"), given.pop("predicate"), given.pop("object", None), **given))


def _capture(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.capture(given["text"]))}


def _mark(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    made = plain(lore.mark_used(given["address"]))
    origin = f"{made.pop('ledger')}:{made.pop('line')}"
    made["by"] = made.pop("recorded_by")
    return {**made, "origin": origin}


def _propose(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.propose_facts(given.pop("note"), **given))}


ASSERT_FACT = Tool(
    name="lore_assert_fact",
    title="State a fact",
    told=(
        "Record a value as one line of the journal, by you. Use it for what the user or a document states, with source"
        " stated and because; what you conclude is inferred. An earlier value of the slot is superseded, never erased."
        " Where the vault lets agents only propose, it becomes a proposal, believed once a person approves it."
    ),
    run=_assert,
    arguments=(
        *_SLOT,
        Argument("object", TEXT, "The value.", required=True),
        Argument("valid_from", TEXT, "Since when it holds, such as 2024-06-01; else now."),
        Argument("valid_until", TEXT, "Until when, excluded; else open."),
        Argument("confidence", NUMBER, "0 to 1."),
        Argument("source", TEXT, "Else inferred.", choices=("stated", "inferred")),
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

CAPTURE = Tool(
    name="lore_capture",
    title="Capture a thought",
    told="Add one line of text with its minute to the inbox. Use it for what is no fact: a to-do, an idea, a quote.",
    run=_capture,
    arguments=(Argument("text", required=True, longest=100_000),),
    answer=gives({"text": WORD, "origin": WORD}),
    writes=True,
    is_idempotent=False,
)

MARK_USED = Tool(
    name="lore_mark_used",
    title="Mark a passage as used",
    told="Record that a passage was of use, so that it fades more slowly. Use it for passages that an answer rests on.",
    run=_mark,
    arguments=(Argument("address", TEXT, "As other tools give it: path#heading, path:line or both.", required=True),),
    answer=gives({"path": WORD, "uses": COUNT, "origin": WORD}),
    writes=True,
    is_idempotent=False,
)

PROPOSE_FACTS = Tool(
    name="lore_propose_facts",
    title="Propose facts of a note",
    told=(
        "What a note states that nobody has on record. With submit the values become proposals, which a person"
        " approves or rejects; look at them without it first."
    ),
    run=_propose,
    arguments=(
        Argument("note", TEXT, "Its path, or an address in it.", required=True),
        Argument("submit", FLAG),
        Argument("limit", WHOLE, LIMIT, least=1),
    ),
    answer=listed("candidates", THINGS, submitted=SAYS),
    writes=True,
    more="set a higher limit",
)

CANDIDATES = attrs.evolve(
    PROPOSE_FACTS,
    told="What a note states that nobody has on record: candidates for facts.",
    arguments=(PROPOSE_FACTS.arguments[0], PROPOSE_FACTS.arguments[2]),
    writes=False,
)
"""The same for a server that only reads, which submits nothing."""
