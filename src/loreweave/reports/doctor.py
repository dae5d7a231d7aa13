"""What is wrong with the vault, by code, what waits to be recorded, and how record times stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.errors import ERROR, WARNING
from loreweave.reports.answer import aware
from loreweave.reports.meant import meant
from loreweave.reports.question import naive
from loreweave.reports.redactions import Redactions
from loreweave.reports.retitled import closes_left_behind
from loreweave.times import Instant

if TYPE_CHECKING:
    from loreweave.store.session import Session

PLACES = 3
_LOOKED_AT = 50


@attrs.frozen
class Complaint:
    """The findings of one code: how many, the first of ``of`` places as ``path:line``, what to do about the first.

    ``offers`` are lines that say more of the first ones: what may be meant, or what may be typed.
    """

    code: str
    severity: str
    count: int
    places: tuple[str, ...]
    of: int
    message: str
    hint: str
    offers: tuple[str, ...] = ()

    @property
    def is_error(self) -> bool:
        """Tell whether these findings leave lines without effect."""
        return self.severity == ERROR


@attrs.frozen
class RecordTimes:
    """The last record time, and events recorded later than now, with the first places."""

    last: datetime | None
    future: int
    future_places: tuple[str, ...]


@attrs.frozen
class Examination:
    """What there is to know of the health of a vault.

    ``faults`` says in what the index differs from its files, ``settings`` what is wrong with those; ``undated`` are
    journal lines without a record time of their own; ``rows`` and ``bytes`` are sizes; ``by_alias`` counts the links
    that find their note by an alias; ``redactions`` is set where an earlier record was named.
    """

    faults: tuple[str, ...]
    settings: str
    findings: tuple[Complaint, ...]
    record_times: RecordTimes
    undated: int
    undated_places: tuple[str, ...]
    rows: Mapping[str, int]
    bytes: Mapping[str, int]
    by_alias: int
    redactions: Redactions | None = None

    @property
    def is_sound(self) -> bool:
        """Tell whether the index is true to its files, no line is in error, and no line of the record has gone."""
        gone = self.redactions is not None and self.redactions.of
        return not (self.faults or self.settings or gone or any(complaint.is_error for complaint in self.findings))


_UNRECORDED = """
    select 'unrecorded-values' as code, 'warning' as severity,
        'This note states ' || subject || ' :: ' || predicate || ' :: ' || object
            || ', which takes no part in any answer before the ledger holds it.' as message,
        if((path, line) in (select path, line from statements where valid_until is not null and valid_from is null),
            'write valid_from on the line: without it the value starts when `lore index` sees it',
            '`lore index` records it') as hint,
        path, line, 1 as column_number
    from unrecorded
    union all by name
    select 'departed-values' as code, 'warning' as severity,
        'The ledger holds ' || subject || ' :: ' || predicate || coalesce(' :: ' || object, '')
            || ' of this note, which states it no longer.' as message,
        '`lore index` withdraws it' as hint, note || ' (' || predicate || ')' as path, 0 as line, 0 as column_number
    from departed
"""
"""What waits to be recorded and withdrawn, in the columns of findings: the vault is in order, its ledger is behind."""

_STRAY = """
    select 'unknown-proposal' as code, 'warning' as severity,
        'No proposal recorded before it in its scope is called "' || coalesce(detail, object)
            || '", so that this line decides on none.' as message,
        'write the whole id, as `lore proposals --json` gives it' as hint, path, line, 1 as column_number
    from events decision
    where (kind = 'ProposalRejected' or kind like 'Fact%' and kind != 'FactProposed' and detail is not null)
        and not exists (
            from events where kind = 'FactProposed' and event_id = coalesce(decision.detail, decision.object)
                and scope_key = decision.scope_key and recorded_at <= decision.recorded_at
        )
"""
"""Decisions that name no proposal, in the same columns."""

DERIVED = ("unrecorded-values", "departed-values", "close-left-behind", "unknown-proposal")
"""What is told here and is no row of ``findings``."""


def complaints(session: Session) -> tuple[Complaint, ...]:
    """Count the findings by code, errors first, then the most frequent; what waits to be recorded is among them."""
    sql = f"""
        select code, severity, count(*),
            list(case when line > 0 then path || ':' || line else path end order by path, line)[:{_LOOKED_AT}],
            count(distinct (path, line)),
            arg_min(message, (path, line, column_number, message)), arg_min(hint, (path, line, column_number, message))
        from (select code, severity, message, hint, path, line, column_number from findings
              union all by name {_UNRECORDED} union all by name {_STRAY})
        group by code, severity
        order by severity, count(*) desc, code
    """
    rows = session.ask(sql).fetchall()
    found = [Complaint(code, how, count, _first(places), *told) for code, how, count, places, *told in rows]
    found = [attrs.evolve(one, offers=meant(session)) if one.code == "broken-link" else one for one in found]
    return (*found, *_left_behind(session))


def _first(places: Iterable[str]) -> tuple[str, ...]:
    """Give the first places, each once."""
    return tuple(dict.fromkeys(places))[:PLACES]


def _left_behind(session: Session) -> Iterator[Complaint]:
    """Tell of closes that were said of a note's old title, with the commands that say them of the new one."""
    left, count = closes_left_behind(session)
    if left:
        hint = "where that is meant of the new subject too, say so"
        offers = tuple(one.command for one in left)
        yield Complaint(
            "close-left-behind",
            WARNING,
            count,
            _first(one.place for one in left),
            count,
            f"{left[0].told}.",
            hint,
            offers,
        )


def record_times(session: Session, now: Instant) -> RecordTimes:
    """Say how record times stand against the present instant."""
    sql = f"""
        select (select max(recorded_at) from events), count(*),
            coalesce(list(path || ':' || line order by recorded_at, path, line)[:{PLACES}], [])
        from future_recorded_at($now)
    """
    row = session.ask(sql, {"now": naive(now)}).fetchone() or (None, 0, ())
    last, count, places = aware(row)
    return RecordTimes(last, count, tuple(places))


def origins(session: Session) -> dict[str, set[int]]:
    """Give the lines of each journal file that are events, repeats too."""
    sql = """
        select path, list(line) from (select path, line from events union all select path, line from repeats)
        where path like 'lore/journal/%' group by path order by path
    """
    return {path: set(lines) for path, lines in session.ask(sql).fetchall()}


def sizes(session: Session) -> dict[str, int]:
    """Give the number of rows of each table that people ask."""
    tables = ("notes", "spans", "links", "tags", "events", "beliefs", "unrecorded", "findings")
    counts = ", ".join(f"(select count(*) from {table})" for table in tables)
    row = session.ask(f"select {counts}").fetchone()
    return dict(zip(tables, row or (), strict=True))


def by_alias(session: Session) -> int:
    """Count the links that find their note by an alias alone, as not every program lets them."""
    row = session.ask("select count(*) from links where resolved_by = 'alias'").fetchone()
    return row[0] if row else 0
