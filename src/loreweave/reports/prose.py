"""The passages of the notes as they are compared: what somebody wrote in them, in running text.

A heading is no prose, nor are properties, code, markup and where links lead. What stands between a comment that opens a
name and one that closes it was put there by a machine, which copies it again when its source changes; and whoever cites
the same work lists it in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from loreweave.reports.aside import REFERENCES, UNCOPIED
from loreweave.search.found import address
from loreweave.search.sketches import words_of

if TYPE_CHECKING:
    from loreweave.store.session import Session

_SEAM = "\x00"
_unseen = re.compile(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>|(?<=\])\([^()\s]*\)", re.DOTALL).sub
_links = re.compile(r"!?\[\[[^\[\]]*\]\]|https?://\S+").sub
_signs = re.compile("[\u2e80-\uffff]").findall
_fences = re.compile(r"^[ \t>]*+(?:```|~~~)", re.MULTILINE).split
_comments = re.compile(r"<!--\s*(.*?)\s*-->", re.DOTALL).finditer
_closes = re.compile(r"(?i)(?:end[ _:-]?|/)\s*([\w-]+)|([\w-]+?)[ _:-](?:end)\b").match
_opens = re.compile(r"(?i)(?:(?:start|begin)[ _:-])?([\w-]+?)(?:[ _:-](?:start|begin))?(?![\w-])").match

_PASSAGES = """
    select path, anchor, start_line, end_line, text, spans.words,
        regexp_matches(array_to_string(heading_path, chr(10)), $references) as cited
    from spans join notes using (path)
    where spans.scope_key = $scope_key and not (start_line = 1 and frontmatter <> '{}')
        and not regexp_full_match(path, $aside)
    order by path, start_line, end_line
"""


class Passage(NamedTuple):
    """A passage, its prose, and how many words are written there in all."""

    path: str
    anchor: str
    start_line: int
    end_line: int
    body: str
    written: int

    @property
    def words(self) -> int:
        """The number of words; two signs of scripts without blanks are one."""
        return _count(self.body)

    @property
    def own(self) -> int:
        """The number of words, of which a link is one."""
        return _count(_links(" link ", self.body))

    @property
    def address(self) -> str:
        """The address of the passage."""
        return address(self.path, self.anchor, self.start_line, self.end_line)


def passages(session: Session, scope_key: str) -> Iterator[Passage]:
    """Give the passages of a scope that have any prose, in order of place."""
    asked = {"scope_key": scope_key, "aside": UNCOPIED, "references": REFERENCES}
    for _, rows in groupby(session.ask(_PASSAGES, asked).fetchall(), itemgetter(0)):
        yield from _of_note([*rows])


def _of_note(rows: Sequence[Sequence[Any]]) -> Iterator[Passage]:
    bodies = [*_without_code([row[4] for row in rows])]
    if any("<!--" in body for body in bodies):
        bodies = _without_copied(_SEAM.join(bodies)).split(_SEAM)
    for (path, anchor, start_line, end_line, _, words, cited), body in zip(rows, bodies, strict=True):
        prose = "" if cited else _plain(_without_headings(body))
        if prose and not prose.isspace():
            yield Passage(path, anchor, start_line, end_line, prose, words)


def _without_code(texts: Iterable[str]) -> Iterator[str]:
    """Take out code; a block of it may go on in the next passage."""
    inside = False
    for text in texts:
        parts = _fences(text) if "```" in text or "~~~" in text else [text]
        yield "".join(parts[inside::2]).replace(_SEAM, " ")
        inside ^= len(parts) % 2 == 0


def _without_copied(text: str) -> str:
    """Take out what stands between a comment that opens a name and one that closes it, but for the seams."""
    opened: dict[str, int] = {}
    cuts: list[tuple[int, int]] = []
    for comment in _comments(text):
        if closing := _closes(comment[1]):
            begin = opened.pop((closing[1] or closing[2]).casefold(), None)
            if begin is not None:
                cuts = [cut for cut in cuts if cut[0] < begin]
                cuts.append((begin, comment.end()))
        elif (opening := _opens(comment[1])) and not opening[1].endswith("ignore"):
            opened[opening[1].casefold()] = comment.start()
    for begin, end in reversed(cuts):
        text = text[:begin] + _SEAM * text.count(_SEAM, begin, end) + text[end:]
    return text


def _plain(text: str) -> str:
    """Take out markup and where links lead: what is compared is what a reader sees."""
    return _unseen("", text) if "<" in text or "](" in text else text


def _without_headings(text: str) -> str:
    """Take off the headings that a passage begins with."""
    while text.startswith("#"):
        heading, _, rest = text.partition("\n")
        if not heading.lstrip("#").startswith((" ", "\t")) and heading.strip("#"):
            break
        text = rest.lstrip("\n")
    return text


def _count(text: str) -> int:
    return len(words_of(text)) - len(_signs(text)) // 2
