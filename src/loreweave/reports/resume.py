"""What changed since a session was last resumed: notes, and beliefs, each with the lines of the record that did it.

Beliefs are told by record time, exactly. Lines that were recorded before and have come since, as from another machine,
are told apart. Notes bear no record time: they are compared with what was kept of them when a session was resumed.
Where nothing was kept, it is unknown which notes changed before, and which lines came late.
"""

from __future__ import annotations

from abc import abstractmethod
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.events.slots import key
from loreweave.projections.changed import Begun, Hashes, Kept, NoteChange, nearest, note_changes
from loreweave.reports.answer import aware, moment
from loreweave.reports.asks import Asks
from loreweave.reports.diff import SlotChange, latest
from loreweave.reports.question import Question, limit_of, naive, named
from loreweave.store.sessions import last_resumed, note_hashes
from loreweave.times import DAY, Instant, Time, read_time, shifted, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

LIMIT = 30
"""How many notes, and how many changed slots, are given where nothing is said."""

FIRST = 7 * DAY
"""How far back the first session of a name looks."""

NAME = "default"
"""The session of who gives no name."""

_LATE = """
    select kind, subject, predicate, object, valid_from, valid_until, recorded_at, source, recorded_by, because,
        event_id, path, line, count(*) over ()
    from events anti join (select unnest($known::varchar[]) as event_id) using (event_id)
    where scope_key = $scope_key and subject_key is not null and $after < recorded_at and recorded_at <= $upto
    order by recorded_at, path, line limit $limit
"""


@attrs.frozen
class ChangedNotes:
    """The notes that changed since ``since``, in the order of their paths; ``of`` is how many there are."""

    since: datetime
    notes: tuple[NoteChange, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of notes given."""
        return len(self.notes)


@attrs.frozen
class ChangedBeliefs:
    """The latest changes of slots, in the order of record time; ``of`` is how many there are.

    A slot counts once for each record instant.
    """

    slots: tuple[SlotChange, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of changes given."""
        return len(self.slots)


@attrs.frozen
class Late:
    """A line recorded before the session was last resumed that was not there then: what it says, and where."""

    kind: str
    subject: str
    predicate: str
    object: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    recorded_at: datetime
    source: str | None
    recorded_by: str | None
    because: str | None
    event_id: str
    path: str
    line: int


@attrs.frozen
class LateLines:
    """The lines that came late, in the order of record time; ``of`` is how many there are."""

    lines: tuple[Late, ...]
    of: int

    @property
    def shown(self) -> int:
        """The number of lines given."""
        return len(self.lines)


@attrs.frozen
class Resume:
    """What changed after ``since`` and up to ``until``, None where that is the last of the record.

    ``last`` is when the session was resumed before, None where it never was. ``marked`` tells that it is resumed now.
    ``notes`` and ``late`` are None where nothing was kept.
    """

    session: str
    since: datetime
    until: datetime | None
    last: datetime | None
    marked: bool
    scope: str
    notes: ChangedNotes | None
    beliefs: ChangedBeliefs
    late: LateLines | None

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing changed that is known."""
        return not any(part is not None and part.of for part in (self.notes, self.beliefs, self.late))


class Resumes(Asks):
    """The sessions of one vault, in one scope."""

    agent: str | None

    @abstractmethod
    def begin_session(self, name: str) -> Begun:
        """Record that a session is resumed now, and tell when it was before, and what the notes were then."""

    @abstractmethod
    def notes_kept(self, name: str | None) -> tuple[Kept, ...]:
        """Give the notes as sessions kept them."""

    def resume(self, *, since: Time = None, name: str | None = None, limit: int = LIMIT, mark: bool = True) -> Resume:
        """Give what changed since the session ``name`` was last resumed, or in the last seven days, and mark it as now.

        With ``since``, a record instant, or without ``mark`` nothing is written. Of notes, and of slots that changed,
        ``limit`` are given at most. Raises BadRequest or Refused for what cannot be read.
        """
        limit = limit_of(limit)
        first, name = read_time("since", since), self._named(name)
        begun = self.begin_session(name) if mark and first is None else None
        with self.asking() as session:
            last = begun.before if begun else last_resumed(session.rows, key(self.scope), name, self.agent)
            kept = begun.kept if begun else self.notes_kept(name if first is None else None)
            if first is None:
                first = shifted(clock.now(), -FIRST) if last is None else last
            until = begun.recorded_at if begun else None
            changed = latest(session, Question(self.scope), first, until, limit=limit)
            notes = begun.notes if begun else note_hashes(session.rows, key(self.scope))
            known = nearest(kept, first)
            return Resume(
                session=name,
                since=changed.earlier,
                until=changed.later,
                last=moment(last),
                marked=begun is not None,
                scope=self.scope,
                notes=None if known is None else _notes(notes, known, limit),
                beliefs=ChangedBeliefs(changed.changes, changed.of),
                late=None if known is None else _late(session, self.scope, known, min(first, known.recorded_at), limit),
            )

    def _named(self, name: str | None) -> str:
        """Give the name of a session; those of an agent stand under its own, so that it marks nobody else's."""
        if name is None:
            return self.agent or NAME
        named("name", name)
        return name if self.agent is None or key(name) == key(self.agent) else f"{self.agent}/{name}"


def _notes(now: Hashes, kept: Kept, limit: int) -> ChangedNotes:
    changes = note_changes(kept.notes, now)
    return ChangedNotes(to_datetime(kept.recorded_at), changes[:limit], len(changes))


def _late(session: Session, scope: str, kept: Kept, upto: Instant, limit: int) -> LateLines:
    given = {"scope_key": key(scope), "after": naive(kept.after), "upto": naive(upto), "known": sorted(kept.events)}
    rows = session.ask(_LATE, given | {"limit": limit}).fetchall()
    return LateLines(tuple(Late(*aware(row[:-1])) for row in rows), rows[0][-1] if rows else 0)
