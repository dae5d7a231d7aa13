"""What a note is held to say in one sub-slot, as lines of the ledger tell it, and the lines that change it.

Reading and writing are inverse: ``after(held, change(held, wanted))`` states exactly what is wanted. Of several ways
to write a change the one that moves least is taken, so that a value nobody touched keeps its line and its record time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from loreweave.events.past import Past, Value

NO_PAST = Past()


class Held(NamedTuple):
    """What a note states, and what it said before: never taken back, and ended where a later value began."""

    stated: tuple[Value, ...] = ()
    past: Past = NO_PAST


class Change(NamedTuple):
    """The lines of one record instant: objects withdrawn (None: all), values observed, values carried over as past."""

    withdrawn: tuple[str | None, ...] = ()
    observed: tuple[Value, ...] = ()
    past: tuple[Value, ...] = ()


NOTHING = Held()


def after(held: Held, change: Change) -> Held:
    """Give what is held once the lines of a change are in the ledger."""
    for object_key in change.withdrawn:
        held = silenced(held, object_key)
    held = held._replace(past=held.past.plus(change.past))
    return said(held, change.observed, corrects=bool(change.withdrawn))


def silenced(held: Held, object_key: str | None) -> Held:
    """Give what is held after a withdrawal of one object, or of all."""
    if object_key is None:
        return NOTHING
    stated = tuple(value for value in held.stated if value.object_key != object_key)
    return Held(stated, Past(value for value in held.past if value.object_key != object_key))


def said(held: Held, seen: Sequence[Value], *, corrects: bool = False) -> Held:
    """Give what is held after values were seen at one record instant; ``corrects`` where something was withdrawn at it.

    A later value takes the place of the one the note stated. Otherwise what is seen is stated beside what was, and a
    value seen again from its start, with another end, is restated.
    """
    again = {value[:2] for value in seen}
    past = held.past.without(again)
    if not corrects and _gives_way(held.stated, seen):
        return Held(_once(seen), past.plus(held.stated))
    stated = _once([*(value for value in held.stated if value[:2] not in again), *seen])
    return Held(stated, past) if stated else Held(tuple(past))


def change(held: Held, wanted: Sequence[Value]) -> Change:
    """Give the lines after which exactly the wanted values are stated, none where they are already."""
    if held == NOTHING:
        return Change(observed=tuple(wanted))
    stated, aim = set(held.stated), set(wanted)
    fresh = tuple(value for value in wanted if value not in stated)
    ways = chain((Change(observed=fresh), Change(observed=tuple(wanted))), _taking_back(held, wanted, fresh))
    return next(way for way in ways if set(after(held, way).stated) == aim)


def _taking_back(held: Held, wanted: Sequence[Value], fresh: Sequence[Value]) -> Iterable[Change]:
    """Give ways with a withdrawal: of what is gone by name, where anything stays that it must leave alone; else of all.

    By name only where every past value began before all that is wanted: another would come back to light.
    """
    something_stays = bool(held.past) or len(fresh) < len(wanted)
    first = min((value.valid_from for value in wanted), default=None)
    if first is not None and something_stays and (held.past.latest is None or held.past.latest < first):
        new, again = set(fresh), {value[:2] for value in fresh}
        gone = {v.object_key for v in set(held.stated).difference(wanted) if v[:2] not in again}
        observed = tuple(value for value in wanted if value in new or value.object_key in gone)
        yield Change(tuple(sorted(gone)), observed, tuple(v for v in held.past if v.object_key in gone))
    yield Change((None,), tuple(wanted))


def _gives_way(stated: Sequence[Value], seen: Sequence[Value]) -> bool:
    """Tell whether one value was stated, open to its end, and other values are seen that all begin later."""
    objects = {value.object_key for value in stated}
    return (
        len(objects) == 1
        and bool(seen)
        and objects.isdisjoint(value.object_key for value in seen)
        and all(value.valid_until is None for value in stated)
        and max(value.valid_from for value in stated) < min(value.valid_from for value in seen)
    )


def _once(values: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys(values))
