"""Finding passages: words, wordings, links and time over the spans of the index.

Each wording gives a list, ranks are fused, copies are brought together, the time asked about counts, and what links
alone reach stands beside what words found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.search.beliefs import facts
from loreweave.search.direct import Asked, Direct, find
from loreweave.search.found import Found, Question, Result, address
from loreweave.search.marks import marks
from loreweave.search.ranking import undated
from loreweave.search.reasons import reasons

if TYPE_CHECKING:
    from loreweave.search.dense import Ask
    from loreweave.search.passages import Passage
    from loreweave.store.session import Session


def search(session: Session, question: Question, dense: Ask | None = None) -> Found:
    """Find the spans that answer a question, the best first. Raise BadRequest for one without words."""
    asked = Asked.read(session, question)
    direct = find(session, asked, dense)
    return Found(
        queries=tuple(wording.text for wording in asked.wordings),
        results=tuple(_result(asked, direct, *group) for group in direct.groups[: question.limit]),
        exhausted=bool(asked.known.unread) or asked.weighed.cut,
        degraded=_degraded(asked, direct),
        undated=undated(session, asked.weighed, asked.facets),
        facts=facts(session, question, asked.stemmer),
    )


def _result(asked: Asked, direct: Direct, best: Passage, *copies: Passage) -> Result:
    terms = {one.term for wording in asked.weighed.wordings for one in wording}
    return Result(
        path=best.path,
        anchor=best.anchor,
        start_line=best.start_line,
        end_line=best.end_line,
        score=round(direct.scores[best.span_id], 6),
        text=best.text,
        why=reasons(asked, direct, best),
        also=tuple(address(copy.path, copy.anchor, copy.start_line, copy.end_line) for copy in copies),
        words=marks(best.text, terms, asked.stemmer),
    )


def _degraded(asked: Asked, direct: Direct) -> tuple[str, ...] | None:
    told = (*direct.degraded, *(asked.window.notes if asked.window else ()))
    if asked.weighed.cut:
        told += ("The question is so long that its most frequent words were left out.",)
    return told or None
