"""Keys: what makes two spellings one subject, predicate, scope or object."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache

from loreweave.notes.visible import without_invisible

_pieces = re.compile(r"[\[\]|]|[^\[\]|]+").findall
_SEPARATORS = re.compile(r"[\s_-]+")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"'})
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
    folded = without_invisible(_fold(without_invisible(text))).translate(_QUOTES)
    found = _SEPARATORS.sub(" ", _without_links(folded)).strip()
    return found if found == text else key(found)


@lru_cache(maxsize=_MEMO_SIZE)
def object_key(text: str) -> str:
    """Give the text under which two objects are equal: NFKC, casefold, white space collapsed."""
    return " ".join(_fold(text).split())


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
