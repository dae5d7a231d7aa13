"""What was proposed for the record and waits for a person's word."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.answer import aware

if TYPE_CHECKING:
    from loreweave.store.session import Session

_PENDING = """
    select proposal_id, kind, subject, predicate, object, recorded_at, recorded_by, because, path, line
    from proposals where scope_key = $scope_key and status = 'pending' order by recorded_at, path, line, proposal_id
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


def undecided(session: Session, scope_key: str) -> list[Undecided]:
    """Give the proposals of a scope on which nobody has decided, the oldest first."""
    return [Undecided(*aware(row)) for row in session.ask(_PENDING, {"scope_key": scope_key}).fetchall()]
