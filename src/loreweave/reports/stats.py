"""What a vault holds, in numbers: notes and their words, the record and what is believed, what is spoken of most."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave.events.slots import key
from loreweave.reports.answer import moment
from loreweave.reports.question import naive
from loreweave.times import Instant

if TYPE_CHECKING:
    from loreweave.store.session import Session

TOP = 10
"""How many entities are named, those spoken of in the most spans first."""

_COUNTS = {
    "notes": "notes",
    "spans": "spans",
    "dated_spans": "spans where content_from is not null",
    "links": "links",
    "broken_links": "links where broken",
    "events": "events",
    "beliefs": "beliefs",
}
_SUMS = {
    "words": ("coalesce(sum(words), 0)::bigint", "spans"),
    "terms": ("count(distinct term)", "postings"),
    "tags": ("count(distinct tag_key)", "tags"),
    "slots": ("count(distinct (subject_key, predicate_key))", "beliefs"),
    "subjects": ("count(distinct subject_key)", "beliefs"),
    "facts": ("count(*)", "belief_at($now, null)"),
}


_ENTITIES = """
    with entities as (
        select entity_key, path as entity, title as name
        from called join notes using (path, scope_key) where scope_key = $scope_key
        qualify count(distinct path) over (partition by entity_key) = 1
        union all
        select subject_key, subject_key, min(subject) from beliefs
        where scope_key = $scope_key and known_until is null
            and subject_key not in (select entity_key from called where scope_key = $scope_key)
        group by subject_key
    ),
    mentions as (
        select entity, span_id from phrases join entities on key = entity_key where scope_key = $scope_key
        union
        select target_path, span_id from links where target_path is not null and scope_key = $scope_key
    ),
    spoken as (
        select entity, count(*) as spans from mentions join spans using (span_id) where path <> entity group by entity
    ),
    held as (
        select subject_key as entity_key, count(distinct predicate_key) as slots from beliefs
        where scope_key = $scope_key and known_until is null group by subject_key
    )
    select min(name), coalesce(any_value(spans), 0) as spans, coalesce(sum(slots), 0)::bigint as slots, count(*) over ()
    from entities left join spoken using (entity) left join held using (entity_key)
    group by entity order by spans desc, slots desc, min(name), entity limit $top
"""
"""What notes and facts are about, by how many spans of other notes link to it or have a name that is its alone."""


@attrs.frozen
class Entity:
    """What a note or a fact is about: how many spans of other notes speak of it, and how many slots it has."""

    name: str
    spans: int
    slots: int


@attrs.frozen
class Stats:
    """Numbers of one scope, by what they count; ``facts`` hold at ``as_of``.

    ``entities`` are the first of ``of``. ``scopes`` and ``bytes`` are those of the whole vault.
    """

    scope: str
    as_of: datetime | None
    counts: Mapping[str, int]
    entities: tuple[Entity, ...]
    of: int
    scopes: tuple[str, ...]
    bytes: Mapping[str, int]

    @property
    def shown(self) -> int:
        """The number of entities given."""
        return len(self.entities)


def stats(session: Session, scope: str, now: Instant, weights: Mapping[str, int]) -> Stats:
    """Count what the index holds of a scope; ``weights`` are the sizes of files by what they hold."""
    asked = {name: ("count(*)", relation) for name, relation in _COUNTS.items()} | _SUMS
    selects = (f"(select {what} from {_within(relation)})" for what, relation in asked.values())
    parameters = {"scope_key": key(scope), "now": naive(now)}
    row = session.ask(f"select {', '.join(selects)}", parameters).fetchone() or ()
    counts = dict(zip(asked, row, strict=True))
    named = session.ask(_ENTITIES, {"scope_key": key(scope), "top": TOP}).fetchall()
    entities = tuple(Entity(*row[:3]) for row in named)
    of = named[0][3] if named else 0
    return Stats(scope, moment(now), counts, entities, of, _scopes(session), dict(weights))


def _within(relation: str) -> str:
    """Bound a relation to the scope."""
    table, _, condition = relation.partition(" where ")
    return f"{table} where scope_key = $scope_key{condition and f' and {condition}'}"


def _scopes(session: Session) -> tuple[str, ...]:
    """Give the keys of all scopes that have a note or a belief."""
    sql = "select scope_key from notes union select scope_key from beliefs order by scope_key"
    return tuple(scope for (scope,) in session.ask(sql).fetchall())
