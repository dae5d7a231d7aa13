"""All tools, in the order in which an agent meets them. None of them approves or rejects: that is for people."""

from __future__ import annotations

from loreweave.mcp.beliefs import AGGREGATE_FACTS, QUERY_FACTS, WHY
from loreweave.mcp.finding import CONTEXT_PACK, READ_NOTE, SEARCH
from loreweave.mcp.keeping import INDEX, QUERY_SQL
from loreweave.mcp.recording import (
    ASSERT_FACT,
    CANDIDATES,
    CAPTURE,
    INVALIDATE_FACT,
    MARK_USED,
    PROPOSE_FACTS,
    RETRACT_FACT,
)
from loreweave.mcp.remembering import DREAM_REPORT, RESUME, RESUME_SINCE, REVIEW, TIMELINE
from loreweave.mcp.tool import Tool

TOOLS = (
    *(CONTEXT_PACK, SEARCH, READ_NOTE),
    *(QUERY_FACTS, WHY, TIMELINE, AGGREGATE_FACTS, RESUME, REVIEW),
    *(ASSERT_FACT, INVALIDATE_FACT, RETRACT_FACT, PROPOSE_FACTS, CAPTURE, MARK_USED),
    *(DREAM_REPORT, QUERY_SQL, INDEX),
)
"""Those of a server that writes."""

_INSTEAD = {RESUME.name: RESUME_SINCE, PROPOSE_FACTS.name: CANDIDATES}
"""Tools that a server which only reads has in another form."""


def served(*, read_only: bool) -> tuple[Tool, ...]:
    """Give the tools that a server has; one that only reads has none that writes."""
    if not read_only:
        return TOOLS
    return tuple(tool for tool in (_INSTEAD.get(tool.name, tool) for tool in TOOLS) if not tool.writes)
