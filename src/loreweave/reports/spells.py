"""Slots that a question is about, as they are on record: what held at an instant, what else did, and where nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from loreweave.events.slots import key, object_key
from loreweave.reports.answer import FOREVER, aware, moment
from loreweave.reports.facts import FIELDS, Fact
from loreweave.reports.question import naive
from loreweave.reports.unsaid import Slot, Unsaid, unsaid
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.search.beliefs import Chosen
    from loreweave.store.session import Session

_SPELL = (
    "scope, subject, predicate, object, valid_from, valid_until, source, confidence, recorded_at, recorded_by,"
    " path, line, event_id"
)
_SPELLS = """(
    select spells.*, events.recorded_at, events.recorded_by
    from spells_at($known) as spells
    join events using (scope_key, subject_key, predicate_key, event_id)
)"""


@attrs.frozen
class Spell:
    """One value of a slot over its longest valid interval, by the line that said so last; an end None is open."""

    scope: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_until: datetime | None
    source: str
    confidence: float
    recorded_at: datetime
    recorded_by: str | None
    path: str
    line: int
    event_id: str

    def meets(self, start: datetime | None, end: datetime | None) -> bool:
        """Tell whether it holds somewhere from ``start`` until ``end``; None is open."""
        return (end is None or self.valid_from < end) and (start is None or start < (self.valid_until or FOREVER))

    def holds_at(self, at: datetime) -> bool:
        """Tell whether it holds at an instant."""
        return self.valid_from <= at < (self.valid_until or FOREVER)


@attrs.frozen
class Gap:
    """What is not believed at an instant, or at any: a slot, or one ``object`` of it.

    ``before`` and ``after`` are what was before the instant and is after; ``once`` is what was once believed of it.
    """

    subject: str
    predicate: str
    object: str | None
    before: Spell | None
    after: Spell | None
    once: Unsaid | None


class _Row(NamedTuple):
    slot: Slot
    object_key: str
    item: Any


class Slots:
    """The slots that a question is about, in the order they were chosen, each with the values that it asks for."""

    def __init__(self, session: Session, scope: str, known: Instant | None, chosen: Sequence[Chosen]) -> None:
        self._session, self._scope_key, self._known = session, key(scope), known
        self._chosen: dict[Slot, list[Chosen]] = {}
        for one in chosen:
            self._chosen.setdefault(one.slot, []).append(one)
        self._history: list[_Row] | None = None

    def facts(self, as_of: Instant) -> tuple[Fact, ...]:
        """Give what holds at an instant: of many values, and of a slot that is not asked for itself, what is meant."""
        rows = self._rows(FIELDS, "belief_at($as_of, $known)", Fact, {"as_of": naive(as_of)})
        return tuple(row.item for row in rows if self._is_meant(row, alone=not row.item.many))

    def spells(self, start: Instant | None = None, end: Instant | None = None) -> tuple[Spell, ...]:
        """Give the spells that are meant and hold somewhere from ``start`` until ``end``; None is open."""
        meant = (row.item for row in self._spells() if self._is_meant(row))
        return tuple(spell for spell in meant if spell.meets(moment(start), moment(end)))

    def gaps(self, as_of: Instant | None, held: Iterable[Fact | Spell]) -> Iterator[Gap]:
        """Give what is not believed at an instant, of the slots that share the most with the question; None is any.

        A slot that shares only what another does which is ``held`` is left out: the question does not ask for it alone.
        """
        values = {(key(one.subject), key(one.predicate), object_key(one.object)) for one in held}
        answered = {one.shared for of in self._chosen.values() for one in of if _is_held(one, of, values)}
        best = max((one.weight for of in self._chosen.values() for one in of), default=0)
        once = cache(lambda: unsaid(self._session, self._scope_key, self._chosen, as_of=as_of, known=self._known))
        for slot, chosen in self._chosen.items():
            if chosen[0].weight < best or any(
                _is_held(one, chosen, values) or one.shared in answered for one in chosen
            ):
                continue
            for named in [one.object_key for one in chosen] if _is_by_object(chosen) else [None]:
                yield self._gap(slot, named, as_of, once().get(slot, {}))

    def _gap(self, slot: Slot, named: str | None, as_of: Instant | None, once: Mapping[str, Unsaid]) -> Gap:
        rows = [row for row in self._spells() if row.slot == slot and named in (None, row.object_key)]
        spells: list[Spell] = [row.item for row in rows]
        at = FOREVER if as_of is None else to_datetime(as_of)
        before = [spell for spell in spells if spell.valid_until is not None and spell.valid_until <= at]
        after = [spell for spell in spells if spell.valid_from > at]
        last = max(before, key=lambda spell: (spell.valid_until or FOREVER, spell.valid_from), default=None)
        first = min(after, key=lambda spell: spell.valid_from, default=None)
        gone = next(iter(once.values()), None) if named is None else once.get(named)
        if gone is not None and spells and not gone.held_then:
            gone = None
        shown = last or first or gone or spells[0]
        return Gap(shown.subject, shown.predicate, None if named is None else shown.object, last, first, gone)

    def _is_meant(self, row: _Row, *, alone: bool = False) -> bool:
        """Tell whether a row is asked for; a value that stands ``alone`` in its slot is, wherever its slot is."""
        chosen = self._chosen.get(row.slot, [])
        if not _is_by_object(chosen) or (alone and any(one.by_slot for one in chosen)):
            return bool(chosen)
        return any(one.object_key == row.object_key for one in chosen)

    def _spells(self) -> list[_Row]:
        if self._history is None:
            self._history = self._rows(_SPELL, _SPELLS, Spell, {})
        return self._history

    def _rows(self, fields: str, source: str, kind: Any, parameters: dict[str, object]) -> list[_Row]:
        """Give what is on record of the slots, those chosen first at the head."""
        if not self._chosen:
            return []
        subjects, predicates = (list(dict.fromkeys(names)) for names in zip(*self._chosen, strict=True))
        sql = f"""
            select subject_key, predicate_key, object_key, {fields} from {source}
            where scope_key = $scope_key
              and list_contains($subjects, subject_key) and list_contains($predicates, predicate_key)
            order by valid_from, object_key, path, line
        """
        given = {
            "known": naive(self._known),
            "scope_key": self._scope_key,
            "subjects": subjects,
            "predicates": predicates,
        }
        found = [
            _Row((subject, predicate), value, kind(*aware(tuple(row))))
            for subject, predicate, value, *row in self._session.ask(sql, given | parameters).fetchall()
        ]
        places = {slot: place for place, slot in enumerate(self._chosen)}
        return sorted((row for row in found if row.slot in places), key=lambda row: places[row.slot])


def _is_held(one: Chosen, chosen: Iterable[Chosen], values: Collection[tuple[str, str, str]]) -> bool:
    """Tell whether a value is among those held, or any of its slot where the slot is asked for."""
    asked = one[:3] if _is_by_object(chosen) else one.slot
    return any(held[: len(asked)] == asked for held in values)


def _is_by_object(chosen: Iterable[Chosen]) -> bool:
    """Tell whether only some values of a slot are asked for."""
    return all(one.by_object for one in chosen)
