"""What of a text says something: invisible characters and placeholders do not, and a message shows the former."""

from __future__ import annotations

import re
import unicodedata

_selector = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]").match
"""Variation selectors, the Mongolian ones too."""

_SHOWN = 80


def is_blank(text: str) -> bool:
    """Say whether nothing of a value can be seen: white space and invisible characters only."""
    return not (text.strip() if text.isascii() else without_invisible(text).strip())


def is_placeholder(text: str) -> bool:
    """Say whether a template has yet to put a value here, and nothing else is here: ``{{date}}``, ``<% date %>``."""
    text = text.strip()
    return text.startswith(("{{", "<%")) and text.endswith("}}" if text[0] == "{" else "%>")


def reveal(text: str) -> str:
    """Quote a value so that a reader sees it: invisible characters by code point."""
    shown = "".join(f"<U+{ord(c):04X}>" if _invisible(c) or not c.isprintable() else c for c in text)
    return f'"{shown}"'


def excerpt(text: str) -> str:
    """Quote a value as ``reveal`` does, without the blanks round it and cut after 80 characters."""
    text = text.strip()
    return reveal(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def without_invisible(text: str) -> str:
    """Drop what cannot be seen and is no white space: category Cf, and variation selectors."""
    return "".join(c for c in text if not _invisible(c))


def _invisible(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or _selector(char) is not None
