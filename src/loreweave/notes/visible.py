"""What of a text says something: invisible characters and placeholders do not, and a message shows the former."""

from __future__ import annotations

import re
import unicodedata

_selector = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]").match
"""Variation selectors, the Mongolian ones too."""

_SHORT = 60
_plain = re.compile(r"[\w./:-]+|[\w-]+(?: [\w-]+){0,5}").fullmatch
_before_end = re.compile(r'\\+(?="|\Z)').sub


def is_blank(text: str) -> bool:
    """Say whether nothing of a value can be seen: white space and invisible characters only."""
    return not (text.strip() if text.isascii() else without_invisible(text).strip())


def is_placeholder(text: str) -> bool:
    """Say whether a template has yet to put a value here, and nothing else is here: ``{{date}}``, ``<% date %>``."""
    text = text.strip()
    return text.startswith(("{{", "<%")) and text.endswith("}}" if text[0] == "{" else "%>")


def shown(text: str) -> str:
    """Write invisible characters by code point, so that a reader sees them."""
    return "".join(f"<U+{ord(c):04X}>" if _invisible(c) or not c.isprintable() else c for c in text)


def reveal(text: str) -> str:
    """Quote a value so that a reader sees it, and where it ends: marks in it that would end it have a backslash."""
    inside = _before_end(lambda found: 2 * found[0], shown(text)).replace('"', r"\"")
    return f'"{inside}"'


def as_name(text: str) -> str:
    """Write a name as it is where it is a few plain words or a path, and else quote it."""
    return text if len(text) <= _SHORT and _plain(text) else excerpt(text)


def excerpt(text: str, longest: int = 80) -> str:
    """Quote a value as ``reveal`` does, without the blanks round it and cut after so many characters."""
    text = text.strip()
    return reveal(text if len(text) <= longest else text[:longest] + "…")


def without_invisible(text: str) -> str:
    """Drop what cannot be seen and is no white space: category Cf, and variation selectors."""
    return "".join(c for c in text if not _invisible(c))


def _invisible(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or _selector(char) is not None
