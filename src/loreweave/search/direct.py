"""The spans that words and meaning find: a list for each wording, fused by rank, copies brought together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from loreweave.search import fusion, memory, ranking, timing
from loreweave.search.constants import CLOSER, DATED, DEPTH, LOOKED_AT, ORDERED, SPREAD, WIDENED
from loreweave.search.dense import Among, Ask, Dense, raised
from loreweave.search.facets import Facets, facets
from loreweave.search.found import Question
from loreweave.search.passages import Passage, passages
from loreweave.search.sequence import Scores, in_order
from loreweave.search.statistics import Statistics, statistics
from loreweave.search.twins import together
from loreweave.search.weights import Weighed, weigh
from loreweave.search.window import Window, window_of
from loreweave.search.wordings import Wording, read

if TYPE_CHECKING:
    from loreweave.store.session import Session


@attrs.frozen
class Asked:
    """A question read: its wordings with the weights of their words, which spans may be found, and the time meant."""

    question: Question
    wordings: tuple[Wording, ...]
    known: Statistics
    weighed: Weighed
    facets: Facets
    window: Window | None
    stemmer: str

    @classmethod
    def read(cls, session: Session, question: Question) -> Asked:
        """Read a question. Raise BadRequest for one without words."""
        stemmer = session.meta.get("stemmer", "english")
        wordings = read(question.wordings, stemmer)
        known = statistics(session, {term for one in wordings for term, _ in one.terms}, question.scope_key, stemmer)
        bounded = question.since is not None or question.until is not None
        window = None if bounded else window_of(question.wordings, question.now)
        weighed = weigh(wordings, known, stemmer)
        return cls(question, wordings, known, weighed, facets(question), window, stemmer)


@attrs.frozen
class Direct:
    """The spans found, the best first, each with its copies; the lists they stand in, and what is known of each.

    ``by_words`` holds for each wording the spans that its words found, ``by_meaning`` the ranks by vectors.
    """

    groups: Sequence[Sequence[Passage]]
    scores: Mapping[int, float]
    by_words: Sequence[frozenset[int]]
    by_meaning: Sequence[Mapping[int, int]]
    words: Mapping[int, ranking.Words]
    times: Mapping[int, timing.Timed]
    used: Mapping[int, memory.Recalled]
    degraded: tuple[str, ...] = ()


def find(session: Session, asked: Asked, dense: Ask | None) -> Direct:
    """Find spans by words and, where vectors are at hand, by meaning; look deeper for dates and past copies."""
    depth = max(DEPTH, 2 * asked.question.limit) * (DATED if asked.window and asked.window.kind else 1)
    near = _near(asked, dense)
    found = _find(session, asked, near, depth)
    full = any(len(spans) >= depth for spans in found.by_words)
    if full and len(found.groups) < asked.question.limit:
        return _find(session, asked, near, max(WIDENED, 10 * depth))
    return found


def _near(asked: Asked, dense: Ask | None) -> Dense:
    if dense is None:
        return Dense()
    sql, values = asked.facets.spans()
    among = Among(asked.question.scope_key, sql, tuple(values)) if asked.facets.any else Among(asked.question.scope_key)
    return dense([wording.text for wording in asked.wordings], among)


def _find(session: Session, asked: Asked, near: Dense, depth: int) -> Direct:
    ranked = ranking.rank(session, asked.weighed, asked.known, asked.facets, depth)
    read = _Read(session, asked.question.scope_key)
    read.add(span_id for found in (*ranked.lists, *near.lists) for span_id, *_ in found[:LOOKED_AT])
    lists = [[each for each in found if each[0] in read.there or each[0] in ranked.words] for found in ranked.lists]
    read.add(span_id for found in lists for span_id, _ in found[:ORDERED])
    ids = {span_id for found in (*lists, *near.lists) for span_id, *_ in found}
    times = timing.timed(session, asked.window, ids) if asked.window and ids else {}
    texts = {each: read.there[each].text for each in ranked.of_several() if each in read.there}
    ordered = [
        in_order(found, weights, texts, asked.stemmer)
        for found, weights in zip(lists, asked.weighed.wordings, strict=True)
    ]
    both = [raised(*pair) for pair in zip(ordered, near.lists, strict=True)] if near.lists else ordered
    used = memory.recalled(session, asked.question.scope_key, asked.question.now, ids)
    timely = [_in_time(_in_use(found, used), asked.window, times) for found in both]
    by_words = [frozenset(span_id for span_id, _ in found) for found in ordered]
    by_meaning = [{span_id: rank for rank, (span_id, _) in enumerate(found, 1)} for found in near.lists]
    scores = {span_id: round(score, 9) for span_id, score in fusion.fuse(timely).items()}
    groups = _groups(read, scores, asked.question.limit)
    return Direct(groups, scores, by_words, by_meaning, ranked.words, times, used, near.degraded)


class _Read:
    """The passages read so far, by their numbers."""

    def __init__(self, session: Session, scope_key: str) -> None:
        self._session, self._scope = session, scope_key
        self._asked: set[int] = set()
        self.there: dict[int, Passage] = {}

    def add(self, span_ids: Iterable[int]) -> None:
        """Read those that were not read yet; a number of none is left out."""
        new = set(span_ids) - self._asked
        if new:
            self._asked |= new
            self.there |= passages(self._session, new, self._scope)


def _groups(read: _Read, scores: Mapping[int, float], limit: int) -> list[list[Passage]]:
    """Bring copies together among the first spans, or among all where these do not fill the answer."""
    order = sorted(scores, key=lambda span_id: (-scores[span_id], span_id))
    for head in (_with_equals(order, scores, max(LOOKED_AT // 2, CLOSER * limit)), order):
        read.add(head)
        found = (read.there[span_id] for span_id in head)
        groups = together(sorted(found, key=lambda each: (-scores[each.span_id], *each.standing)), max(limit, SPREAD))
        if len(groups) >= limit:
            break
    return groups


def _with_equals(order: Sequence[int], scores: Mapping[int, float], count: int) -> Sequence[int]:
    """Give the first spans, and those that score as the last of them: how many are asked for shows in no place."""
    while 0 < count < len(order) and scores[order[count]] == scores[order[count - 1]]:
        count += 1
    return order[:count]


def _in_use(found: Scores, used: Mapping[int, memory.Recalled]) -> Scores:
    """Let it count for the scores of a list which of its spans were used, and order it anew."""
    return _raised(found, {span_id: each.factor for span_id, each in used.items()}) if used else found


def _in_time(found: Scores, window: Window | None, times: Mapping[int, timing.Timed]) -> Scores:
    """Let the time asked about count for the scores of a list, and order it anew."""
    if window is None:
        return found
    return _raised(found, timing.factors(window, dict(found), times))


def _raised(found: Scores, factors: Mapping[int, float]) -> Scores:
    """Multiply the scores of a list, those of spans without a factor by one, and order it anew."""
    raised = [(span_id, round(score * factors.get(span_id, 1))) for span_id, score in found]
    return sorted(raised, key=lambda each: (-each[1], each[0]))
