"""Fences and what they stand in: list items and quotes, from the outside in.

Columns are counted with tabs at every fourth. A quote is left by a line without its ``>``, a list item by a line that
is not blank and begins before its content: what a fence stands in ends it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

QUOTE = 0
"""A quote among containers; a list item is the number of columns from what holds it to its content."""

TAB = 4
CONTAINER = re.compile(r"[ \t]*+(?:>[ \t]*+|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]++|(?=\n|\Z)))*+")
FENCE = re.compile(r"`{3,}+(?=[^`\n]*+(?:\n|\Z))|~{3,}+")
_QUOTE = re.compile(r" *+> ?+")
_CLOSING = re.compile(r" {0,3}(`{3,}+|~{3,}+)[ \t]*+(?=\n|\Z)")


def go_on(line: str, containers: Sequence[int]) -> tuple[int, int]:
    """Count the containers that a line goes on in, and give the column where it does, its leading tabs made blanks."""
    at = depth = 0
    for width in containers:
        if width == QUOTE:
            found = _QUOTE.match(line, at)
            if found is None:
                break
            at = found.end()
        elif line[at : at + width].strip(" "):
            break
        else:
            at += width
        depth += 1
    return depth, at


def closes(line: str, at: int, mark: str) -> bool:
    """Say whether a line, from a place on, is a fence of the same character at least as long, and nothing else."""
    found = _CLOSING.match(line, at)
    return found is not None and found[1].startswith(mark)


def expanded(line: str) -> str:
    """Give a line with the tabs among its leading blanks and marks made blanks."""
    lead = CONTAINER.match(line)
    head = lead[0] if lead else ""
    return head.expandtabs(TAB) + line[len(head) :] if "\t" in head else line
