"""How beliefs about an entity changed in valid time, as best known: where it is the subject, or a value of another."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.reports.answer import aware
from loreweave.reports.entity import Entity

if TYPE_CHECKING:
    from loreweave.store.session import Session

_VALUED = """
    select distinct subject_key from beliefs
    where scope_key = $scope_key and known_until is null
      and (strlen(object_key) <> length(object_key) or regexp_matches(object_key, $words))
      and list_contains($keys, name_key(object_key))
"""
_SPELLS = """
    with held as (
        select event_id, valid_from as begins, valid_until as ends, ended_by, known_from, many, recorded_by
        from beliefs where scope_key = $scope_key and known_until is null and list_contains($subjects, subject_key)
    ),
    said as (
        select note, subject_key, predicate_key, object_key, valid_from from events
        where scope_key = $scope_key and list_contains($subjects, subject_key) and kind = 'ValueObserved'
            and valid_from = recorded_at
    ),
    seen as (
        select note, min(recorded_at) as valid_from from events semi join said using (note)
        where scope_key = $scope_key and kind = 'ValueObserved' group by note
    ),
    at_first as (
        select distinct subject_key, predicate_key, object_key, valid_from, true as is_at_first
        from said semi join seen using (note, valid_from)
    ),
    spells as (
        select subject_key, predicate_key, object_key, subject, predicate, object, valid_from, valid_until,
            min(known_from) as known_from, source, confidence, recorded_by, many, event_id, path, line,
            coalesce(is_at_first, false) as is_at_first, arg_max_null(ended_by, ends) as ended_by
        from spells_at(null) join held using (event_id)
            left join at_first using (subject_key, predicate_key, object_key, valid_from)
        where scope_key = $scope_key and list_contains($subjects, subject_key)
            and begins >= valid_from and (valid_until is null or begins < valid_until)
        group by all
    )
    select spells.* exclude (ended_by), ending.recorded_by, ending.path, ending.line
    from spells left join events ending on ending.event_id = ended_by and ending.scope_key = $scope_key
    order by subject_key, predicate_key, spells.valid_from, object_key
"""
_KNOWN = "select 1 from beliefs where scope_key = $scope_key and list_contains($subjects, subject_key) limit 1"


@attrs.frozen
class Turn:
    """A change of belief: a value ``began``, ``changed`` from another, or ``ended`` with none in its place.

    ``at`` is the instant of the change; the interval is that in which the value holds, ``valid_until`` None where it is
    open. ``previous`` is the value that held until then. ``known_from`` is since when this interval is believed;
    ``path``, ``line`` and ``recorded_by`` are of the line that says so: of an end the one that ended the value, where
    it was another.
    """

    kind: str
    at: datetime
    change: str
    subject: str
    predicate: str
    object: str
    previous: str | None
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    source: str
    confidence: float
    recorded_by: str | None
    event_id: str
    path: str
    line: int


class _Spell(NamedTuple):
    subject_key: str
    predicate_key: str
    object_key: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    source: str
    confidence: float
    recorded_by: str | None
    many: bool
    event_id: str
    path: str
    line: int
    is_at_first: bool
    ended_by: str | None
    ended_path: str | None
    ended_line: int | None


def turns(session: Session, entity: Entity, scope_key: str) -> Iterator[Turn]:
    """Give every change of belief in which the entity is the subject, the value, or the value before."""
    given = {"scope_key": scope_key, "subjects": sorted({*_subjects(entity), *_valued(session, entity, scope_key)})}
    slots = defaultdict[tuple[str, str], list[_Spell]](list)
    for row in session.ask(_SPELLS, given).fetchall():
        slots[row[:2]].append(_Spell(*aware(row)))
    for spells in slots.values():
        for turn in _of_slot(spells):
            if any(entity.is_called(text) for text in (turn.subject, turn.object, turn.previous or "")):
                yield turn


def is_spoken_of(session: Session, entity: Entity, scope_key: str) -> bool:
    """Tell whether anything was ever believed of the entity as a subject."""
    given = {"scope_key": scope_key, "subjects": _subjects(entity)}
    return session.ask(_KNOWN, given).fetchone() is not None


def _subjects(entity: Entity) -> list[str]:
    """Give the keys that subjects of these names may have: a subject keeps the ``.md`` that a name is without."""
    names = {*entity.keys, *map(str.lower, entity.initials)}
    return sorted({*names, *(f"{name}.md" for name in names)})


def _valued(session: Session, entity: Entity, scope_key: str) -> list[str]:
    """Give the subjects that have the entity for a value; its first words are looked for before keys are compared."""
    keys = sorted({*entity.keys, *map(str.lower, entity.initials)})
    words = "|".join(sorted({re.escape(name.split(" ")[0]) for name in keys}))
    given = {"scope_key": scope_key, "keys": keys, "words": words}
    return [subject for (subject,) in session.ask(_VALUED, given).fetchall()]


def _of_slot(spells: Sequence[_Spell]) -> Iterator[Turn]:
    """Give what the spells of one slot come to: where one begins as another ends, the value changed.

    What a note said without a date when it was first seen began at some time before, which nobody knows.
    """
    ended = {spell.valid_until: spell.object for spell in spells if spell.valid_until and not spell.many}
    begun = {spell.valid_from for spell in spells if not spell.many}
    for spell in spells:
        previous = None if spell.many else ended.get(spell.valid_from)
        if previous is not None or not spell.is_at_first:
            yield _turn(spell, spell.valid_from, "began" if previous is None else "changed", previous)
        if spell.valid_until is not None and (spell.many or spell.valid_until not in begun):
            yield _turn(spell, spell.valid_until, "ended", None)


def _turn(spell: _Spell, at: datetime, change: str, previous: str | None) -> Turn:
    fields = spell._asdict()
    told = {name: fields[name] for name in fields.keys() & {field.name for field in attrs.fields(Turn)}}
    if change == "ended" and spell.ended_path is not None:
        told |= {"recorded_by": spell.ended_by, "path": spell.ended_path, "line": spell.ended_line}
    return Turn(kind="belief", at=at, change=change, previous=previous, **told)
