"""What happened to one entity, in the order of time: how beliefs about it changed, and the dated passages that name it.

A change of belief is placed at the instant from which it holds, as best known; a passage at the time that it speaks of.
What a note said without a date when it was first seen is no change.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs

from loreweave import clock
from loreweave.events.slots import key, object_key
from loreweave.reports.answer import moment
from loreweave.reports.asks import Asks
from loreweave.reports.count import Window
from loreweave.reports.entity import entity_of, near
from loreweave.reports.mentioned import Mention, Mentions
from loreweave.reports.question import limit_of
from loreweave.reports.turns import Turn, is_spoken_of, turns
from loreweave.search.dates import bounds
from loreweave.times import Time

if TYPE_CHECKING:
    from loreweave.store.session import Session

ENTRIES = 200
"""How many entries are given where nothing is said."""


@attrs.frozen
class Timeline:
    """The latest entries about an entity, in the order of time; ``of`` is how many there are.

    ``names`` are those that count as one, ``path`` is its note, if it has one. ``near`` has names like the one asked
    for, where nothing is called so.
    """

    entity: str
    path: str | None
    names: tuple[str, ...]
    near: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    scope: str
    entries: tuple[Turn | Mention, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of entries given."""
        return len(self.entries)


class Timelines(Asks):
    """What happened to the entities of one vault, in one scope."""

    def timeline(self, entity: str, *, since: Time = None, until: Time = None, limit: int = ENTRIES) -> Timeline:
        """Give the changes of belief about an entity and the dated passages that name it, the latest ``limit`` of them.

        ``since`` and ``until``, excluded, bound the time they are about. Raises BadRequest for what cannot be read.
        """
        limit = limit_of(limit)
        window = Window(*bounds(since, until, clock.now()))
        with self.asking() as session:
            return timeline(session, entity, self.scope, window, limit=limit)


def timeline(session: Session, name: str, scope: str, window: Window, *, limit: int = ENTRIES) -> Timeline:
    """Give what happened to an entity within a window of time."""
    scope_key = key(scope)
    entity = entity_of(session, name, scope_key)
    since, until = moment(window.since), moment(window.until)
    spoken = Mentions(session, entity)
    turned = [turn for turn in turns(session, entity, scope_key) if _is_within(turn.at, since, until)]
    entries: list[Turn | Mention] = [*turned, *spoken.find(scope_key, since, until)]
    entries.sort(key=_order)
    shown = entries[-limit:]
    said = spoken.read([entry for entry in shown if isinstance(entry, Mention)])
    told = [said[entry] if isinstance(entry, Mention) else entry for entry in shown]
    is_known = bool(entries) or entity.path is not None or is_spoken_of(session, entity, scope_key)
    alike = () if is_known else near(session, name, scope_key)
    return Timeline(name.strip(), entity.path, entity.names, alike, since, until, scope, tuple(told), len(entries))


def _is_within(at: datetime, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or since <= at) and (until is None or at < until)


def _order(entry: Turn | Mention) -> tuple[Any, ...]:
    if isinstance(entry, Mention):
        return entry.at, 1, entry.path, "", "", "", entry.start_line
    slot = key(entry.subject), key(entry.predicate), object_key(entry.object)
    return entry.at, 0, *slot, entry.change, entry.line
