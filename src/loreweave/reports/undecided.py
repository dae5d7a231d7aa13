"""What was proposed for the record and waits for a person's word."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.answer import aware
from loreweave.reports.question import naive
from loreweave.search.memory import recorded_by

if TYPE_CHECKING:
    from loreweave.store.session import Session
    from loreweave.times import Instant

_PENDING = """
    select proposal_id, kind, subject, predicate, object, recorded_at, recorded_by, because, path, line
    from proposals
    where scope_key = $scope_key and recorded_at <= $known and (decided_at is null or decided_at > $known)
    order by recorded_at, path, line, proposal_id
"""


@attrs.frozen
class Undecided:
    """A proposal that waits: what it would write, who proposed it, when and why."""

    proposal_id: str
    kind: str
    subject: str
    predicate: str
    object: str | None
    recorded_at: datetime
    recorded_by: str | None
    because: str | None
    path: str
    line: int


def undecided(session: Session, scope_key: str, now: Instant) -> list[Undecided]:
    """Give the proposals of a scope on which nobody had decided at an instant, the oldest first."""
    asked = {"scope_key": scope_key, "known": naive(recorded_by(now))}
    return [Undecided(*aware(row)) for row in session.ask(_PENDING, asked).fetchall()]
