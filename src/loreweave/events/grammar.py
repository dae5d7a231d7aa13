"""The text of the grammar, and its terminals as regular expressions: what other ways of reading are composed from."""

from __future__ import annotations

import pkgutil
import re
from functools import cache

ATTRIBUTES = (
    "note",
    "valid_from",
    "valid_until",
    "recorded_at",
    "confidence",
    "source",
    "scope",
    "many",
    "by",
    "because",
    "episode",
    "hash",
    "proposal",
    "kind",
)
"""The names an attribute block knows, in the order in which they are written."""

_TERMINAL = re.compile(r"^([A-Z_]+)(?:\.[0-9])?:((?:.|\n +\|)+)", re.MULTILINE)
_part = re.compile(r'/((?:[^/\\]|\\.)*)/|"([^"]*)"|([A-Z_]+)|\(|\s+')


@cache
def grammar() -> str:
    """Give the text of ``lines.lark``."""
    return (pkgutil.get_data(__name__.rpartition(".")[0], "lines.lark") or b"").decode()


@cache
def _terminals() -> dict[str, str]:
    return dict(_TERMINAL.findall(grammar()))


@cache
def terminal(name: str) -> str:
    """Give one terminal in an atomic group: what it has taken it never gives back, as in the grammar's own lexer."""
    return f"(?>{_expanded(name)})"


def _expanded(name: str) -> str:
    """Write a terminal as one regular expression, those it is made of put in."""
    return _part.sub(_written, _terminals()[name])


def _written(part: re.Match[str]) -> str:
    pattern, literal, name = part.groups()
    if name:
        return f"(?:{_expanded(name)})"
    if pattern or literal:
        return f"(?:{pattern or re.escape(literal)})"
    return "(?:" if part[0] == "(" else ""
