"""The lines of a note that may state something, found without reading the others."""

from __future__ import annotations

import re

_BULLET = r"\n[ \t]*+(?:[-*+]|[0-9]{1,9}+[.)])[ \t]*+"
_bracketed = re.compile(rf"{_BULLET}\[(?!\[|[^\]]\])").finditer
_labelled = re.compile(rf"{_BULLET}[^\n:：]{{1,64}}+[:：]").finditer


def candidates(plain: str, *, labels: bool) -> list[int]:
    """Give the offsets at which these lines begin, in order; with ``labels`` also those of bullets with a colon."""
    found = _with_separator(plain)
    if "[" in plain:
        found.update(match.start() for match in _bracketed("\n" + plain))
    if labels:
        found.update(match.start() for match in _labelled("\n" + plain))
    return sorted(found)


def _with_separator(plain: str) -> set[int]:
    found = set()
    at = plain.find("::")
    while at >= 0:
        if plain[at + 2 : at + 3] in (" ", "\t"):
            found.add(plain.rfind("\n", 0, at) + 1)
            at = plain.find("\n", at)
            at = plain.find("::", at) if at >= 0 else at
        else:
            at = plain.find("::", at + 1)
    return found
