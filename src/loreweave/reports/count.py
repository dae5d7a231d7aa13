"""How many spells began in a window of valid time, in groups of equal keys."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.reports.answer import GROUPS, moment
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
    """A group, by the text of its spell that starts last, and how many spells it has."""

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
    instants = {"known": naive(asked.moment.as_known_at), "since": naive(window.since), "until": naive(window.until)}
    rows = session.ask(sql, instants | asked.parameters()).fetchall()
    return Count(
        group_by,
        moment(window.since),
        moment(window.until),
        moment(asked.moment.as_known_at),
        asked.scope,
        tuple(Group(shown, spells) for shown, spells, _, _ in rows),
        rows[0][2] if rows else 0,
        rows[0][3] if rows else 0,
    )
