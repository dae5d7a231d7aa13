"""Near misses: what is wrong with a line that means to be one of the record, and how to write it."""

from __future__ import annotations

import re
from collections.abc import Container

from loreweave.errors import WARNING, Finding
from loreweave.events.braces import attribute_braces
from loreweave.events.model import KINDS
from loreweave.notes.visible import reveal

_CLAIM, _CLOSE, _NAMING = "Subject :: predicate :: Object", "Subject :: predicate", "what it names"
_FORMS = dict.fromkeys(KINDS, _NAMING) | {
    "fact": _CLAIM,
    "observed": _CLAIM,
    "proposed": _CLAIM,
    "invalidate": _CLOSE,
    "retract": _CLOSE,
    "withdrawn": _CLOSE,
}
_SPELLINGS = {
    "assert": "fact",
    "asserted": "fact",
    "facts": "fact",
    "close": "invalidate",
    "closed": "invalidate",
    "invalidated": "invalidate",
    "retracted": "retract",
    "observe": "observed",
    "observation": "observed",
    "withdraw": "withdrawn",
    "propose": "proposed",
    "proposal": "proposed",
    "reject": "rejected",
} | {kind: kind for kind in KINDS}

_tag = re.compile(rf"[ \t]*+[-*+][ \t]*+\[({'|'.join(KINDS)})\](?!\()").match
_almost = re.compile(
    r"[\s>]*+(?P<bullet>[-*+•–—·]|[0-9]++[.)])?\s*+(?P<box>\[[^\]]?\]\s*+)?"
    r"(?P<tag>\\?\[\s*+(?P<word>[A-Za-z]++)\s*+\\?\])(?!\()(?=.*(?:::|\{))"
).match


def tag_of(text: str) -> str | None:
    """Give the kind of a line that begins as the grammar wants it."""
    found = _tag(text)
    return found[1] if found else None


def near_miss(text: str, kinds: Container[str] = KINDS) -> Finding | None:
    """Say what keeps a line that begins almost right from being one of the record, of one of these kinds."""
    found = _almost(text)
    kind = _SPELLINGS.get(found["word"].lower()) if found else None
    if found is None or kind is None or kind not in kinds:
        return None
    return Finding(
        "near-miss",
        f"{reveal(found[0].strip())} is almost the beginning of a [{kind}] line, but not read: {_why(found, kind)}.",
        f'write "{form(kind)}"',
        column=found.start("tag") + 1,
        severity=WARNING,
    )


def _why(found: re.Match[str], kind: str) -> str:
    if ">" in found.string[: found.start("tag")]:
        return "it stands in a quote"
    if found["box"]:
        return "a task box stands before it"
    if found["tag"] != f"[{kind}]":
        return f"the tag is {reveal(found['tag'])}"
    return "it has no bullet of its own, which is -, * or +"


def form(kind: str) -> str:
    """Give the form of a line of this kind, without attributes."""
    return f"- [{kind}] {_FORMS[kind]}"


def missing(kind: str, field: str, text: str, column: int) -> Finding:
    """Name the field that a line lacks."""
    message = f"This [{kind}] line has no {field}: {reveal(text.strip())}."
    return Finding("missing-field", message, f'write "{form(kind)}"', column=column)


def unreadable(kind: str, text: str, column: int) -> Finding:
    """Say that a line cannot be read at all."""
    message = f"This [{kind}] line cannot be read: {reveal(text.strip())}."
    return Finding("unreadable-line", message, f'write "{form(kind)}"', column=column)


def stray_braces(field: str, raw: str, end: int) -> Finding | None:
    """Say that part of a field looks like attributes, or that it tries to be some and leaves a quote open.

    ``raw`` is the field as written, ``end`` the column after it.
    """
    for brace in attribute_braces(raw):
        block = raw[brace.at :]
        return _stray(field, block.strip(), end - len(block), known=brace.is_known)
    return None


def _stray(field: str, block: str, column: int, *, known: bool) -> Finding:
    if known and re.sub(r"\\.", "", block).count('"') % 2:
        message = f"A quote is opened and not closed in the attributes {reveal(block)}."
        return Finding("bad-attribute", message, 'end the value with "', column=column)
    message = f"{reveal(block)} looks like attributes, but was read as part of the {field}."
    hint = r"write a known name and {name=value, …} at the very end, or \{ where it belongs to the value"
    return Finding("looks-like-attributes", message, hint, column=column, severity=WARNING)
