"""What to look at again: passages that were of use, matter and fade, and beliefs that have long been open.

Both lists are exact at an instant, so that a report is the same whenever it is made. What was never used has no memory
that could fade. A belief is long open where the last line that says so was recorded long ago, whenever it began to
hold; one that a note states, and so says every day, only where values of its predicate are known to change. What is
over by its own words is not asked about.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.events.slots import key
from loreweave.projections.memory import FADED, importance
from loreweave.reports.answer import aware
from loreweave.reports.brief import clipped
from loreweave.reports.over import OVER, PATTERNS
from loreweave.reports.question import MOST, naive
from loreweave.search.found import address
from loreweave.search.memory import Known, importances, known, recorded_by
from loreweave.times import DAY, Instant, shifted, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

LONG = 180
"""Days since it was last said from which an open belief is long open."""

CHANGES = 0.3
"""What the importance of a belief gains where every slot of its predicate has had several values."""

_HEADINGS = tuple(f"{'#' * level} " for level in range(1, 7))

LINE = 120
"""How many characters of a passage are shown at most."""

_PLACES = """
    select span_id, path, anchor, start_line, end_line, text
    from spans semi join (select unnest(?::bigint[]) as span_id) using (span_id)
"""
_OPEN = f"""
    with held as (
        select event_id, min(known_from) as known_from from beliefs
        where scope_key = $scope_key and known_from <= $known and (known_until is null or $known < known_until)
        group by event_id
    ),
    open as (
        select spells.*, events.recorded_at, events.recorded_by, held.known_from
        from spells_at($known) as spells join events using (scope_key, subject_key, predicate_key, event_id)
            join held using (event_id)
        where scope_key = $scope_key and spells.valid_until is null and spells.valid_from <= $now
            and events.recorded_at <= $long_ago
    ),
    about as (
        select title_key as subject_key, max(worth) as worth
        from notes join (select unnest($paths::varchar[]) as path, unnest($worths::double[]) as worth) using (path)
        where scope_key = $scope_key group by title_key
    ),
    slots as (
        select predicate_key, subject_key, count(distinct object_key) > 1 as changed
        from beliefs where scope_key = $scope_key and known_from <= $known and not many group by all
    ),
    moving as (select predicate_key, avg(changed::int) as changes from slots group by all),
    weighed as materialized (
        select open.*, {OVER} as is_over,
            round(least(1.0, coalesce(worth, $worth_of_none) + $gain * coalesce(changes, 0)), 4) as importance
        from open left join about using (subject_key) left join moving using (predicate_key)
        where source <> 'extracted' or changes > 0
    )
    select scope, subject, predicate, object, valid_from, valid_until, known_from, source, confidence, recorded_at,
        recorded_by, path, line, importance, is_over, held, past
    from weighed, (select count(*) filter (not is_over) as held, count(*) filter (is_over) as past from weighed)
    order by is_over, importance desc, recorded_at, valid_from, subject_key, predicate_key, object, event_id
    limit $limit
"""
_SUBJECTS = """
    select path from notes semi join (
        select subject_key as title_key from beliefs
        where scope_key = $scope_key and valid_until is null and known_from <= $known
    ) using (title_key)
    where scope_key = $scope_key
"""


@attrs.frozen
class Fading:
    """A passage that was used and fades: how much its note matters and what is left of it, from 0 to 1.

    ``begins`` is its first line below the heading; ``stability`` the days after the last use at which 0.9 was left.
    """

    path: str
    anchor: str
    start_line: int
    end_line: int
    address: str
    begins: str
    importance: float
    retrievability: float
    stability: float
    uses: int
    last_used: datetime


@attrs.frozen
class FadingPassages:
    """The passages that fade, the most important first; ``of`` is how many there are."""

    passages: tuple[Fading, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of passages given."""
        return len(self.passages)


@attrs.frozen
class Standing:
    """A belief that has held since ``valid_from``, without an end, and was last said at ``recorded_at``.

    ``known_from`` is since when it has been believed by that line, and ``valid_until`` None, as of every open belief.
    ``importance`` is that of the note about its subject, and more where values of the predicate have changed before.
    """

    scope: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    source: str
    confidence: float
    recorded_at: datetime
    recorded_by: str | None
    path: str
    line: int
    importance: float


@attrs.frozen
class OpenBeliefs:
    """The beliefs that have long been open, the most important first; ``of`` is how many there are.

    ``over`` is how many more there are that are not asked about: they are over by their own words.
    """

    beliefs: tuple[Standing, ...]
    of: int
    over: int

    @property
    def shown(self) -> int:
        """The number of beliefs given."""
        return len(self.beliefs)


@attrs.frozen
class Review:
    """What to look at again at an instant.

    ``uses`` is how many uses there were by then of passages that still stand, ``decay`` the one by which these fade,
    ``fitted`` to them or not.
    """

    as_of: datetime
    scope: str
    threshold: float
    uses: int
    decay: float
    fitted: bool
    fading: FadingPassages
    open: OpenBeliefs


def review(session: Session, scope: str, now: Instant, *, threshold: float, limit: int) -> Review:
    """Review a scope at an instant."""
    there = known(session, key(scope), now)
    faded = fading(session, there, threshold)
    return Review(
        as_of=to_datetime(now),
        scope=scope,
        threshold=float(threshold),
        uses=sum(len(use.at) for use in there.uses.values()),
        decay=there.decay,
        fitted=there.fitted,
        fading=FadingPassages(tuple(faded[:limit]), len(faded)),
        open=standing(session, key(scope), now, limit),
    )


def fading(session: Session, there: Known, threshold: float = FADED) -> list[Fading]:
    """Give all passages of which less is left than a threshold, the most important first, then the most faded."""
    faded: dict[int, list[Any]] = {}
    for span_id, use in there.uses.items():
        memory = there.memory(span_id)
        if memory is not None and (left := memory.left(there.now, there.decay)) < threshold:
            stood = round(use.importance, 4), round(left, 4), round(memory.stability, 2)
            faded[span_id] = [*stood, len(use.at), to_datetime(memory.last)]
    places = session.rows(_PLACES, [sorted(faded)]) if faded else []
    found = [Fading(*[*place, address(*place), _first_line(text), *faded[span_id]]) for span_id, *place, text in places]
    return sorted(found, key=lambda each: (-each.importance, each.retrievability, each.path, each.start_line))


def _first_line(text: str) -> str:
    """Give how a passage begins, without its heading where it has more than that."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = next((line for line in lines if not line.startswith(_HEADINGS)), lines[0] if lines else "")
    return clipped(first, LINE)


def standing(session: Session, scope_key: str, now: Instant, limit: int = MOST, *, long: int = LONG) -> OpenBeliefs:
    """Give the beliefs that hold without an end and were last said ``long`` days ago or more, most important first."""
    known = {"scope_key": scope_key, "known": naive(recorded_by(now))}
    worths = importances(session, scope_key, {path for (path,) in session.rows(_SUBJECTS, known)})
    weights = {"paths": [*worths], "worths": [*worths.values()], "worth_of_none": importance(0, 0), "gain": CHANGES}
    instants = {"now": naive(now), "long_ago": naive(shifted(now, -long * DAY))}
    rows = session.rows(_OPEN, {**PATTERNS, **known, **weights, **instants, "limit": limit})
    found = tuple(Standing(*aware(tuple(said))) for *said, is_over, _, _ in rows if not is_over)
    return OpenBeliefs(found, *(rows[0][-2:] if rows else (0, 0)))
