"""What the record said before and says no longer: events of another build that this one lacks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from loreweave.times import show_instant

if TYPE_CHECKING:
    from loreweave.events.model import EventRow
    from loreweave.store.session import Session

SHOWN = 200
_SAID = "event_id, kind, scope_key, subject, predicate, object, epoch_us(recorded_at), path, line"
_AT = (0, 1, 6, 3, 4, 5, 12, 20, 21)
"""Where the columns of ``_SAID`` stand in an event row."""

Said = tuple[str, str, str, str | None, str | None, str | None, int, str, int]


@attrs.frozen
class Redaction:
    """A line of an earlier record that is gone, or ``changed``: another line of its slot and record time stands now."""

    change: str
    kind: str
    said: str
    recorded_at: str
    path: str
    line: int
    now: str | None
    now_at: str | None


@attrs.frozen
class Redactions:
    """Lines gone or changed since ``against``, ``of`` in all, and how many lines have been added."""

    against: str
    items: tuple[Redaction, ...]
    of: int
    added: int

    @property
    def shown(self) -> int:
        """The number of lines given."""
        return len(self.items)


def said_in(session: Session) -> list[Said]:
    """Give what an index holds of each event, in order of place."""
    return session.ask(f"select {_SAID} from events order by path, line, event_id").fetchall()


def said_by(rows: Iterable[EventRow]) -> list[Said]:
    """Give the same of event rows read from files, each event at its first origin."""
    found: dict[object, Said] = {}
    for row in rows:
        found.setdefault(row[0], tuple(row[at] for at in _AT))  # type: ignore[arg-type]
    return sorted(found.values(), key=lambda said: (said[7], said[8], said[0]))


def redactions(against: str, before: list[Said], after: list[Said], limit: int = SHOWN) -> Redactions:
    """Compare two records by what their lines say; where a line stands makes no difference."""
    old, new = {said[0] for said in before}, {said[0] for said in after}
    added = [said for said in after if said[0] not in old]
    in_place = {(*_slot(said), said[6]): said for said in added}
    gone = [said for said in before if said[0] not in new]
    items = tuple(_redaction(said, in_place.get((*_slot(said), said[6]))) for said in gone[:limit])
    return Redactions(against, items, len(gone), len(added))


def _redaction(said: Said, now: Said | None) -> Redaction:
    change = "gone" if now is None else "changed"
    shown, place = (None, None) if now is None else (_shown(now), f"{now[7]}:{now[8]}")
    return Redaction(change, said[1], _shown(said), show_instant(said[6]), said[7], said[8], shown, place)


def _slot(said: Said) -> tuple[str | None, ...]:
    return said[2], said[3], said[4]


def _shown(said: Said) -> str:
    return " :: ".join(part for part in said[3:6] if part is not None)
