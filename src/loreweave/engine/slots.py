"""A slot as a decision on a proposal finds it: what is believed by the lines that bear on it, and what changed last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from loreweave.events.model import COLUMNS, Event, EventRow, event_of
from loreweave.projections.refold import BELIEF_COLUMNS, KINDS, Refold, refold
from loreweave.times import Instant

_KNOWN_FROM, _KNOWN_UNTIL = (BELIEF_COLUMNS.index(name) for name in ("known_from", "known_until"))
_KIND, _RECORDED = COLUMNS.index("kind"), COLUMNS.index("recorded_at")


class Held(NamedTuple):
    """What a slot holds: what is believed of it, and the last line that changed that, None where there is none."""

    folded: Refold
    changed: EventRow | None

    def changed_since(self, proposal: Event) -> Event | None:
        """Give the last line that changed what is believed since something was proposed of it."""
        changed = None if self.changed is None else event_of(self.changed)
        return changed if changed is not None and changed.recorded_at > proposal.recorded_at else None

    def and_then(self, row: EventRow) -> Refold:
        """Fold one line more."""
        return refold([*self.folded.events, row])


def held(rows: Iterable[EventRow]) -> Held:
    """Fold what bears on a slot; proposals, of which a slot may have thousands, do not."""
    folded = refold(row for row in rows if row[_KIND] in KINDS)
    known = {instant for belief in folded.beliefs for instant in (belief[_KNOWN_FROM], belief[_KNOWN_UNTIL])}
    return Held(folded, next((row for row in reversed(folded.events) if row[_RECORDED] in known), None))


def last_recorded(rows: Iterable[EventRow]) -> Instant:
    """Give the latest record time of lines."""
    return max(event_of(row).recorded_at for row in rows)
