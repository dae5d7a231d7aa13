"""How wide the screen is, and how a line is shown on it: what has no room goes on below, further in.

So what a text says never stands where another line would begin, however long it is and however it is padded.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterator
from typing import IO

LEAST = 20
"""Columns that any screen is taken to have."""

FURTHER = 4
"""Columns by which a line goes on further in than it begins."""

LONGEST = 300
"""Characters of a text that are shown in a list where it is not shown whole."""

_BLANK = "\\s\u2800\u3000"
_blanks = re.compile(f"[{_BLANK}]+")


def width() -> int | None:
    """Give the columns of the terminal that standard output is, None where it is none."""
    return _said() or _columns(sys.stdout) if sys.stdout.isatty() else None


def paged_width() -> int | None:
    """Give the columns of the terminal that is read in the end, though a pager may stand between."""
    return width() or _said() or (_columns(sys.stderr) if _is_pipe(sys.stdout) and sys.stderr.isatty() else None)


def rows(text: str, room: int | None) -> Iterator[str]:
    """Give a line as the rows of a screen with so many columns, or whole where there is none."""
    if room is None or len(text) * 2 <= room:
        yield text
        return
    room = max(room, LEAST)
    begins = text[: len(text) - len(text.lstrip(" "))][: room // 4]
    left, indent = text.strip(), begins
    while left:
        end = _end(left, room - len(indent))
        yield indent + left[:end].rstrip()
        left, indent = left[end:].lstrip(), f"{begins}{' ' * FURTHER}"


def unpadded(text: str) -> str:
    """Give a text with each run of blanks as one."""
    return _blanks.sub(" ", text).strip()


def brief(text: str, *, whole: bool) -> str:
    """Give a text without its padding, and unless it is to be whole, cut: then it says how long it is."""
    text = unpadded(text)
    if whole or len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rstrip()}… ({len(text):,} characters; --full shows all)"


def _end(text: str, room: int) -> int:
    """Tell how many characters have room: to the last blank, or else as many as there is room for, one at least."""
    end = used = 0
    for char in text:
        used += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if used > room:
            break
        end += 1
    if end == len(text) or _blanks.match(text, end):
        return end
    return next((found.end() for found in reversed([*_blanks.finditer(text, 0, end)])), 0) or max(end, 1)


def _said() -> int | None:
    said = os.environ.get("COLUMNS", "")
    return int(said) if said.isascii() and said.isdigit() and 0 < len(said) < 6 and int(said) else None


def _columns(stream: IO[str]) -> int | None:
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def _is_pipe(stream: IO[str]) -> bool:
    try:
        return stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False
