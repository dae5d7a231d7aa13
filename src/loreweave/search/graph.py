"""What links alone reach: notes near to those that a question names and to the passages that its words found.

A walk goes out from the best passages, from the notes that the question names, by whatever name, and from what its
beliefs are about: along links, along those beliefs, and to what a passage names. What a passage links or names beside
words of the question is nearer than what it does elsewhere. The notes that the walk comes to stand beside what words
found, with the way by which they were reached, and are never scored against words. In a vault without link, tag and
belief there are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from loreweave.projections.notes import span_id
from loreweave.search.beginning import Beginning
from loreweave.search.constants import LEAST, LINKED, PASSED, SPANS
from loreweave.search.facets import Facets
from loreweave.search.hits import allowed
from loreweave.search.passages import Passage, passages
from loreweave.search.placing import lacking
from loreweave.search.titles import titles_of
from loreweave.search.walk import Node, walk

if TYPE_CHECKING:
    from loreweave.search.direct import Asked, Direct
    from loreweave.search.found import Fact
    from loreweave.store.session import Session

_FILLED = """
    select exists (from links where target_id is not null and scope_key = $1)
        or exists (from tags where scope_key = $1)
        or exists (from beliefs where known_until is null and valid_until is null and scope_key = $1)
"""


class Linked(NamedTuple):
    """A note that links reach: the passage of it to show, and the titles of the notes on the way to it, in order.

    Where the question names the note itself, by its initials for one, ``via`` is that name. ``share`` is how much of
    the walk came there; it orders these notes, and says nothing beside scores of words.
    """

    passage: Passage
    via: tuple[str, ...]
    share: float


def linked(
    session: Session, asked: Asked, begun: Beginning, direct: Direct, facts: Sequence[Fact] = ()
) -> tuple[Linked, ...]:
    """Give the notes that links reach and of which no passage is among the first that words found, the nearest first.

    The walk goes from where it is ``begun``. ``direct`` is what words found; of a note of which they found passages the
    best is shown. ``facts`` are the current beliefs that the question is about.
    """
    if not begun.weights:
        return ()
    walked = walk(begun.weights, begun.graph.around)
    passing = PASSED - len(lacking(direct.groups, begun.titled))
    passed = {span_id(passage.path) for passage, *_ in direct.groups[:passing]}
    near = {node: round(share, 9) for node, share in walked.shares.items() if isinstance(node, int)}
    first = sorted((-share, note) for note, share in near.items() if share >= LEAST and note not in passed)[
        : 2 * LINKED
    ]
    if first and not (begun.graph.linked or facts or _is_filled(session, asked.facets.scope_key)):
        titled = {span_id(path) for paths in begun.titled for path in paths}
        first = [each for each in first if each[1] in titled]
    if not first:
        return ()
    ways = {note: tuple(begun.plain(walked.way(note, begun.weights))) for _, note in first}
    found = _shown(session, begun, ways, direct, asked.facets)
    made = [Linked(passage, via, near[note]) for note, (passage, via) in found.items()]
    return tuple(sorted(made, key=lambda each: (-each.share, each.passage.path))[:LINKED])


def _is_filled(session: Session, scope_key: str) -> bool:
    return bool(session.rows(_FILLED, [scope_key])[0][0])


def _shown(
    session: Session,
    begun: Beginning,
    ways: Mapping[int, tuple[Node, ...]],
    direct: Direct,
    facets: Facets,
) -> dict[int, tuple[Passage, tuple[str, ...]]]:
    """Give for each note the passage to show and the titles on the way; none for one that may not be found.

    It is the passage that words found, or else the one that links back, or else the first.
    """
    found = sorted(direct.scores, key=lambda each: (-direct.scores[each], each))
    best = {note: each for each in reversed(found) for note in ways if 0 <= each - note < SPANS}
    shown = {note: best.get(note, begun.graph.standing.get((*way[-1:], note), note)) for note, way in ways.items()}
    on_ways = {node for way in ways.values() for node in way if isinstance(node, int)}
    read = {passage.span_id: passage for group in direct.groups for passage in group}
    read |= passages(session, set(shown.values()) - read.keys(), facets.scope_key)
    titles = {**begun.texts, **titles_of(session, on_ways, facets.scope_key)}
    may_be_found = allowed(session, read, facets)
    return {
        note: (read[each], tuple(titles[node] for node in ways[note]) or (begun.asked[note],))
        for note, each in shown.items()
        if each in may_be_found and titles.keys() >= set(ways[note])
    }
