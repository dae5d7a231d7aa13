"""Finding passages: words, wordings, links and time over the spans of the index.

Each wording gives a list, ranks are fused, copies are brought together, the time asked about counts, and what links
alone reach stands beside what words found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, islice
from typing import TYPE_CHECKING

import attrs

from loreweave.search.beginning import Beginning, begin
from loreweave.search.beliefs import facts
from loreweave.search.constants import PASSED
from loreweave.search.direct import Asked, Direct, find
from loreweave.search.found import Found, Question, Result, address
from loreweave.search.graph import Linked, linked
from loreweave.search.hits import undated
from loreweave.search.marks import marks
from loreweave.search.placing import arranged, name_of, placed, tells, with_named
from loreweave.search.reasons import reasons

if TYPE_CHECKING:
    from loreweave.search.dense import Ask
    from loreweave.search.passages import Passage
    from loreweave.store.session import Session


def search(session: Session, question: Question, dense: Ask | None = None) -> Found:
    """Find the spans that answer a question, the best first. Raise BadRequest for one without words."""
    asked = Asked.read(session, question)
    with ThreadPoolExecutor(1) as beside:
        believing = beside.submit(facts, session, question, asked.stemmer)
        direct = find(session, asked, dense)
        believed = believing.result()
    begun = begin(session, asked, [group[0] for group in direct.groups], believed)
    shown = _shown(direct, arranged(direct, begun.named, begun.titled))
    reached = linked(session, asked, begun, shown, believed)
    return Found(
        queries=tuple(wording.text for wording in asked.wordings),
        results=tuple(islice(_results(asked, shown, begun, reached), question.limit)),
        exhausted=bool(asked.known.unread) or asked.weighed.cut,
        degraded=_degraded(asked, direct),
        undated=undated(session, asked.weighed, asked.facets),
        facts=believed,
    )


def _shown(direct: Direct, groups: Sequence[Sequence[Passage]]) -> Direct:
    """Put what was found in this order; what goes before something better has the score of that, so that they agree."""
    own = [direct.scores.get(group[0].span_id, 0.0) for group in reversed(groups)]
    scores = {group[0].span_id: best for group, best in zip(reversed(groups), accumulate(own, max), strict=True)}
    return attrs.evolve(direct, groups=groups, scores={**direct.scores, **scores})


def _results(asked: Asked, direct: Direct, begun: Beginning, reached: Iterable[Linked]) -> Iterator[Result]:
    """Give what words found and what links reach, each once, where it comes first."""
    at = {passage.span_id: tuple(group) for group in direct.groups for passage in group}
    ways: dict[tuple[Passage, ...], str] = {}
    for way in reached:
        if way.passage.span_id in direct.scores or tells(way.passage.text) or name_of(way.passage, begun.titled):
            ways.setdefault(at.get(way.passage.span_id, (way.passage,)), f"via {' → '.join(way.via)}")
    shown = _shown(direct, with_named(direct.groups, list(ways), begun.titled))
    words = [tuple(group) for group in shown.groups]
    for group in dict.fromkeys(placed(words, [each for each in ways if each not in words[:PASSED]])):
        called = name_of(group[0], begun.titled)
        why = f"called {called}" if called else ways.get(group)
        yield _result(asked, shown, group, (why,) if why else ())


def _result(asked: Asked, direct: Direct, group: Sequence[Passage], why: tuple[str, ...]) -> Result:
    terms = {one.term for wording in asked.weighed.wordings for one in wording}
    best = group[0]
    _, *also = dict.fromkeys(address(each.path, each.anchor, each.start_line, each.end_line) for each in group)
    return Result(
        path=best.path,
        anchor=best.anchor,
        start_line=best.start_line,
        end_line=best.end_line,
        score=round(direct.scores.get(best.span_id, 0.0), 6),
        text=best.text,
        why=(*why, *reasons(asked, direct, best)),
        also=tuple(also),
        words=marks(best.text, terms, asked.stemmer),
    )


def _degraded(asked: Asked, direct: Direct) -> tuple[str, ...] | None:
    told = (*direct.degraded, *(asked.window.notes if asked.window else ()))
    if asked.weighed.cut:
        told += ("The question is so long that its most frequent words were left out.",)
    return told or None
