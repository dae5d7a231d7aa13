"""Dreaming: what a vault would have tidied up, as a report. It reads the index and rewrites nothing.

Each list comes from a detector of its own, is cut to a limit and says how many there are. Where there was nothing that
a detector could have looked at, its list says so, which is another thing than having found nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from loreweave.events.slots import key
from loreweave.reports.answer import moment
from loreweave.reports.disagreements import Contradiction, contradictions
from loreweave.reports.duplicates import Duplicate, duplicate, shared
from loreweave.reports.lately import Changed, lately
from loreweave.reports.orphans import Orphan, orphans
from loreweave.reports.question import naive
from loreweave.reports.review import Fading, Standing, fading, standing
from loreweave.reports.undecided import Undecided, undecided
from loreweave.reports.unlinked import Unlinked, unlinked
from loreweave.search.memory import known, recorded_by

if TYPE_CHECKING:
    from loreweave.store.session import Session
    from loreweave.times import Instant

_COUNTS = {
    "notes": "from notes where scope_key = $scope_key",
    "spans": "from spans where scope_key = $scope_key",
    "facts": "from belief_at($now, $known) where scope_key = $scope_key",
    "events": "from events where scope_key = $scope_key and kind <> 'SpanUsed' and recorded_at <= $known",
    "statements": "from statements where scope_key = $scope_key",
    "uses": "from uses where scope_key = $scope_key and recorded_at <= $known",
    "proposals": "from proposals where scope_key = $scope_key and recorded_at <= $known",
}
_T = TypeVar("_T")


@attrs.frozen
class Found(Generic[_T]):
    """What a detector found: the first of ``of`` items. ``unavailable`` says why it had nothing to look at."""

    items: tuple[_T, ...]
    of: int
    unavailable: str | None = None

    @property
    def shown(self) -> int:
        """The number of items given."""
        return len(self.items)


@attrs.frozen
class Dream:
    """What a scope would have tidied up at an instant; ``counts`` says how large it is.

    ``written`` are the files that this was written to.
    """

    as_of: datetime | None
    scope: str
    counts: Mapping[str, int]
    duplicates: Found[Duplicate]
    contradictions: Found[Contradiction]
    changes: Found[Changed]
    fading: Found[Fading]
    open: Found[Standing]
    missing_links: Found[Unlinked]
    orphans: Found[Orphan]
    proposals: Found[Undecided]
    written: tuple[str, ...] = ()


def dream(session: Session, scope: str, now: Instant) -> Dream:
    """Look for everything that might be tidied up in a scope at an instant.

    What the record said by then counts, and no line of it that came later. Notes are taken as they are in the index.
    """
    scope_key = key(scope)
    counts = _counts(session, scope_key, now)
    said = counts["events"] or counts["statements"]
    copies = shared(session, scope_key)
    pairs = [notes for each in copies for notes in (each.notes, *each.sets)]
    odds = contradictions(session, scope_key, now) if said else []
    return Dream(
        moment(now),
        scope,
        {name: counts[name] for name in ("notes", "spans", "facts")},
        _found(counts["notes"], "there are no notes", lambda: [*map(duplicate, copies)]),
        _found(said, "nothing is on record", lambda: odds),
        _found(counts["events"], "nothing is on record", lambda: lately(session, scope_key, now)),
        _found(counts["uses"], "no passage was marked as used", lambda: _faded(session, scope_key, now)),
        _found(counts["events"], "nothing is on record", lambda: _open(session, scope_key, now, odds)),
        _found(counts["notes"] > 1, "there are no two notes", lambda: unlinked(session, scope_key, pairs)),
        _found(counts["notes"], "there are no notes", lambda: orphans(session, scope_key)),
        _found(counts["proposals"], "nothing was proposed", lambda: undecided(session, scope_key, now)),
    )


def cut(whole: Dream, limit: int) -> Dream:
    """Cut each list of a report to a number of items."""
    lists = {field.name: getattr(whole, field.name) for field in attrs.fields(Dream)}
    short: dict[str, Any] = {
        name: attrs.evolve(of, items=of.items[:limit]) for name, of in lists.items() if isinstance(of, Found)
    }
    return attrs.evolve(whole, **short)


def _counts(session: Session, scope_key: str, now: Instant) -> dict[str, int]:
    parts = ", ".join(f"(select count(*) {relation})" for relation in _COUNTS.values())
    asked = {"scope_key": scope_key, "now": naive(now), "known": naive(recorded_by(now))}
    (row,) = session.ask(f"select {parts}", asked).fetchall()
    return dict(zip(_COUNTS, row, strict=True))


def _open(session: Session, scope_key: str, now: Instant, odds: Sequence[Contradiction]) -> list[Standing]:
    """Give the beliefs that have long been open, without those about which the contradictions ask already."""
    asked = {
        (key(each.subject), key(each.predicate), key(side.object)) for each in odds for side in (each.one, *each.others)
    }
    beliefs = standing(session, scope_key, now).beliefs
    return [each for each in beliefs if (key(each.subject), key(each.predicate), key(each.object)) not in asked]


def _faded(session: Session, scope_key: str, now: Instant) -> list[Fading]:
    return fading(session, known(session, scope_key, now))


def _found(there: int, unavailable: str, find: Callable[[], Sequence[_T] | str]) -> Found[_T]:
    """Look where there is something to look at; who looks may say instead why there is no use in a list."""
    items = find() if there else unavailable
    return Found((), 0, items) if isinstance(items, str) else Found(tuple(items), len(items))
