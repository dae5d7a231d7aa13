"""What commands are called among tools: a hint that names a command is no help to who has none."""

from __future__ import annotations

import re

TOOLS = {
    "ask": "lore_search",
    "assert": "lore_assert_fact",
    "capture": "lore_capture",
    "count": "lore_aggregate_facts",
    "dream": "lore_dream_report",
    "facts": "lore_query_facts",
    "index": "lore_index",
    "invalidate": "lore_invalidate_fact",
    "mark-used": "lore_mark_used",
    "propose": "lore_propose_facts",
    "query": "lore_query_sql",
    "resume": "lore_resume",
    "retract": "lore_retract_fact",
    "review": "lore_review",
    "search": "lore_search",
    "timeline": "lore_timeline",
    "why": "lore_why",
}
"""The tool that does what a command does."""

VIEWS, _PAGE = "lore://views", "docs/views.md"
"""What lists to agents what SQL may ask, and what does to people."""

_command = re.compile(r"`lore ([a-z-]{1,20})(?: --(history|full)(?=`))?[^`]{0,400}`")
_parts = re.compile(r'("(?:[^"\\]|\\.)*")').split
_option = re.compile(r"(?<![\w-])--([a-z]{2,20}(?:-[a-z]{2,20})*)(?![\w-])")


def for_agents(hint: str) -> str:
    """Name tools and arguments in a hint where it names commands and options; a command without a tool stays.

    What is quoted in it stays as it is.
    """
    return "".join(part if part.startswith('"') else _for_agents(part) for part in _parts(hint))


def _for_agents(hint: str) -> str:
    said = _command.sub(_tool, hint).replace(_PAGE, VIEWS)
    if "`" in said:
        return said
    return _option.sub(lambda found: found[1].replace("-", "_"), said)


def _tool(found: re.Match[str]) -> str:
    if found[1] not in TOOLS:
        return found[0]
    return f"{TOOLS[found[1]]} with {found[2]}" if found[2] else TOOLS[found[1]]
