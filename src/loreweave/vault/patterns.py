"""Patterns as in ``.gitignore``: which paths of a vault are left out by them."""

from __future__ import annotations

import re
import unicodedata
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


def unreadable_pattern(patterns: tuple[str, ...]) -> str | None:
    """Give the first pattern that has no meaning; a comment and an empty line have one: they leave nothing out."""
    for pattern in patterns:
        try:
            read = _compiled((pattern,)).patterns
        except (ValueError, re.error):
            return pattern
        is_plain = pattern.strip() and not pattern.startswith("#")
        if is_plain and any(each.include is None for each in read):
            return pattern
    return None


def leaves_out(patterns: tuple[str, ...], path: str, *, is_folder: bool) -> bool:
    """Say whether a path, relative to the vault, is left out; of a folder left out all that stands in it is too."""
    if not patterns:
        return False
    return _compiled(patterns).match_file(f"{_composed(path)}/" if is_folder else _composed(path))


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec  # a vault without patterns is spared the 30 ms

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of brackets that a later Python may read otherwise
        return GitIgnoreSpec.from_lines(map(_composed, patterns))


def _composed(path: str) -> str:
    return path if path.isascii() else unicodedata.normalize("NFC", path)
