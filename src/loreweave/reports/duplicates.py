"""What several notes say in the same words, or nearly: one row for all passages that the same notes have in common.

What many notes have in common is a form, such as a footer, and so is what the notes of a series have; it is meant to be
repeated. A sentence that two long notes share is a turn of speech. Of two notes with the same text one is too many,
though it be a list of links.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.reports.aside import UNCOPIED, is_series
from loreweave.reports.brief import clipped
from loreweave.reports.prose import Passage, passages
from loreweave.search.sketches import common, near

if TYPE_CHECKING:
    from loreweave.store.session import Session

LEAST = 16
"""Words that a passage has at least, without its heading and with one for a link, to count as said twice."""

ENOUGH, PART = 30, 0.4
"""Words that notes have in common at least, or else what part of one of them these are."""

FORM = 6
"""In how many notes a passage is a form."""

SHORT_FORM, SHORT = 4, 100
"""In how many notes it is one where they have fewer words than these in common, and nothing told before."""

BEGINNING = 100
"""Characters that are given of a passage."""

_ENDS = tuple("\n.!?:。！？：")
_begins = re.compile(r"(?:[.!?:]\s|[。！？：]|\n)[\s>*_#+-]*").search
_EQUAL = """
    select list(path order by path) from (
        select path, string_agg(spans.body_hash, ' ' order by start_line, end_line) as body
        from spans join notes using (path)
        where spans.scope_key = $scope_key and not (start_line = 1 and frontmatter <> '{}')
            and not regexp_full_match(path, $aside)
        group by path
    )
    group by body having count(*) between 2 and $most order by all
"""


@attrs.frozen
class Duplicate:
    """Passages that the same notes have in common.

    ``likeness`` is the share of their runs of words that they have in common at least; ``places`` are the first
    passage in each of the ``notes`` notes, in order of path; ``passages`` is how many such passages there are in one of
    them, ``exact`` how many of these are the same in all, ``words`` how many words they have there; ``text``
    is how the first begins, or where they only nearly agree the longest run of words that they share.

    ``others`` is how many passages more some of the notes have in common, and not all, or all of them with ``beside``.
    """

    likeness: float
    places: tuple[str, ...]
    notes: int
    passages: int
    exact: int
    words: int
    text: str
    others: int
    beside: tuple[str, ...] = ()


class _Copies(NamedTuple):
    """Passages that say the same, in order of place."""

    likeness: float
    spans: tuple[Passage, ...]

    @property
    def shared(self) -> float:
        """About how many words are the same: the part of each that is, where ``likeness`` is one of both together."""
        return self.spans[0].words * 2 * self.likeness / (1 + self.likeness)


class Shared(NamedTuple):
    """What the same notes have in common, and by how many words there is more of it than one note needs.

    ``sets`` are the notes, fewer of these or these with more, that have ``others`` further passages in common.
    """

    notes: tuple[str, ...]
    copies: tuple[_Copies, ...]
    words: int
    others: int = 0
    sets: tuple[tuple[str, ...], ...] = ()


def shared(session: Session, scope_key: str) -> list[Shared]:
    """Find what notes of a scope have in common; first what one note is enough for with the most words."""
    of_note = defaultdict(list)
    for passage in passages(session, scope_key):
        of_note[passage.path].append(passage)
    together = defaultdict(list)
    for copies in _copies([each for said in of_note.values() for each in said if each.written >= LEAST]):
        notes = tuple(dict.fromkeys(span.path for span in copies.spans))
        if 1 < len(notes) < FORM and not is_series(notes) and all(span.own >= LEAST for span in copies.spans):
            together[notes].append(copies)
    found = [Shared(notes, tuple(copies), _spare(copies)) for notes, copies in together.items()]
    found += (each for each in _equal(session, scope_key, of_note) if not any(map({*each.notes}.issubset, together)))
    enough = (each for each in found if _is_enough(each, of_note))
    return _folded(sorted(enough, key=lambda each: (-each.words, each.notes, each.copies)))


def _equal(session: Session, scope_key: str, of_note: Mapping[str, Sequence[Passage]]) -> Iterator[Shared]:
    """Find notes that have all in common, those too that are all links, which no passage tells."""
    asked = {"scope_key": scope_key, "aside": UNCOPIED, "most": FORM - 1}
    for (paths,) in session.ask(_EQUAL, asked).fetchall():
        notes = tuple(paths)
        copies = [_Copies(1.0, each) for each in zip(*(of_note.get(path, ()) for path in notes), strict=False)]
        if sum(each.spans[0].words for each in copies) >= LEAST and not is_series(notes):
            yield Shared(notes, tuple(copies), _spare(copies))


def _is_enough(found: Shared, of_note: Mapping[str, Sequence[Passage]]) -> bool:
    """Tell whether notes have more in common than a turn of speech."""
    words = sum(copies.shared for copies in found.copies)
    return words >= ENOUGH or any(words >= PART * sum(each.words for each in of_note[path]) for path in found.notes)


def _folded(found: Iterable[Shared]) -> list[Shared]:
    """Count with the row before what some of its notes have in common, or most with others; a short form is no row."""
    rows: list[Shared] = []
    told: dict[str, list[int]] = defaultdict(list)
    for each in found:
        before = sorted({at for path in each.notes for at in told[path]})
        among = next((at for at in before if _is_told(each.notes, rows[at].notes)), None)
        if among is not None:
            row = rows[among]
            rows[among] = row._replace(others=row.others + len(each.copies), sets=(*row.sets, each.notes))
            continue
        if len(each.notes) >= SHORT_FORM and sum(copies.spans[0].words for copies in each.copies) < SHORT:
            continue
        for path in each.notes:
            told[path].append(len(rows))
        rows.append(each)
    return rows


def _is_told(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether the notes of one are all of the other, or more than half of each are of both."""
    both = len({*one} & {*other})
    return both == min(len(one), len(other)) or 2 * both > max(len(one), len(other))


def _copies(spans: Sequence[Passage]) -> Iterable[_Copies]:
    """Join the passages that say the same, and those that nearly do."""
    same: dict[str, list[Passage]] = defaultdict(list)
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
        _quoted(found.copies[0]),
        found.others,
        tuple(sorted({path for notes in found.sets for path in notes}.difference(found.notes))),
    )


def _quoted(copies: _Copies) -> str:
    """Give how the passages begin; of those that only nearly agree the longest run that two of them share."""
    bodies = list(dict.fromkeys(span.body for span in copies.spans))
    run = common(bodies) if copies.likeness < 1 else ""
    text = " ".join((_from_sentence(bodies[0], run) if run else bodies[0]).split())
    return clipped(text, BEGINNING)


def _from_sentence(body: str, run: str) -> str:
    """Take off the end of a sentence with which a run begins."""
    before = body.partition(run)[0].rstrip(" \t>*_#-")
    if not before or before.endswith(_ENDS):
        return run
    begins = _begins(run, 0, len(run) // 3)
    return run[begins.end() :] if begins else run


def _spare(copies: Sequence[_Copies]) -> int:
    return sum(span.words for each in copies for span in each.spans[1:])
