"""What a line stands in: the list items and quotes that are open there, and the paragraph or block it goes on.

This is the block structure of CommonMark, line by line. It is exact and slow, so it is walked only to the places that
are asked for, each from the nearest line above where nothing stands open: one at the left margin, below an empty line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container

from loreweave.notes.fences import FENCE, QUOTE, TAB, expanded, go_on
from loreweave.notes.markup import begins_block, end_of_raw

NOTHING = "nothing"
PARAGRAPH = "paragraph"
INDENTED = "indented code"
FENCED = "fenced code"
RAW = "HTML up to its end"
HTML = "HTML up to a blank line"
HEADING = "heading"
UNDERLINE = "underline of a heading"

DEEPEST = 32
"""How many list items and quotes stand in each other; what is written deeper in is text of the last one."""

_NEAR = 200
_INDENT, _BLANK = re.compile(" *+"), re.compile(r"[ \t]*+(?:\n|\Z)")
_WORDS = re.compile(r"([ \t]*+)([-*+] {1,4})?+(?=[^\W\d_])")
_ITEM = re.compile(r"([-*+]|([0-9]{1,9})[.)])(?:( ++)|\Z)")
_BREAK = re.compile(r"([-*_])(?:[ \t]*+\1){2,}+[ \t]*+\Z")
_ATX = re.compile(r"#{1,6}(?:[ \t]|\Z)")
_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\Z")
_DEFINITION = re.compile(
    r"[ \t]*+\[(?=\s*+[^\]\s])(?:[^\[\]\\]|\\.)++\]:\s*+(?:<[^<>\n]*+>|[^\s<]\S*+)"
    r"(?:\s++(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))[ \t]*+(?:\n|\Z)|[ \t]*+(?:\n|\Z))",
    re.DOTALL,
)


class Nesting:
    """A place in a text, moving down it.

    ``opaque`` are the stretches known not to be gone through line by line, each from the line that opens it on; those
    whose starts are among ``inner`` begin below the line of a paragraph that opens them. Both may grow behind the
    place.
    """

    def __init__(self, text: str, opaque: list[tuple[int, int]], inner: Container[int]) -> None:
        self.text, self.opaque, self.inner = text, opaque, inner
        self.start, self.at = -1, 0
        self.containers: list[int] = []
        self.leaf = NOTHING
        self.paragraph = 0
        self._stretch = 0
        self._is_bare = False

    def leaf_at(self, start: int) -> str:
        """Say what the line at ``start`` is or goes on; asked of ever later lines, or of ones in the last paragraph."""
        if start > self.start:
            if start > self.at + _NEAR:
                self._jump(start)
            while self.start < start and self.step():
                pass
        return self.leaf if start == self.start else PARAGRAPH

    def end_of_leaf(self) -> int:
        """Move on to the first line that is not in the open paragraph, or HTML, and give where it begins."""
        leaf, begun, end = self.leaf, self.paragraph, self.at
        while self.leaf == leaf and self.paragraph == begun:
            end = self.at
            if not self.step():
                break
        return min(end, len(self.text))

    def step(self) -> bool:
        """Take the next line into account, or the stretch that begins there; False at the end of the text."""
        if not self._begin():
            return False
        text, start = self.text, self.at
        end = text.find("\n", start)
        self.start, self.at = start, end + 1 if end >= 0 else len(text) + 1
        if words := _WORDS.match(text, start):
            self._take_words(words[1].expandtabs(TAB), len(words[2]) if words[2] else 0)
        elif _BLANK.match(text, start):
            self._take_blank()
        else:
            self._take(expanded(text[start : self.at - 1]))
        return True

    def _jump(self, start: int) -> None:
        """Go to the nearest line above, if there is one below the place, where nothing can stand open."""
        text, near = self.text, start
        while (gap := text.rfind("\n\n", max(self.at - 1, 0), near)) >= 0:
            at = gap + 2
            index = bisect_right(self.opaque, (at, -1)) - 1
            if index >= 0 and at < self.opaque[index][1]:
                near = self.opaque[index][0]
            elif text[at : at + 1] in ("", " ", "\t", "\n"):
                near = gap + 1
            else:
                self.at, self.containers, self.leaf, self._is_bare = at, [], NOTHING, False
                return

    def _begin(self) -> bool:
        """Leave the stretches that are no lines to be gone through."""
        opaque = self.opaque
        while self._stretch < len(opaque):
            start, end = opaque[self._stretch]
            if end <= self.at:
                self._stretch += 1
            elif start < self.at:
                self.at, self.leaf = end, NOTHING
            elif start == self.at and start in self.inner:
                self.at = end
                if self.text.find("\n\n", start - 1, end) >= 0:
                    self._take_blank()
            else:
                break
        return self.at < len(self.text)

    def _take_words(self, indent: str, mark: int) -> None:
        """Take a line of words behind blanks, and behind the mark of an item that is ``mark`` columns wide, if any."""
        if self.leaf == PARAGRAPH and not mark:
            return
        depth, at = go_on(indent + "x", self.containers)
        is_far_in = len(indent) - at >= 4
        if (self.leaf == PARAGRAPH and is_far_in) or (self.leaf == HTML and depth == len(self.containers)):
            return
        self.containers, self._is_bare = self.containers[:depth], False
        if mark and not is_far_in and depth < DEEPEST:
            self.containers.append(len(indent) - at + mark)
        self.leaf = INDENTED if is_far_in else PARAGRAPH
        self.paragraph = self.start

    def _take_blank(self) -> None:
        """Take a blank line: it ends quotes, and items that have begun with one."""
        if QUOTE in self.containers:
            del self.containers[self.containers.index(QUOTE) :]
        elif self._is_bare:
            self.containers.pop()
        self.leaf, self._is_bare = NOTHING, False

    def _take(self, line: str) -> None:
        """Take a line that begins with a mark, or what may be one."""
        depth, at = go_on(line, self.containers)
        content = _content(line, at)
        is_inside = depth == len(self.containers)
        if content == len(line):
            del self.containers[depth:]
            self.leaf = NOTHING
        elif self.leaf != HTML or not is_inside:
            self._open(line, at, depth, is_inside=is_inside)
            return
        self._is_bare = False

    def _open(self, line: str, at: int, depth: int, *, is_inside: bool) -> None:
        """Open what begins in a line, unless it goes on the paragraph above."""
        goes_on = self.leaf == PARAGRAPH
        direct = goes_on and is_inside
        opened, content = self.containers[:depth], _content(line, at)
        while content - at < 4 and len(opened) < DEEPEST:
            found = _container(line, at, content, interrupts=direct)
            if found is None:
                break
            width, at = found
            opened.append(width)
            goes_on, direct, content = False, False, _content(line, at)
        is_far_in = content - at >= 4 and content < len(line)
        leaf = INDENTED if is_far_in else self._leaf(line, content, goes_on=goes_on, direct=direct)
        if goes_on and leaf in (PARAGRAPH, INDENTED):
            return
        self._is_bare = content == len(line) and opened[-1] != QUOTE
        self.containers, self.leaf = opened, leaf
        if leaf == PARAGRAPH:
            self.paragraph = self.start

    def _leaf(self, line: str, at: int, *, goes_on: bool, direct: bool) -> str:
        """Say what begins at the first character of a line that is neither blank nor mark."""
        match line[at : at + 1]:
            case "":
                return NOTHING
            case letter if letter.isalpha():
                return PARAGRAPH
            case "#" if _ATX.match(line, at):
                return HEADING
            case "`" | "~" if FENCE.match(line, at):
                return FENCED
            case "<" if (end := end_of_raw(line, at)) is not None:
                return NOTHING if end.search(line, at) else RAW
            case "<" if begins_block(line, at, in_paragraph=goes_on):
                return HTML
            case "=" | "-" if direct and _UNDERLINE.match(line, at) and self._has_text():
                return UNDERLINE
            case "-" | "*" | "_" if _BREAK.match(line, at):
                return NOTHING
            case "%" if line.startswith("%%", at) and self._is_stretch():
                return NOTHING
        return PARAGRAPH

    def _is_stretch(self) -> bool:
        return self._stretch < len(self.opaque) and self.opaque[self._stretch][0] == self.start

    def _has_text(self) -> bool:
        """Say whether the open paragraph is more than definitions of links; in a quote it is taken to be."""
        return QUOTE in self.containers or without_definitions(self.text[self.paragraph : self.start]).strip() != ""


def without_definitions(paragraph: str) -> str:
    """Give what is left of a paragraph after the definitions of links that it begins with."""
    at = 0
    while found := _DEFINITION.match(paragraph, at):
        at = found.end()
    return paragraph[at:]


def _content(line: str, at: int) -> int:
    found = _INDENT.match(line, at)
    return found.end() if found else at


def _container(line: str, at: int, content: int, *, interrupts: bool) -> tuple[int, int] | None:
    """Read the quote or list item that a line opens at a column, and give the column where it goes on in there."""
    if line.startswith(">", content):
        return QUOTE, content + 1 + line.startswith(" ", content + 1)
    found = _ITEM.match(line, content)
    if found is None or _BREAK.match(line, content):
        return None
    is_bare = found.end() == len(line)
    if interrupts and (is_bare or (found[2] and int(found[2]) != 1)):
        return None
    blanks = 1 if is_bare or len(found[3]) > 4 else len(found[3])
    inside = found.end(1) + blanks
    return inside - at, len(line) if is_bare else inside
