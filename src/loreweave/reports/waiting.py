"""What notes and ledger differ in: values that wait to be recorded, and values that wait to be withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from loreweave.store.session import Session


@attrs.frozen
class Waiting:
    """How many values notes state that the ledger does not hold, and it holds that they state no longer.

    ``observer`` names the machine that observes this vault, where that is another than this one.
    """

    unrecorded: int
    departed: int
    observer: str | None = None

    def __bool__(self) -> bool:
        return bool(self.unrecorded or self.departed)


def waiting(session: Session, scope_key: str | None = None) -> Waiting:
    """Count what waits in one scope, or in all."""
    within = "" if scope_key is None else " where scope_key = $scope_key"
    sql = f"select (select count(*) from unrecorded{within}), (select count(*) from departed{within})"
    row = session.ask(sql, None if scope_key is None else {"scope_key": scope_key}).fetchone()
    return Waiting(*(row or (0, 0)))
