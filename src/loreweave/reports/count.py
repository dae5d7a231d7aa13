"""How many spells began in a window of valid time, in groups of equal keys; of subjects and objects, of one entity."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.reports.answer import GROUPS, moment
from loreweave.reports.joined import first_sql, groups_sql
from loreweave.reports.question import Question, naive
from loreweave.times import Instant

if TYPE_CHECKING:
    from loreweave.store.session import Session

GROUPINGS = {
    "subject": ("subject_key", "subject"),
    "predicate": ("predicate_key", "predicate"),
    "object": ("object_key", "object"),
    "source": ("source", "source"),
    "month": ("strftime(valid_from, '%Y-%m')", "strftime(valid_from, '%Y-%m')"),
    "year": ("strftime(valid_from, '%Y')", "strftime(valid_from, '%Y')"),
}
"""For each way of grouping what is equal within a group, and what is shown of it."""


@attrs.frozen
class Window:
    """The instants at which spells begin that are counted: ``since`` and later, before ``until``; None is open."""

    since: Instant | None = None
    until: Instant | None = None


@attrs.frozen
class Group:
    """A group, and how many spells it has; subjects and objects as they were written first, predicates as last."""

    group: str
    count: int


@attrs.frozen
class Count:
    """The largest groups, then by key; ``of`` is how many there are, ``total`` the spells in all of them."""

    group_by: str
    since: datetime | None
    until: datetime | None
    as_known_at: datetime | None
    scope: str
    groups: tuple[Group, ...]
    of: int
    total: int

    @property
    def shown(self) -> int:
        """The number of groups given."""
        return len(self.groups)


def count(session: Session, asked: Question, group_by: str, window: Window, *, limit: int = GROUPS) -> Count:
    """Count spells as they were believed at the record instant of the question."""
    instants = {"known": naive(asked.moment.as_known_at), "since": naive(window.since), "until": naive(window.until)}
    given = instants | asked.parameters()
    group = _by_name if group_by in ("subject", "object") else _by_key
    groups, of, total = group(session, asked, group_by, given, limit)
    return Count(
        group_by,
        moment(window.since),
        moment(window.until),
        moment(asked.moment.as_known_at),
        asked.scope,
        groups,
        of,
        total,
    )


_Groups = tuple[tuple[Group, ...], int, int]
"""The groups shown, how many there are, and how many spells are in all of them."""


def _by_name(session: Session, asked: Question, group_by: str, given: dict[str, Any], limit: int) -> _Groups:
    """Group by what subjects or objects name; a group is shown as it was written first."""
    rows = session.ask(groups_sql(group_by, asked.where()), given | {"limit": limit}).fetchall()
    if not rows:
        return (), 0, 0
    members = {"spelled": [row[0] for row in rows]}
    first = session.ask(first_sql(group_by, asked.where()), members | _for(asked, given["known"])).fetchall()
    groups = tuple(Group(text, row[1]) for (text,), row in zip(first, rows, strict=True))
    return groups, rows[0][2], rows[0][3]


def _for(asked: Question, known: datetime | None) -> dict[str, object]:
    return {"known": known} | asked.parameters()


def _by_key(session: Session, asked: Question, group_by: str, given: dict[str, Any], limit: int) -> _Groups:
    key, text = GROUPINGS[group_by]
    sql = f"""
        with groups as (
            select {key} as key, arg_max({text}, (valid_from, event_id)) as shown, count(*) as spells
            from spells_at($known)
            where {asked.where()}
              and ($since::timestamp is null or $since::timestamp <= valid_from)
              and ($until::timestamp is null or valid_from < $until::timestamp)
            group by key
        )
        select shown, spells, count(*) over (), sum(spells) over ()::bigint
        from groups order by {"key" if group_by in ("month", "year") else "spells desc, key"} limit {int(limit)}
    """
    rows = session.ask(sql, given).fetchall()
    of, total = rows[0][2:] if rows else (0, 0)
    return tuple(Group(shown, spells) for shown, spells, *_ in rows), of, total
