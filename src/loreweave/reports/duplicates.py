"""What several notes say in the same words, or nearly: one row for all passages that the same notes have in common.

A heading is no passage, nor are properties, code, or a few links. What many notes have in common is a form, such as
a footer, and so is what the notes of a series have; it is meant to be repeated.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from loreweave.reports.aside import UNCOPIED, is_series
from loreweave.search.found import address
from loreweave.search.sketches import near, words_of

if TYPE_CHECKING:
    from loreweave.store.session import Session

LEAST = 16
"""Words that a passage has at least, without its heading and with one for a link, to count as said twice."""

FORM = 6
"""In how many notes a passage is a form."""

BEGINNING = 100
"""Characters that are given of a passage."""

_unseen = re.compile(r"<!--.*?(?:-->|\Z)|</?[A-Za-z][^<>]*>|(?<=\])\([^()\s]*\)", re.DOTALL).sub
_links = re.compile(r"!?\[\[[^\[\]]*\]\]|https?://\S+").sub
_signs = re.compile("[\u2e80-\uffff]").findall
_fences = re.compile(r"^[ \t>]*+(?:```|~~~)", re.MULTILINE).split

_SPANS = """
    select path, anchor, start_line, end_line, words, text from spans join notes using (path)
    where spans.scope_key = $scope_key and not (start_line = 1 and frontmatter <> '{}')
        and not regexp_full_match(path, $aside)
    order by path, start_line, end_line
"""


@attrs.frozen
class Duplicate:
    """Passages that the same notes have in common.

    ``likeness`` is the share of their runs of words that they have in common at least; ``places`` are the first
    passage in each of the ``notes`` notes, in order of path; ``passages`` is how many such passages there are in one of
    them, ``exact`` how many of these are the same in all, ``words`` how many words they have there; ``text``
    is how the first begins. ``others`` is how many passages more some of the notes have in common, and not all.
    """

    likeness: float
    places: tuple[str, ...]
    notes: int
    passages: int
    exact: int
    words: int
    text: str
    others: int


class _Span(NamedTuple):
    path: str
    anchor: str
    start_line: int
    end_line: int
    body: str

    @property
    def words(self) -> int:
        """The number of words; two signs of scripts without blanks are one."""
        return len(words_of(self.body)) - len(_signs(self.body)) // 2

    @property
    def says(self) -> bool:
        """Whether it says enough, of which a link is one word."""
        own = _links(" link ", self.body)
        return len(words_of(own)) - len(_signs(own)) // 2 >= LEAST

    @property
    def address(self) -> str:
        return address(self.path, self.anchor, self.start_line, self.end_line)


class _Copies(NamedTuple):
    """Passages that say the same, in order of place."""

    likeness: float
    spans: tuple[_Span, ...]


class Shared(NamedTuple):
    """What the same notes have in common, and by how many words there is more of it than one note needs.

    ``others`` is how many passages more some of them have in common.
    """

    notes: tuple[str, ...]
    copies: tuple[_Copies, ...]
    words: int
    others: int = 0


def shared(session: Session, scope_key: str) -> list[Shared]:
    """Find what notes of a scope have in common; first what one note is enough for with the most words."""
    spans = [*_spans(session.ask(_SPANS, {"scope_key": scope_key, "aside": UNCOPIED}).fetchall())]
    together = defaultdict(list)
    for copies in _copies(spans):
        notes = tuple(dict.fromkeys(span.path for span in copies.spans))
        if 1 < len(notes) < FORM and not is_series(notes) and all(span.says for span in copies.spans):
            together[notes].append(copies)
    found = [Shared(notes, tuple(copies), _spare(copies)) for notes, copies in together.items()]
    return _folded(sorted(found, key=lambda each: (-each.words, each.notes, each.copies)))


def _folded(found: Iterable[Shared]) -> list[Shared]:
    """Count what notes have in common beside the row before, of these notes and others, with the most words."""
    rows: list[Shared] = []
    told: dict[str, list[int]] = defaultdict(list)
    for each in found:
        among = next((at for at in told[each.notes[0]] if set(each.notes) <= set(rows[at].notes)), None)
        if among is not None:
            rows[among] = rows[among]._replace(others=rows[among].others + len(each.copies))
            continue
        for path in each.notes:
            told[path].append(len(rows))
        rows.append(each)
    return rows


def _spans(rows: Iterable[Sequence[Any]]) -> Iterator[_Span]:
    """Give passages without headings and code; a code block may go on in the next passage of its note."""
    of, inside = "", False
    for path, anchor, start_line, end_line, words, text in rows:
        inside = inside and path == of
        of, parts = path, _fences(text) if "```" in text or "~~~" in text else [text]
        body = "".join(parts[inside::2])
        inside ^= len(parts) % 2 == 0
        if words >= LEAST:
            yield _Span(path, anchor, start_line, end_line, _plain(_without_headings(body)))


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


def _copies(spans: Sequence[_Span]) -> Iterable[_Copies]:
    """Join the passages that say the same, and those that nearly do."""
    same: dict[str, list[_Span]] = defaultdict(list)
    for span in spans:
        same[" ".join(span.body.split())].append(span)
    equal = list(same.values())
    groups = {at: [at] for at in range(len(equal))}
    leader, likeness = list(range(len(equal))), dict.fromkeys(range(len(equal)), 1.0)
    for one, other, share in near(list(same)):
        first, second = sorted((leader[one], leader[other]))
        for at in groups.pop(second):
            leader[at] = first
            groups[first].append(at)
        likeness[first] = min(likeness[first], likeness[second], share)
    for first, members in groups.items():
        joined = tuple(sorted(span for at in members for span in equal[at]))
        if len(joined) > 1:
            yield _Copies(likeness[first], joined)


def duplicate(found: Shared) -> Duplicate:
    """Give the row of what the same notes have in common."""
    likeness = min(each.likeness for each in found.copies)
    first = {span.path: span for span in reversed(found.copies[0].spans)}
    return Duplicate(
        round(likeness, 2),
        tuple(first[path].address for path in found.notes),
        len(found.notes),
        len(found.copies),
        sum(copies.likeness == 1 for copies in found.copies),
        sum(copies.spans[0].words for copies in found.copies),
        _beginning(" ".join(found.copies[0].spans[0].body.split())),
        found.others,
    )


def _beginning(text: str) -> str:
    return text if len(text) <= BEGINNING else f"{text[: BEGINNING - 1].rstrip()}…"


def _spare(copies: Sequence[_Copies]) -> int:
    return sum(span.words for each in copies for span in each.spans[1:])
