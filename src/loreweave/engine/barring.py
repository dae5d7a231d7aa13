"""What bars a proposal: one that waits and says the same, or one that looks the same to a reader and was rejected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from loreweave.events.likeness import is_alike, looks
from loreweave.events.model import Event, EventRow, event_of
from loreweave.events.proposals import FACT, is_seen_again
from loreweave.store import proposed as stored
from loreweave.store.proposed import PENDING, REJECTED, Proposed, Slot

if TYPE_CHECKING:
    from loreweave.store.proposed import Ask

_PROPOSED, _ASSERTED = "FactProposed", "FactAsserted"


class Barring:
    """The proposals of a scope that bar others."""

    def __init__(self, proposals: Iterable[Proposed]) -> None:
        self._waiting: dict[Slot, list[Proposed]] = defaultdict(list)
        self._rejected: dict[tuple[str, ...], list[Proposed]] = defaultdict(list)
        for one in proposals:
            if one.status == PENDING:
                self._waiting[one.slot].append(one)
            elif one.status == REJECTED:
                for seen in dict.fromkeys(_seen(one.event)):
                    self._rejected[seen].append(one)

    def of(self, proposal: Event, rows: Sequence[EventRow]) -> Proposed | None:
        """Give the other proposal that bars one, a rejected one first; ``rows`` are the events of its slot.

        A rejection bars nothing any more once somebody stated that value there after all.
        """
        for seen in _seen(proposal):
            for one in self._rejected.get(seen, ()):
                if is_seen_again(proposal, one.event) and not _said_since(one, proposal, rows):
                    return one
        waiting = self._waiting.get((proposal.scope_key, proposal.subject_key, proposal.predicate_key), ())
        return next((one for one in waiting if _says(proposal) == _says(one.event)), None)


def barring(ask: Ask, slot: Slot, rows: Sequence[EventRow]) -> Barring:
    """Read what bars proposals about a slot, whose events ``rows`` are."""
    scope_key, subject_key, predicate_key = slot
    waiting = stored.of_slot(ask, slot, PENDING) if any(row[1] == _PROPOSED for row in rows) else []
    alike = [
        event_id
        for event_id, *other in stored.slots_rejected(ask, scope_key)
        if is_alike(other[0], subject_key) and is_alike(other[1], predicate_key)
    ]
    return Barring([*waiting, *(stored.beginning(ask, scope_key, alike) if alike else [])])


def _seen(proposal: Event) -> Iterator[tuple[str, ...]]:
    """Give how the slot of a proposal looks, in each way."""
    yield from zip(looks(proposal.subject_key or ""), looks(proposal.predicate_key or ""), strict=True)


def _said_since(rejected: Proposed, proposal: Event, rows: Sequence[EventRow]) -> bool:
    """Tell whether somebody stated after all, since a proposal was rejected, what is proposed now."""
    since = rejected.decided_at or 0
    said = (event_of(row) for row in rows if row[1] == _ASSERTED)
    return any(one.recorded_at > since and is_alike(one.object, proposal.object) for one in said)


def _says(proposal: Event) -> tuple[object, ...]:
    return proposal.detail or FACT, proposal.object_key, proposal.valid_from, proposal.valid_until, proposal.many
