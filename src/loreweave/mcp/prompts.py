"""What a person may ask an agent for in one word: to begin with what is known, and to go through proposals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from loreweave.errors import BadRequest
from loreweave.mcp.fitting import fitted
from loreweave.mcp.quoting import marked
from loreweave.mcp.tool import shown
from loreweave.notes.visible import excerpt

if TYPE_CHECKING:
    from loreweave.mcp.desk import Desk

START, REVIEW = "start_session", "review_proposals"

PROMPTS = (
    Prompt(
        name=START,
        title="Start a session",
        description="Begin with what the vault holds on a topic, and what changed since last time.",
        arguments=[PromptArgument(name="topic", description="What the session is about.", required=False)],
    ),
    Prompt(
        name=REVIEW,
        title="Review proposals",
        description="Go through what agents proposed and a person has yet to decide on.",
        arguments=[],
    ),
)

_BEGIN = """\
Begin with what my vault holds{about}.
Call lore_context_pack{with_topic}, then lore_resume for what changed since last time.
Tell me in a few lines what is known, what changed and what is open, each with its origin, and mark what is inferred.
Then wait for what I ask.
"""
_REVIEW = """\
Go through the proposals below with me, one at a time, oldest first.
For each, look with lore_query_facts and lore_why at what is believed now.
Say what would change, and what speaks for it.
You cannot approve or reject: give me the command to run, `lore approve ID` or `lore reject ID --because "…"`.
"""
_LONGEST = 500


def get(desk: Desk, client: str, name: str, given: Mapping[str, Any]) -> GetPromptResult:
    """Give the messages of a prompt; raise BadRequest for one that is not there."""
    prompt = next((each for each in PROMPTS if each.name == name), None)
    if prompt is None:
        told = f"There is no prompt {excerpt(name)}."
        raise BadRequest(told, f"there are {' and '.join(each.name for each in PROMPTS)}")
    texts = [_begin(str(given.get("topic") or ""))] if name == START else _proposals(desk, client)
    messages = [PromptMessage(role="user", content=TextContent(type="text", text=text)) for text in texts]
    return GetPromptResult(description=prompt.description, messages=messages)


def _begin(topic: str) -> str:
    topic = " ".join(topic.split())
    about = f" on this topic: {excerpt(topic, _LONGEST)}" if topic else ""
    return _BEGIN.format(about=about, with_topic=" with this topic" if topic else "")


def _proposals(desk: Desk, client: str) -> list[str]:
    """Give the task, and what it is about as quoted data."""
    with desk.agents.at_work(client) as lore:
        found = marked(shown(lore.proposals()))
    return [_REVIEW, fitted(found, desk.room, _more)[1]]


def _more(shown: int, of: int | None) -> str:
    left = (of or 0) - shown
    return f"{left:,} more: `lore proposals` lists them all" if left > 0 else ""
