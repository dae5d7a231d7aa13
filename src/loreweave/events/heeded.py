"""What a note cannot say of its own values: on whose word they are, when they were recorded, and the like."""

from __future__ import annotations

from collections.abc import Iterable

from loreweave.errors import WARNING, Finding

HEEDED = frozenset({"valid_from", "valid_until", "confidence"})
"""The attributes that count in a note."""

_FORGED = {
    "source": ("forged-source", "what a note states is extracted"),
    "recorded_at": ("forged-record-time", "a note is recorded when it is first seen to say so"),
    "by": ("forged-author", "it is the note that says so"),
    "scope": ("forged-scope", "the folder of a note decides"),
}
_STATED = "leave it out, or write the line under lore/journal/"


def unheeded(names: Iterable[str], column: int) -> list[Finding]:
    """List the attributes, of those given, that are ignored in a note."""
    return [_ignored(name, column) for name in names if name not in HEEDED]


def _ignored(name: str, column: int) -> Finding:
    code, why = _FORGED.get(name, ("unknown-attribute", "it says nothing here"))
    hint = "write a [fact] line, or name the predicate in [facts] many" if name == "many" else _STATED
    return Finding(code, f'The attribute "{name}" is ignored in a note: {why}.', hint, column=column, severity=WARNING)
