"""The words asked for in a line: where they stand by themselves, and no part of a longer word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_UNSPACED = "\u0e00"
"""From here on are scripts that put no blanks between words: what stands beside a word there is no part of it."""


class Words:
    """Words as they are written in a text; they are found there as such."""

    def __init__(self, words: Iterable[str]) -> None:
        longest = sorted(filter(None, set(words)), key=lambda word: (-len(word), word))
        self._any = re.compile("|".join(map(re.escape, longest))) if longest else None

    def places(self, line: str) -> Iterator[tuple[int, int]]:
        """Give where words stand in a line: first character, and the one after the last."""
        found = self._any.search(line) if self._any else None
        while found and self._any:
            start, end = found.span()
            if _parted(line, start) and _parted(line, end):
                yield start, end
            else:
                end = start + 1
            found = self._any.search(line, end)

    def within(self, line: str) -> set[str]:
        """Give the words that a line has, without case."""
        return {line[start:end].casefold() for start, end in self.places(line)}


def _parted(line: str, at: int) -> bool:
    """Tell whether one word ends and another begins before a character."""
    beside = line[at - 1 : at + 1] if at else ""
    return len(beside) < 2 or not all(char.isalnum() and char < _UNSPACED for char in beside)
