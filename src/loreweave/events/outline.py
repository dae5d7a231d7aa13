"""The lists of a note: which of its lines say something of a list item, and not of the note.

What hangs from an item speaks of that item: ``role:: Engineer`` below ``- Priya`` is no fact about the note. Below an
item that is itself a field, as in ``- type:: book`` with ``author:: Ana`` under it, one speaks of what the other does.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_line = re.compile(r"^([ \t]*+)((?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?+(?=\S)", re.MULTILINE).finditer


def hanging(plain: str, is_field: Callable[[str], bool]) -> frozenset[int]:
    """Give the offsets of the lines that hang from an item which is no field.

    ``is_field`` tells whether a line, given without its indent, is one.
    """
    found: set[int] = set()
    items: list[tuple[int, bool]] = []
    for line in _line(plain):
        indent, mark = line.groups()
        column = len(indent.expandtabs(4))
        while items and items[-1][0] >= column:
            items.pop()
        hangs = bool(items) and items[-1][1]
        if hangs:
            found.add(line.start())
        if mark:
            end = plain.find("\n", line.end())
            content = plain[line.start(2) : end if end >= 0 else len(plain)]
            items.append((column, hangs or not is_field(content)))
    return frozenset(found)
