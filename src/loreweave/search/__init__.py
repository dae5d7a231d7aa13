"""Finding passages: words, wordings, links and time over the spans of the index.

Each wording gives a list, ranks are fused, copies are brought together, the time asked about counts, and what links
alone reach stands beside what words found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import TYPE_CHECKING

from loreweave.search.beliefs import facts
from loreweave.search.direct import Asked, Direct, find
from loreweave.search.found import Found, Question, Result, address
from loreweave.search.graph import Linked, linked
from loreweave.search.hits import undated
from loreweave.search.marks import marks
from loreweave.search.placing import placed
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
    reached = linked(session, asked, [group[0] for group in direct.groups], believed)
    return Found(
        queries=tuple(wording.text for wording in asked.wordings),
        results=tuple(islice(_results(asked, direct, reached), question.limit)),
        exhausted=bool(asked.known.unread) or asked.weighed.cut,
        degraded=_degraded(asked, direct),
        undated=undated(session, asked.weighed, asked.facets),
        facts=believed,
    )


def _results(asked: Asked, direct: Direct, reached: Iterable[Linked]) -> Iterator[Result]:
    """Give what words found and what links reach, each once, where it comes first."""
    groups = [tuple(group) for group in direct.groups]
    at = {passage.span_id: group for group in groups for passage in group}
    ways: dict[tuple[Passage, ...], Linked] = {}
    for way in reached:
        ways.setdefault(at.get(way.passage.span_id, (way.passage,)), way)
    for group in dict.fromkeys(placed(groups, list(ways))):
        yield _result(asked, direct, group, ways.get(group))


def _result(asked: Asked, direct: Direct, group: Sequence[Passage], way: Linked | None) -> Result:
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
        why=reasons(asked, direct, best, way.via if way else ()),
        also=tuple(also),
        words=marks(best.text, terms, asked.stemmer),
    )


def _degraded(asked: Asked, direct: Direct) -> tuple[str, ...] | None:
    told = (*direct.degraded, *(asked.window.notes if asked.window else ()))
    if asked.weighed.cut:
        told += ("The question is so long that its most frequent words were left out.",)
    return told or None
