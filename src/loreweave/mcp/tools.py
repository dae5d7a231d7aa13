"""All tools, in the order in which an agent meets them. None of them approves or rejects: that is for people."""

from __future__ import annotations

from loreweave.mcp.beliefs import AGGREGATE_FACTS, QUERY_FACTS, WHY
from loreweave.mcp.finding import SEARCH
from loreweave.mcp.keeping import INDEX, QUERY_SQL
from loreweave.mcp.recording import ASSERT_FACT, INVALIDATE_FACT, RETRACT_FACT
from loreweave.mcp.tool import Tool

TOOLS = (
    SEARCH,
    QUERY_FACTS,
    WHY,
    AGGREGATE_FACTS,
    ASSERT_FACT,
    INVALIDATE_FACT,
    RETRACT_FACT,
    QUERY_SQL,
    INDEX,
)


def served(*, read_only: bool) -> tuple[Tool, ...]:
    """Give the tools that a server has; one that only reads has none that writes."""
    return tuple(tool for tool in TOOLS if not (read_only and tool.writes))
