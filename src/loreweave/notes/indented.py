"""Code that its indentation tells: four columns further in than what it stands in, and not in a paragraph.

What begins as a list is none: outliners write the items below a heading further in, and mean them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from loreweave.notes.nesting import INDENTED, Nesting
from loreweave.notes.scan import Scan

_MARK = r"(?:[>*+-]|[0-9]{1,9}[.)])"
_CODE_BELOW = rf"[ \t]*+(?:{_MARK}[ \t]*+)*+(?:[#=*_-][^\n]*+)?+\n(?=(?: {{4}}| {{0,3}}\t)[ \t]*+[^ \t\n])"
"""A line that no paragraph goes on below, and one far in below it."""

_BELOW_LINE, _BELOW_FIRST = re.compile(rf"\n{_CODE_BELOW}"), re.compile(_CODE_BELOW)
_BESIDE_MARK = re.compile(rf"\n[ \t]*+(?:{_MARK}[ \t]{{0,4}}+)*{_MARK}(?: {{5}}| {{1,4}}\t|\t[ \t])")
_ITEM = re.compile(r"(?:>[ \t]?)*+[ \t]++(?:[*+-]|[0-9]{1,9}[.)])[ \t]++\S")
_FAR_IN, _BESIDE_FIRST = re.compile(" {4}| {0,3}\t"), re.compile(_BESIDE_MARK.pattern[2:])


def indented_code(scan: Scan) -> list[tuple[int, int]]:
    """Find the lines of code that its indentation tells, as pairs of offsets without the ends of lines."""
    found: list[tuple[int, int]] = []
    nesting, last = Nesting(scan.text, scan.opaque(), scan.inner), -1
    for start in _candidates(scan):
        if start <= last or nesting.leaf_at(start) != INDENTED:
            continue
        is_list = _ITEM.match(scan.text, start) is not None
        while nesting.leaf == INDENTED or not scan.text[nesting.start : nesting.at].strip(" \t\n>"):
            if nesting.leaf == INDENTED:
                last = nesting.start
                if not is_list:
                    found.append((nesting.start, nesting.at - 1))
            if not nesting.step():
                break
    return found


def _candidates(scan: Scan) -> Iterator[int]:
    """Yield where lines begin that may be indented code: far in, and not below a line of a paragraph."""
    text = scan.text
    if "    " not in text and "\t" not in text:
        return
    stretches = scan.opaque()
    places = [0, *(end for _, end in stretches)]
    starts = {place for place in places if _FAR_IN.match(text, place) or _BESIDE_FIRST.match(text, place)}
    starts.update(found.end() for found in _BELOW_LINE.finditer(text))
    starts.update(found.start() + 1 for found in _BESIDE_MARK.finditer(text))
    if first := _BELOW_FIRST.match(text):
        starts.add(first.end())
    at = 0
    for start in sorted(starts):
        while at < len(stretches) and stretches[at][1] <= start:
            at += 1
        if at == len(stretches) or start < stretches[at][0]:
            yield start
