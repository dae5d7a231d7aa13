"""Keys: what makes two spellings one subject, predicate, scope or object."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_BRACKETS = re.compile(r"\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]")
_SEPARATORS = re.compile(r"[\s_-]+")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})
_MEMO_SIZE = 200_000


@lru_cache(maxsize=_MEMO_SIZE)
def key(text: str) -> str:
    """Give the key of a subject, predicate or scope; empty where the text normalises to nothing.

    Wiki brackets dropped, NFKC, casefold, NFKC, invisible characters ignored, curly quotes made
    straight, runs of white space, ``_`` and ``-`` one space, trimmed (``docs/glossary.md``: key).
    """
    if text.isascii() and "[[" not in text:
        return _SEPARATORS.sub(" ", text.lower()).strip()
    seen = _without_invisible(_BRACKETS.sub(r"\1", text))
    folded = _without_invisible(_fold(seen)).translate(_QUOTES)
    return _SEPARATORS.sub(" ", folded).strip()


@lru_cache(maxsize=_MEMO_SIZE)
def object_key(text: str) -> str:
    """Give the text under which two objects are equal: NFKC, casefold, white space collapsed."""
    return " ".join(_fold(text).split())


def is_blank(text: str) -> bool:
    """Say whether nothing of a value can be seen: white space and invisible characters only."""
    return not (text if text.isascii() else _without_invisible(text)).strip()


def reveal(text: str) -> str:
    """Quote a value so that a reader sees it: invisible characters by code point."""
    shown = "".join(f"<U+{ord(c):04X}>" if _invisible(c) or not c.isprintable() else c for c in text)
    return f'"{shown}"'


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    normal = unicodedata.normalize("NFKC", text)
    return unicodedata.normalize("NFKC", normal.casefold())


def _without_invisible(text: str) -> str:
    return "".join(c for c in text if not _invisible(c))


def _invisible(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
