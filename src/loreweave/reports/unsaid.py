"""What was once believed of an instant and is no longer, and the line of the record that ended the belief."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.answer import aware
from loreweave.reports.changes import SLOTTED
from loreweave.reports.question import naive
from loreweave.times import Instant

if TYPE_CHECKING:
    from loreweave.store.session import Session

Slot = tuple[str, str]

_SQL = f"""
    with once as (
        select *, coalesce(valid_from <= $as_of and $as_of < coalesce(valid_until, 'infinity'), true) as held_then
        from beliefs
        where scope_key = $scope_key
          and list_contains($subjects, subject_key) and list_contains($predicates, predicate_key)
          and known_until <= coalesce($known, 'infinity'::timestamp)
        window latest as (
            partition by subject_key, predicate_key, object_key
            order by held_then desc, known_until desc, valid_from desc, many, event_id
        )
        qualify row_number() over latest = 1
    )
    select once.subject_key, once.predicate_key, once.object_key,
        once.subject, once.predicate, once.object, once.valid_from, once.valid_until, once.known_from,
        once.known_until, held_then, ending.kind, ending.recorded_by, ending.because, ending.note,
        ending.path, ending.line, ending.event_id
    from once join events ending
        on (ending.scope_key, ending.subject_key, ending.predicate_key, ending.recorded_at)
            = (once.scope_key, once.subject_key, once.predicate_key, once.known_until)
    where ending.kind in {SLOTTED}
    qualify row_number() over (
        partition by once.subject_key, once.predicate_key, once.object_key
        order by case
            when ending.kind in ('FactAsserted', 'ValueObserved') then 1
            when ending.object_key <> once.object_key then 2
            else 0 end, ending.path, ending.line) = 1
    order by held_then desc, once.known_until desc, once.subject_key, once.predicate_key, once.object_key
"""


@attrs.frozen
class Unsaid:
    """A belief that is held no longer: what it said, from when until when it was held, and the event that ended it.

    ``held_then``: it was of the instant asked about, so that nothing but this event keeps it from being the answer.
    ``kind`` to ``event_id`` are those of the event; it was recorded at ``known_until``.
    """

    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    known_until: datetime
    held_then: bool
    kind: str
    recorded_by: str | None
    because: str | None
    note: str | None
    path: str
    line: int
    event_id: str


def unsaid(
    session: Session, scope_key: str, slots: Collection[Slot], *, as_of: Instant | None, known: Instant | None
) -> dict[Slot, dict[str, Unsaid]]:
    """Give by slot and value what was believed once and is no longer at ``known``: of an instant, else of any other.

    What was believed of the instant, None is any, comes first, and of these what was ended last.
    """
    given: dict[str, object] = {"scope_key": scope_key, "known": naive(known), "as_of": naive(as_of)}
    given |= {"subjects": sorted({slot[0] for slot in slots}), "predicates": sorted({slot[1] for slot in slots})}
    found: dict[Slot, dict[str, Unsaid]] = {}
    for subject, predicate, value, *row in session.rows(_SQL, given):
        if (subject, predicate) in slots:
            found.setdefault((subject, predicate), {})[value] = Unsaid(*aware(tuple(row)))
    return found
