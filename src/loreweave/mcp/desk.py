"""Calls as they are answered: arguments read, the one method asked, the answer fitted, or what is wrong in a sentence.

Nothing here knows of a connection. It is called from worker threads, several at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from loreweave.errors import BadRequest, LoreError
from loreweave.mcp.agents import Agents
from loreweave.mcp.arguments import read
from loreweave.mcp.fitting import fits, fitted, shares
from loreweave.mcp.quoting import marked, sentence
from loreweave.mcp.tool import Tool
from loreweave.mcp.tools import served
from loreweave.mcp.wording import instead
from loreweave.notes.visible import excerpt

_LONGEST = 100
"""Characters of the name of a tool that is not there that are looked at."""


class Reply(NamedTuple):
    """What a call is answered: a text, and the same as an object; None where the text says what is wrong."""

    text: str
    answer: dict[str, Any] | None


class Desk:
    """The tools of one server, and the vault that they ask."""

    def __init__(self, agents: Agents, *, read_only: bool, room: int) -> None:
        self.agents, self.room = agents, room
        self.tools = {tool.name: tool for tool in served(read_only=read_only)}

    def answer(self, name: str, given: Mapping[str, Any], client: str) -> Reply:
        """Answer a call of a client."""
        try:
            tool = self._tool(name)
            arguments = read(tool.arguments, given)
            with self.agents.at_work(client, writes=tool.writes) as lore:
                return self._within(tool, arguments, partial(tool.run, lore))
        except (LoreError, OSError) as failed:
            return Reply(sentence(failed), None)

    def _within(self, tool: Tool, given: dict[str, Any], ask: Callable[[dict[str, Any]], dict[str, Any]]) -> Reply:
        """Ask, and fit the answer into the room there is; what can be asked to be shorter is asked again."""
        more = partial(tool.told_more, given)
        if tool.bound:
            for share in shares(self.room):
                found = marked(ask(given | {tool.bound: min(share, given.get(tool.bound, tool.usual or share))}))
                if fits(found, self.room):
                    break
        else:
            found = marked(ask(dict(given)))
        answer, text = fitted(found, self.room, more, keeps_last=tool.keeps_last)
        return Reply(text, answer)

    def _tool(self, name: str) -> Tool:
        if name in self.tools:
            return self.tools[name]
        if any(tool.name == name for tool in served(read_only=False)):
            raise BadRequest(f"The tool {name} writes, and this server only reads.", "ask whoever started the server")
        raise BadRequest(f"There is no tool {excerpt(name)}.", instead(name[:_LONGEST], list(self.tools)))
