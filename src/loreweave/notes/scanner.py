"""The scanner: it jumps from mark to mark, and looks at what a line stands in only where that matters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from loreweave.notes.comments import Comments
from loreweave.notes.fences import CONTAINER, FENCE, closes, expanded, go_on
from loreweave.notes.inline import CODE, Inline
from loreweave.notes.markup import RAW, end_of_raw
from loreweave.notes.nesting import FENCED, HTML, INDENTED, PARAGRAPH, Nesting

_HTML_COMMENT, _PERCENT, _HTML = "<!--", "%%", "<"
_RUN = re.compile("`++|~++")
_TAGGED = re.compile(r"[ \t]*+[-*+][ \t]*+\[\w{2,}+\]")
_FRONTMATTER = re.compile(r"(---\w*+|\+\+\+)[ \t]*+\n")
_CLOSING = {mark: re.compile(rf"\n{re.escape(mark)}[ \t]*+(?:\n|\Z)") for mark in ("---", "+++")}
_KEY = re.compile(r"^[\w\"'][^\n:]*+:(?=[ \t\n])", re.MULTILINE)
_HTML_LINE, _HTML_FIRST = re.compile(r"\n[ \t>*+\-0-9.)]*+<"), re.compile(r"[ \t>*+\-0-9.)]*+<")


def may_hold_html(text: str, at: int = 0) -> bool:
    """Say whether a line of a text begins with ``<``, but for blanks and the marks of lists and quotes."""
    return "<" in text and (_HTML_FIRST.match(text, at) or _HTML_LINE.search(text, at)) is not None


class Scanner:
    """One pass over a text; ``open`` and ``settled`` are those of ``Scan``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.body = 0
        self.hidden: list[tuple[int, int]] = []
        self.raw: list[tuple[int, int]] = []
        self.inner: dict[int, int] = {}
        self.open, self.settled = False, True
        self._opaque: list[tuple[int, int]] = []
        self._may_hold_html = may_hold_html(text)
        marks = ("```", "~~~", _PERCENT, *((_HTML_COMMENT, _HTML) if "<" in text else ()))
        self._ahead = dict.fromkeys(marks, -1)
        self._start, self._end, self._content = 0, -1, 0
        self._code: list[tuple[int, int]] | None = None

    @cached_property
    def _nesting(self) -> Nesting:
        return Nesting(self.text, self._opaque, self.inner)

    @cached_property
    def _comments(self) -> Comments:
        return Comments(self.text, self._nesting)

    def skip_frontmatter(self) -> None:
        """Hide the frontmatter that the text begins with, if it does."""
        opening = _FRONTMATTER.match(self.text)
        if opening is None:
            return
        mark, begins = opening[1][:3], opening.end()
        closing = _CLOSING[mark].search(self.text, begins - 1)
        if closing is None:
            self.settled = False
        elif opening[1] != "---" or self.text[begins] != "\n" or _KEY.search(self.text, begins, closing.start() + 1):
            self.body = closing.end()
            self._hide(0, self.body)

    def run(self) -> None:
        """Go through the text."""
        while (mark := self._next_mark()) is not None:
            if self.at > self._end:
                self._enter_line()
            if mark == _HTML:
                self._raw()
            elif mark in (_HTML_COMMENT, _PERCENT):
                self._comment(mark)
            else:
                self._fence()
        if self._may_hold_html and may_hold_html(self.text, max(self.text.rfind("\n\n"), 0)):
            self.settled = False

    def _next_mark(self) -> str | None:
        """Move to the nearest mark from here on."""
        nearest, at = None, len(self.text)
        for mark, place in self._ahead.items():
            found = place
            if place < self.at:
                found = self._ahead[mark] = self._find(mark)
            if found < at:
                nearest, at = mark, found
        self.at = at
        return nearest

    def _find(self, mark: str) -> int:
        if mark == _HTML:
            match = RAW.search(self.text, self.at)
            return match.start() if match else len(self.text)
        found = self.text.find(mark, self.at)
        return len(self.text) if found < 0 else found

    def _enter_line(self) -> None:
        """Note where the line of the mark begins, has its content, and ends: once, however many marks it has."""
        self._start = self.text.rfind("\n", 0, self.at) + 1
        self._end = self._end_of_line(self.at)
        lead = CONTAINER.match(self.text, self._start) if self._start < self.at else None
        self._content = lead.end() if lead else self._start
        self._code = None

    def _end_of_line(self, at: int) -> int:
        end = self.text.find("\n", at)
        return end if end >= 0 else len(self.text)

    def _leaf(self, expected: str) -> tuple[str, Sequence[int]]:
        """Say what the line of the mark is, and what that stands in: at the margin, mostly, as expected, in nothing."""
        if self._content == self._start and (
            not self._may_hold_html or self._start == 0 or self.text.endswith("\n\n", 0, self._start)
        ):
            return expected, ()
        return self._nesting.leaf_at(self._start), tuple(self._nesting.containers)

    def _fence(self) -> None:
        begins, text = self.at, self.text
        fence = FENCE.match(text, begins) if begins == self._content else None
        run = fence or _RUN.match(text, begins)
        self.at = run.end() if run else begins + 1
        if fence:
            leaf, containers = self._leaf(FENCED)
            if leaf == FENCED:
                self._hide(self._start, self._fence_end(fence[0], containers))

    def _fence_end(self, mark: str, containers: Sequence[int]) -> int:
        if containers:
            return self._end_inside(containers, lambda line, at: closes(line, at, mark))
        text, at = self.text, self._end
        while (place := text.find(mark, at)) >= 0:
            at = self._end_of_line(place)
            if closes(text, text.rfind("\n", 0, place) + 1, mark):
                return min(at + 1, len(text))
        self.open, self.settled = True, False
        return len(text)

    def _end_inside(self, containers: Sequence[int], is_end: Callable[[str, int], object]) -> int:
        """Find where what the line of the mark begins ends: below such a line, or with what it stands in."""
        text, at = self.text, self._end + 1
        while at < len(text):
            end = self._end_of_line(at)
            line = expanded(text[at:end])
            depth, column = go_on(line, containers)
            if depth < len(containers):
                return at
            at = min(end + 1, len(text))
            if is_end(line, column):
                return at
        self.settled = False
        return len(text)

    def _raw(self) -> None:
        begins, self.at = self.at, self.at + 2
        end = end_of_raw(self.text, begins)
        if begins != self._content or end is None:
            return
        leaf, containers = self._leaf(_HTML)
        if leaf in (PARAGRAPH, INDENTED, HTML):
            return
        if end.search(self.text, begins, self._end):
            stop = min(self._end + 1, len(self.text))
        else:
            stop = self._end_inside(containers, end.search)
        self._pass(self.raw, self._start, stop)

    def _comment(self, mark: str) -> None:
        if _TAGGED.match(self.text, self._start):
            self.at = self._end
        elif self.at == self._content:
            self._comment_that_opens_a_line(mark)
        elif mark == _HTML_COMMENT:
            self._comment_in_paragraph()
        elif self._in_code():
            self.at += len(mark)
        else:
            self._percents(self._end + 1)

    def _comment_that_opens_a_line(self, mark: str) -> None:
        leaf, containers = ("", ()) if self._content == self._start else self._leaf("")
        if leaf == INDENTED:
            self.at += 2
        elif mark == _PERCENT:
            self._percents(self._start)
        elif leaf == PARAGRAPH:
            self._comment_in_paragraph()
        elif self.text.find("-->", self.at + 2, self._end) >= 0:
            self._hide(self._start, min(self._end + 1, len(self.text)))
        else:
            self._hide(self._start, self._comment_end(containers))

    def _comment_end(self, containers: Sequence[int]) -> int:
        if containers:
            return self._end_inside(containers, lambda line, at: line.find("-->", at) >= 0)
        return self._below(self.text.find("-->", self._end))

    def _below(self, close: int) -> int:
        """Give where the line below a closing mark begins; the end where nothing closes."""
        if close < 0:
            self.open, self.settled = True, False
            return len(self.text)
        return min(self._end_of_line(close) + 1, len(self.text))

    def _percents(self, start: int) -> None:
        """Hide the lines from ``start`` to the closing ``%%``; one inside a line that nothing closes is plain text."""
        close = self.text.find(_PERCENT, self.at + 2)
        opens_line = start <= self.at
        if 0 <= close < self._end and not opens_line:
            self.at = close + 2
        elif close >= 0 or opens_line:
            if not opens_line:
                self.inner[start] = self.at
            self._hide(start, self._below(close))
        else:
            self.settled, self.at = False, self.at + 2

    def _in_code(self) -> bool:
        if self._code is None:
            stretches = Inline(self.text, self._end).stretches(self._start)
            self._code = [(start, end) for kind, start, end in stretches if kind == CODE][::-1]
        while self._code and self._code[-1][1] <= self.at:
            self._code.pop()
        return bool(self._code) and self._code[-1][0] < self.at

    def _comment_in_paragraph(self) -> None:
        """Hide the lines that begin inside a comment, if it is one."""
        close = self._comments.closing(self.at)
        if close == len(self.text):
            self.settled = False
            self.at += 4
        elif close < self._end:
            self.at = close + 3
        elif (end := self._comments.end(self._start, self.at)) is None:
            self.at += 4
        else:
            self.inner[self._end + 1] = self.at
            self._hide(self._end + 1, self._below(end))

    def _pass(self, stretches: list[tuple[int, int]], start: int, end: int) -> None:
        stretches.append((start, end))
        self._opaque.append((start, end))
        self.at = end

    def _hide(self, start: int, end: int) -> None:
        self._pass(self.hidden, start, end)
