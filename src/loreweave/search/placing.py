"""What links alone reach, placed among what words found: after the first two, every other place, never before them.

The two kinds are not scored against each other: a note that links reach need share no word with the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeVar

from loreweave.search.constants import FIRST

One = TypeVar("One")


def placed(direct: Sequence[One], linked: Sequence[One]) -> list[One]:
    """Give both kinds in one list: the first of words, then one that links reach and one of words by turns."""
    rest = zip_longest(linked, direct[FIRST:])
    return [*direct[:FIRST], *(one for pair in rest for one in pair if one is not None)]
