"""What an index holds, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from loreweave.errors import ERROR, WARNING, Finding

if TYPE_CHECKING:
    from loreweave.store.digest import Digest
    from loreweave.store.session import Session

SHOWN = 20


@attrs.frozen
class Tally:
    """Notes, files and lines of the record, events and beliefs, findings by severity, values that wait to be recorded.

    ``departed`` counts the values that wait to be withdrawn. ``digest`` is set where it was asked for.
    """

    notes: int
    files: int
    lines: int
    events: int
    beliefs: int
    errors: int
    warnings: int
    unrecorded: int
    departed: int
    digest: Mapping[str, str] | None = None

    @property
    def is_clean(self) -> bool:
        """Tell whether no line is in error and no value waits to be recorded or withdrawn."""
        return not (self.errors or self.unrecorded or self.departed)


def tally(session: Session) -> Tally:
    """Count what the index holds, in every scope."""
    row = session.ask(
        """
        select
            (select count(*) from notes),
            (select count(*) from sources where regexp_matches(path, '^lore/(journal|ledger)/')),
            (select coalesce(sum(lines), 0)::bigint from sources),
            (select count(*) from events), (select count(*) from beliefs),
            (select count(*) from findings where severity = $error),
            (select count(*) from findings where severity = $warning),
            (select count(*) from unrecorded), (select count(*) from departed)
        """,
        {"error": ERROR, "warning": WARNING},
    ).fetchone()
    return Tally(*(row or (0,) * 9))


def with_digest(tally: Tally, digest: Digest) -> Tally:
    """Add a digest: the whole, and one for each table."""
    return attrs.evolve(tally, digest={"whole": digest.whole, **digest.tables})


def errors(session: Session, limit: int = SHOWN) -> tuple[Finding, ...]:
    """Give the first findings that leave a line without effect."""
    sql = f"""
        select code, message, hint, path, line, column_number, severity, scope_key from findings
        where severity = $error order by path, line, column_number, code, message limit {int(limit)}
    """
    return tuple(Finding(*row) for row in session.ask(sql, {"error": ERROR}).fetchall())
