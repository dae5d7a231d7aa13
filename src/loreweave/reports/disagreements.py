"""What is said against what: claims at odds in the record, and what notes say of one thing under its several names.

The view ``contradictions`` knows of claims of one slot. Two notes may also disagree without meeting in a slot: where
one speaks of a thing by its title and the other by another of its names, or before both are recorded. What two notes
say each from a date of its own is no disagreement: things change. Nor is what two notes say of themselves that only
bear one title, such as a heading that a form gives them. What was at odds over a time that is past, and has been known
for long, is settled. Each side is told by the instant from which it is
said to hold, and by when that was learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.reports.answer import aware
from loreweave.reports.question import naive
from loreweave.reports.review import LONG
from loreweave.search.memory import recorded_by
from loreweave.times import DAY, shifted

if TYPE_CHECKING:
    from loreweave.store.session import Session
    from loreweave.times import Instant

NOTES_DISAGREE = "notes-disagree"
"""The kind of what notes say against each other and the view does not hold."""

SIDES = 3
"""How many others are given of those that are at odds with one claim."""

_OTHERWISE = """
    otherwise as (
        select path, title_key from notes
        where scope_key = $scope_key and name_key(lower(parse_filename(path, true))) <> name_key(title_key)
    )"""
"""The notes that bear a title and are called otherwise."""

_AT_ODDS = f"""
    with timed as (
        select path, subject_key, predicate_key, object_key, coalesce(valid_from, dated) as since from statements
        where scope_key = $scope_key and (valid_from is not null or dated is not null and subject_key <> title_key)
    ),
    {_OTHERWISE}
    select c.kind, c.subject, c.predicate,
        theirs.object, theirs.valid_from, theirs.recorded_at, coalesce(theirs.note, theirs.path),
        if(theirs.note is null, theirs.line, 0),
        mine.object, mine.valid_from, mine.recorded_at, coalesce(mine.note, mine.path),
        if(mine.note is null, mine.line, 0), c.subject_key, c.predicate_key, c.other_event_id
    from contradictions c
    join events mine on mine.event_id = c.event_id and mine.scope_key = c.scope_key
    join events theirs on theirs.event_id = c.other_event_id and theirs.scope_key = c.scope_key
    where c.scope_key = $scope_key and greatest(mine.recorded_at, theirs.recorded_at) <= $known
        and (coalesce(c.valid_until > $now, true) or greatest(mine.recorded_at, theirs.recorded_at) > $long_ago)
        and not (
            c.kind like 'noted-against-%' and mine.valid_until is null and mine.valid_from < theirs.valid_from
            and (mine.note, mine.subject_key, mine.predicate_key, mine.object_key, mine.valid_from) in (from timed)
            and (theirs.note is null
                or (theirs.note, theirs.subject_key, theirs.predicate_key, theirs.object_key, theirs.valid_from)
                    in (from timed))
        )
        and not (
            c.kind = 'noted-against-noted' and mine.note <> theirs.note
            and (mine.note, mine.subject_key) in (from otherwise)
            and (theirs.note, theirs.subject_key) in (from otherwise)
        )
    order by c.valid_from <= $now and (c.valid_until is null or $now < c.valid_until) desc,
        greatest(mine.recorded_at, theirs.recorded_at) desc, c.subject_key, c.predicate_key, c.valid_from,
        c.event_id, c.other_event_id
"""
_OF_NOTES = f"""
    with {_OTHERWISE},
    names as (
        select entity_key, min(path) as about from called where scope_key = $scope_key
        group by entity_key having count(distinct path) = 1
    ),
    said as (
        select statements.*, coalesce(valid_from, dated) as since,
            coalesce(about, if((path, subject_key) in (from otherwise), path, subject_key)) as entity
        from statements left join names on entity_key = name_key(subject_key)
        where scope_key = $scope_key and not many
    ),
    disputed as (
        select entity, predicate_key, since from said group by all
        having count(distinct object_key) > 1 and count(distinct path) > 1
    ),
    sighted as (
        select note as path, subject_key, predicate_key, object_key, max(recorded_at) as recorded_at from events
        where scope_key = $scope_key and kind = 'ValueObserved' and recorded_at <= $known group by all
    )
    select said.entity, said.predicate_key, said.since, said.subject_key, said.object_key, subject, predicate,
        object, said.since, recorded_at, said.path, line
    from said join disputed on disputed.entity = said.entity and disputed.predicate_key = said.predicate_key
        and disputed.since is not distinct from said.since
    left join sighted on sighted.path = said.path and sighted.subject_key = said.subject_key
        and sighted.predicate_key = said.predicate_key and sighted.object_key = said.object_key
    order by said.entity, said.predicate_key, said.since, said.path, line, said.object_key
"""


@attrs.frozen
class Side:
    """One of two claims: its value, the instant from which it is said to hold, and when that was written down.

    ``valid_from`` None: from when it was seen; ``recorded_at`` None: it waits to be recorded; ``line`` 0: all the note.
    """

    object: str
    valid_from: datetime | None
    recorded_at: datetime | None
    path: str
    line: int


@attrs.frozen
class Contradiction:
    """Claims of one slot that cannot all be meant; ``kind`` as in the view, or ``notes-disagree``.

    Of claims of the record ``one`` is believed and the others are not; ``others`` are the first of ``of`` in all.
    """

    kind: str
    subject: str
    predicate: str
    one: Side
    others: tuple[Side, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of other sides given."""
        return len(self.others)


def contradictions(session: Session, scope_key: str, now: Instant) -> list[Contradiction]:
    """Give the claims of a scope that are at odds: those that are so now first, then the ones learned last.

    Of the record both sides are on it at the instant; what was settled since is told no more.
    """
    asked = {"scope_key": scope_key, "known": naive(recorded_by(now))}
    instants = {"now": naive(now), "long_ago": naive(shifted(now, -LONG * DAY))}
    rows = session.ask(_AT_ODDS, {**asked, **instants}).fetchall()
    against: dict[tuple[str, ...], list[list[Any]]] = {}
    for row in [aware(each) for each in rows]:
        against.setdefault((row[0], *row[-3:]), []).append(row[:-3])
    at_odds = [
        _contradiction(first[0], first[1:8], [row[8:] for row in (first, *more)]) for first, *more in against.values()
    ]
    return [*at_odds, *_of_notes(session, asked)]


def _contradiction(kind: str, claim: Sequence[Any], others: Sequence[Sequence[Any]]) -> Contradiction:
    """Make a contradiction of a claim, its slot before it, and what is said against it."""
    subject, predicate, *one = claim
    distinct = tuple(dict.fromkeys(Side(*other) for other in others))
    return Contradiction(kind, subject, predicate, Side(*one), distinct[:SIDES], len(distinct))


def _of_notes(session: Session, asked: Mapping[str, object]) -> Iterator[Contradiction]:
    """Give what notes say of one thing under several names: for each the first note, and those that say otherwise."""
    rows = [aware(row) for row in session.ask(_OF_NOTES, asked).fetchall()]
    for _, said in groupby(rows, lambda row: row[:3]):
        first, *more = said
        against = [row for row in more if _differ(first, row)]
        if against:
            yield _contradiction(NOTES_DISAGREE, first[5:], [row[7:] for row in against])


def _differ(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Say whether two statements differ in what they say and stand in two notes, and no slot has both of them."""
    (slot, said), (others_slot, others) = one[3:5], other[3:5]
    in_one_slot = slot == others_slot and one[9] is not None and other[9] is not None
    return bool(said != others and one[10] != other[10] and not in_one_slot)
