"""What commands are called among tools: a hint that names a command is no help to who has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

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

_PEOPLES = frozenset({"approve", "reject", "import", "export", "init", "replay", "doctor"})
"""Commands of people that no tool does: they decide on proposals, write many lines or files, settle what the record is.

Who asks for one by the name of a tool is told so.
"""
_ALIKE = 0.7

VIEWS, _PAGE = "lore://views", "docs/views.md"
"""What lists to agents what SQL may ask, and what does to people."""

_command = re.compile(r"`lore ([a-z-]{1,20})(?: --(history|full)(?=`))?[^`]{0,400}`")
_of_people = re.compile(r"\brun (`lore index --(?:start-over|from-git)\b[^`]{0,400}`)")
"""What is done with an option that the tool of the command has not."""

_parts = re.compile(r'("(?:[^"\\]|\\.)*")').split
_option = re.compile(r"(?<![\w-])--([a-z]{2,20}(?:-[a-z]{2,20})*)(?![\w-])")


def for_agents(hint: str) -> str:
    """Name tools and arguments in a hint where it names commands and options; a command without a tool stays.

    Of one whose tool has not its option it is said that a person runs it. What is quoted in it stays as it is.
    """
    return "".join(part if part.startswith('"') else _for_agents(part) for part in _parts(hint))


def instead(name: str, served: Sequence[str]) -> str:
    """Say what there is in place of a tool that there is not: a command of a person, the tool meant, or all tools."""
    plain = name.strip().lower().replace("-", "_").rpartition("lore_")[2]
    verb = plain.partition("_")[0]
    if verb in _PEOPLES:
        return f"a person does that, with `lore {verb}`"
    tool = TOOLS.get(plain.replace("_", "-")) or TOOLS.get(verb)
    if tool in served:
        return f"there is {tool}"
    near = get_close_matches(plain, [each.removeprefix("lore_") for each in served], 1, _ALIKE)
    return f"there is lore_{near[0]}" if near else f"there are {', '.join(served)}"


def _for_agents(hint: str) -> str:
    if _of_people.search(hint):
        return _of_people.sub(r"ask a person to run \1", hint)
    said = _command.sub(_tool, hint).replace(_PAGE, VIEWS)
    if "`" in said:
        return said
    return _option.sub(lambda found: found[1].replace("-", "_"), said)


def _tool(found: re.Match[str]) -> str:
    if found[1] not in TOOLS:
        return found[0]
    return f"{TOOLS[found[1]]} with {found[2]}" if found[2] else TOOLS[found[1]]
