"""What links alone reach: notes near to those that a question names and to the spans that its words found.

A walk goes out from the best spans and the named notes. The notes it comes to stand beside what words found, with the
way by which they were reached, and are never scored against words. In a vault without link, tag and belief there are
none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from loreweave.projections.notes import span_id
from loreweave.search.facets import Facets
from loreweave.search.naming import asked_names, named_in, written_names
from loreweave.search.passages import Passage, passages
from loreweave.search.surroundings import MENTION, Surroundings
from loreweave.search.walk import Node, walk

if TYPE_CHECKING:
    from loreweave.store.session import Session

NAMED = 1.0
"""What a note weighs that the question names, beside the best span."""

SPANS = 10
"""How many of the best spans the walk starts from."""

READ = 3
"""How many of them are read for the names that they mention."""

MOST = 10
"""How many notes are given."""


class Linked(NamedTuple):
    """A note that links reach: the passage of it to show, and the titles of the notes on the way to it, in order.

    ``share`` is how much of the walk came there; it orders these notes, and says nothing beside scores of words.
    """

    passage: Passage
    via: tuple[str, ...]
    share: float


def linked(
    session: Session, wordings: Sequence[str], direct: Sequence[Passage], facets: Facets, limit: int
) -> tuple[Linked, ...]:
    """Give the notes that links reach and of which no span is among the first ``limit`` found, the nearest first.

    ``direct`` are the spans that words found, the best first; of a note that has some the best is shown.
    """
    graph = Surroundings(session, facets.scope_key)
    seeds = _seeds(graph, wordings, direct)
    if not seeds:
        return ()
    walked = walk(seeds, graph.around)
    passed = {span_id(passage.path) for passage in direct[:limit]}
    reached = [node for node in walked.shares if isinstance(node, int) and node not in passed]
    first = sorted(reached, key=lambda note: (-round(walked.shares[note], 9), note))[: 2 * MOST]
    if not first or not graph.filled():
        return ()
    ways = {note: walked.way(note, seeds) for note in first}
    shown = _to_show(graph, ways, direct)
    read = _allowed(session, passages(session, shown.values(), facets.scope_key), facets)
    told = graph.told(ways)
    found = [
        Linked(read[shown[note]], told[note], round(walked.shares[note], 9))
        for note in first
        if shown[note] in read and note in told
    ]
    return tuple(sorted(found, key=lambda each: (-each.share, each.passage.path))[:MOST])


def _seeds(graph: Surroundings, wordings: Sequence[str], direct: Sequence[Passage]) -> dict[Node, float]:
    """Give where the walk starts, with its weights, and join to it what only it is joined to."""
    asked = [asked_names(wording) for wording in wordings]
    written = [(passage, written_names(passage.text)) for passage in direct[:READ]]
    known = graph.called([*asked, *(names for _, names in written)])
    seeds: dict[Node, float] = {}
    for rank, passage in enumerate(direct[:SPANS], 1):
        seeds[graph.begin(passage.span_id, span_id(passage.path))] = 1 / rank
    for passage, names in written:
        for named in named_in(names, known).values():
            if named.path != passage.path:
                graph.join(graph.begin(passage.span_id, span_id(passage.path)), span_id(named.path), MENTION)
    meant = {each: named for names in asked for each, named in named_in(names, known).items()}
    subjects = graph.name(meant, [each for names in asked for each in names.keys])
    return seeds | dict.fromkeys([*(span_id(named.path) for named in meant.values()), *subjects], NAMED)


def _to_show(graph: Surroundings, ways: Mapping[int, Sequence[Node]], direct: Sequence[Passage]) -> dict[int, int]:
    """Give for each note the passage to show: that which words found, or which links back, or the first."""
    best = {span_id(passage.path): passage.span_id for passage in reversed(direct)}
    return {note: best.get(note, graph.standing.get((*way[-1:], note), note)) for note, way in ways.items()}


def _allowed(session: Session, read: dict[int, Passage], facets: Facets) -> dict[int, Passage]:
    if not facets.any or not read:
        return read
    sql, values = facets.spans()
    rows = session.ask(f"{sql} and span_id in (select unnest(?::bigint[]))", [*values, list(read)])
    return {allowed: read[allowed] for (allowed,) in rows.fetchall()}
