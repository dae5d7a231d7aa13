"""Which beliefs changed lately: what a slot held, what it holds, from when on, and when that was learned."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.answer import aware
from loreweave.reports.question import naive
from loreweave.search.memory import recorded_by
from loreweave.times import DAY, Instant, shifted

if TYPE_CHECKING:
    from loreweave.store.session import Session

DAYS = 14
"""Days for which a change is told."""

_CHANGED = """
    with new as (
        select beliefs.*, events.recorded_at, events.valid_from as starts
        from beliefs join events using (scope_key, event_id)
        where beliefs.scope_key = $scope_key and known_from = events.recorded_at and not beliefs.many
            and known_from > $earlier and known_from <= $known and event_id in (
                select event_id from beliefs
                where scope_key = $scope_key and known_from <= $known and (known_until is null or known_until > $known)
            )
    )
    select new.subject, new.predicate, old.object, new.object, new.valid_from, new.recorded_at,
        said.valid_from = new.starts, new.source, new.path, new.line
    from new join beliefs old on old.scope_key = new.scope_key and old.subject_key = new.subject_key
        and old.predicate_key = new.predicate_key and not old.many and old.object_key <> new.object_key
        and old.known_until = new.recorded_at and old.valid_from <= new.valid_from
        and (old.valid_until is null or new.valid_from < old.valid_until)
    join events said on said.scope_key = old.scope_key and said.event_id = old.event_id
    order by new.recorded_at desc, new.subject_key, new.predicate_key, new.valid_from, old.event_id, new.event_id
"""


@attrs.frozen
class Changed:
    """A slot that holds another value from ``valid_from`` on, as was learned at ``recorded_at``.

    ``corrected``: the earlier value was said to begin at the same instant, so that it was never right.
    """

    subject: str
    predicate: str
    previous: str
    object: str
    valid_from: datetime
    recorded_at: datetime
    corrected: bool
    source: str
    path: str
    line: int


def lately(session: Session, scope_key: str, now: Instant) -> list[Changed]:
    """Give the changes of a scope that were learned in the last days, the last learned first."""
    instants = {"known": naive(recorded_by(now)), "earlier": naive(shifted(now, -DAYS * DAY))}
    rows = session.ask(_CHANGED, {**instants, "scope_key": scope_key}).fetchall()
    return [Changed(*row) for row in map(aware, rows)]
