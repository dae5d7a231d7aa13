"""What in a paragraph is no prose: code between backticks, and HTML.

Whatever begins first counts, and a backslash takes its meaning from a mark.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from loreweave.notes.markup import AUTOLINK, TAG

BLOCK = "block"
CODE = "code"
MARKUP = "markup"
COMMENT = "comment"

MARK = re.compile(r"\\|`|<(?=[A-Za-z/!?])")
TICKS = re.compile("`++")
CODE_IN_LINE = re.compile(r"(`++)[^`\n]++\1(?!`)")
_ESCAPED = "!\"#$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_LONG = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>", "<!": ">"}
_LONG_START = re.compile(r"<(?:!--|\?|!\[CDATA\[|!(?=[A-Za-z]))")
_SHORT_COMMENT = re.compile("<!---?>")
_QUOTES = re.compile(r"\n[ \t>]++")


class Stretch(NamedTuple):
    """A stretch of a text: what it is, where it starts and ends."""

    kind: str
    start: int
    end: int


class Inline:
    """The marks of a text between two places, read from left to right."""

    def __init__(self, text: str, end: int) -> None:
        self.text, self.end = text, end
        self._runs: dict[int, list[int]] | None = None
        self._closing: dict[str, int] = {}

    def stretches(self, at: int) -> Iterator[Stretch]:
        """Yield what is no prose from a place on."""
        while found := MARK.search(self.text, at, self.end):
            stretch = self.stretch(found.start())
            if isinstance(stretch, Stretch):
                yield stretch
                at = stretch.end
            else:
                at = stretch

    def stretch(self, at: int) -> Stretch | int:
        """Read the mark at a place; where it marks nothing, give the place to go on at."""
        match self.text[at]:
            case "\\":
                return at + 1 + (self.text[at + 1 : at + 2] in _ESCAPED)
            case "`":
                return self._code(at)
            case _:
                return self._html(at)

    def _code(self, at: int) -> Stretch | int:
        found = CODE_IN_LINE.match(self.text, at, self.end)
        if found:
            return Stretch(CODE, at, found.end())
        run = TICKS.match(self.text, at, self.end)
        after = run.end() if run else at + 1
        closing = self._run(after - at, after)
        return after if closing < 0 else Stretch(CODE, at, closing + after - at)

    def _run(self, length: int, at: int) -> int:
        """Find the next run of just so many backticks; -1 where there is none."""
        if self._runs is None:
            first = self.text.find("`", at, self.end)
            if first < 0:
                return -1
            self._runs = defaultdict(list)
            for found in TICKS.finditer(self.text, first, self.end):
                self._runs[found.end() - found.start()].append(found.start())
        places = self._runs.get(length, [])
        index = bisect_left(places, at)
        return places[index] if index < len(places) else -1

    def _html(self, at: int) -> Stretch | int:
        text, end = self.text, self.end
        if found := TAG.match(text, at, end) or _SHORT_COMMENT.match(text, at, end):
            return Stretch(MARKUP, at, found.end())
        if found := AUTOLINK.match(text, at, end):
            return found.end()
        if found := _LONG_START.match(text, at, end):
            closed = self._closed(_LONG[found[0]], found.end())
            if closed >= 0:
                return Stretch(COMMENT if found[0] == "<!--" else MARKUP, at, closed)
        return at + 1

    def _closed(self, mark: str, at: int) -> int:
        """Find the end of the next such mark; -1 where there is none."""
        place = self._closing.get(mark, 0)
        if 0 <= place < at:
            place = self._closing[mark] = self.text.find(mark, at, self.end)
        return -1 if place < 0 else place + len(mark)


def in_paragraph(text: str, begun: int, end: int) -> Iterator[Stretch]:
    """Yield what is no prose in a paragraph, the marks of quotes at the beginnings of its lines left out."""
    content = text[begun:end]
    if "\n>" in content.replace(" ", "").replace("\t", ""):
        content = _QUOTES.sub(lambda marks: marks[0].replace(">", " "), content)
    for kind, start, stop in Inline(content, len(content)).stretches(0):
        yield Stretch(kind, start + begun, stop + begun)
