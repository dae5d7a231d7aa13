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
    with called as (
        select entity_key, coalesce(path, entity_key) as entity, name, kind from entities where scope_key = $scope_key
    ),
    spoken as (
        select entity, count(distinct span_id) as spans
        from mentions join called using (entity_key) where scope_key = $scope_key group by entity
    ),
    held as (
        select subject_key, count(distinct predicate_key) as slots from beliefs
        where scope_key = $scope_key and known_until is null group by subject_key
    )
    select arg_min(name, (kind <> 'note', name)), arg_min(kind, (kind <> 'note', name)),
        coalesce(any_value(spans), 0) as spans, coalesce(sum(slots), 0)::bigint as slots, count(*) over ()
    from called left join spoken using (entity) left join held on name_key(subject_key) = entity_key
    group by entity order by spans desc, slots desc, entity limit $top
"""
"""What notes, tags and facts are about, a note once by whatever name, by how many spans of others speak of it."""


@attrs.frozen
class Entity:
    """What a note, a tag or a fact is about: how many spans of other notes speak of it, and how many slots it has.

    ``kind`` is that of the view ``entities``.
    """

    name: str
    kind: str
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
    entities = tuple(Entity(*row[:4]) for row in named)
    of = named[0][4] if named else 0
    return Stats(scope, moment(now), counts, entities, of, _scopes(session), dict(weights))


def _within(relation: str) -> str:
    """Bound a relation to the scope."""
    table, _, condition = relation.partition(" where ")
    return f"{table} where scope_key = $scope_key{condition and f' and {condition}'}"


def _scopes(session: Session) -> tuple[str, ...]:
    """Give the keys of all scopes that have a note or a belief."""
    sql = "select scope_key from notes union select scope_key from beliefs order by scope_key"
    return tuple(scope for (scope,) in session.ask(sql).fetchall())
