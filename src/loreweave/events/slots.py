"""Keys: what makes two spellings one subject, predicate, scope or object."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache

_pieces = re.compile(r"[\[\]|]|[^\[\]|]+").findall
_SEPARATORS = re.compile(r"[\s_-]+")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})
_selector = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]").match
"""Variation selectors, the Mongolian ones too."""

_MEMO_SIZE = 200_000


@lru_cache(maxsize=_MEMO_SIZE)
def key(text: str) -> str:
    """Give the key of a subject, predicate or scope; empty where the text normalises to nothing.

    Wiki brackets dropped, NFKC, casefold, NFKC, invisible characters ignored, curly quotes made
    straight, runs of white space, ``_`` and ``-`` one space, trimmed (``docs/glossary.md``: key),
    and that until nothing changes any more: the key of a key is itself.
    """
    if text.isascii() and "[[" not in text:
        return _SEPARATORS.sub(" ", text.lower()).strip()
    folded = _without_invisible(_fold(_without_invisible(text))).translate(_QUOTES)
    found = _SEPARATORS.sub(" ", _without_links(folded)).strip()
    return found if found == text else key(found)


@lru_cache(maxsize=_MEMO_SIZE)
def object_key(text: str) -> str:
    """Give the text under which two objects are equal: NFKC, casefold, white space collapsed."""
    return " ".join(_fold(text).split())


def is_blank(text: str) -> bool:
    """Say whether nothing of a value can be seen: white space and invisible characters only."""
    return not (text.strip() if text.isascii() else _without_invisible(text).strip())


def reveal(text: str) -> str:
    """Quote a value so that a reader sees it: invisible characters by code point."""
    shown = "".join(f"<U+{ord(c):04X}>" if _invisible(c) or not c.isprintable() else c for c in text)
    return f'"{shown}"'


def _without_links(text: str) -> str:
    """Drop every pair of wiki brackets, inner ones first, and what follows a ``|`` in them; each piece is met once."""
    if "[[" not in text:
        return text
    pieces: list[str] = []
    brackets: list[int] = []
    pipes: list[int] = []
    for piece in _pieces(text):
        if piece == "|":
            pipes.append(len(pieces))
        elif piece in "[]":
            brackets.append(len(pieces))
        pieces.append(piece)
        if piece == "]" and _is_link(pieces, brackets[-4:]):
            _unlink(pieces, brackets, pipes)
    return "".join(pieces)


def _is_link(pieces: list[str], brackets: list[int]) -> bool:
    """Say whether the last brackets are two that open and two that close, each two side by side."""
    if [pieces[at] for at in brackets] != ["[", "[", "]", "]"]:
        return False
    return brackets[1] - brackets[0] == brackets[3] - brackets[2] == 1


def _unlink(pieces: list[str], brackets: list[int], pipes: list[int]) -> None:
    outer, inner, end, _ = brackets[-4:]
    piped = bisect_right(pipes, inner)
    del pieces[pipes[piped] if piped < len(pipes) else end :], pipes[piped:], brackets[-4:]
    if len(pieces) == inner + 1:
        del pieces[outer:]
    else:
        pieces[outer] = pieces[inner] = ""


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    normal = unicodedata.normalize("NFKC", text)
    return unicodedata.normalize("NFKC", normal.casefold())


def _without_invisible(text: str) -> str:
    return "".join(c for c in text if not _invisible(c))


def _invisible(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or _selector(char) is not None
