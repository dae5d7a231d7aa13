"""The inbox of a scope: one file of captured lines, named for the scope; nothing in it is a statement.

A scope whose name no file can have has its characters written as a URL would, ``lore/inbox-clients%2Facme.md``.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from loreweave.events.model import DEFAULT_SCOPE
from loreweave.events.slots import key

INBOX = "lore/inbox.md"

_named = re.compile(r"lore/inbox-([^/]+)\.md", re.IGNORECASE).fullmatch
_UNSAFE = re.compile(r"[%/\\:*?\"<>|\x00-\x1f\x7f]|^\.|\.$")


def inbox_of(scope: str) -> str:
    """Give the path of the inbox of a scope."""
    name = key(scope)
    if name == DEFAULT_SCOPE:
        return INBOX
    return f"lore/inbox-{_UNSAFE.sub(lambda found: _escaped(found[0]), name).replace(' ', '-')}.md"


def scope_of_inbox(path: str) -> str | None:
    """Give the scope whose inbox stands at a path, None where that is no inbox of a scope of its own."""
    found = _named(path)
    scope = unquote(found[1]) if found else ""
    return scope if key(scope) else None


def _escaped(char: str) -> str:
    return "%2E" if char == "." else quote(char, safe="")
