"""What changed since a session was last resumed: notes, and beliefs, each with the lines of the record that did it.

Beliefs are told by record time, exactly. Notes bear none: they are compared with what was kept of them when a session
was resumed, and where nothing was kept it is unknown which of them changed before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.events.slots import key
from loreweave.projections.changed import DIGITS, Begun, Hashes, Kept, NoteChange, nearest, note_changes
from loreweave.reports.answer import moment
from loreweave.reports.diff import SlotChange, latest
from loreweave.reports.question import Question, named
from loreweave.times import DAY, Instant, Time, read_time, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

LIMIT = 30
"""How many notes, and how many changed slots, are given where nothing is said."""

FIRST = 7 * DAY
"""How far back the first session of a name looks."""

NAME = "default"
"""The session of who gives no name."""

_SESSIONS = "select name, max(epoch_us(recorded_at)) from sessions where scope_key = ? group by name"
_NOTES = "select path, left(hash, ?) from notes where scope_key = ?"


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
class Resume:
    """What changed after ``since`` and up to ``until``, None where that is the last of the record.

    ``last`` is when the session was resumed before, None where it never was. ``marked`` tells that it is resumed now.
    ``notes`` is None where nothing was kept of the notes.
    """

    session: str
    since: datetime
    until: datetime | None
    last: datetime | None
    marked: bool
    scope: str
    notes: ChangedNotes | None
    beliefs: ChangedBeliefs

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing changed that is known."""
        return not (self.beliefs.of or (self.notes is not None and self.notes.of))


class Resumes(ABC):
    """The sessions of one vault, in one scope."""

    scope: str
    agent: str | None

    @abstractmethod
    def asking(self) -> AbstractContextManager[Session]:
        """Give a session on the index, brought up to date first."""

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
        first, name = read_time("since", since), self.agent or NAME if name is None else name
        named("name", name)
        begun = self.begin_session(name) if mark and first is None else None
        with self.asking() as session:
            now = clock.now()
            last = begun.before if begun else _last(session, self.scope, name)
            kept = begun.kept if begun else self.notes_kept(name if first is None else None)
            notes = begun.notes if begun else dict(session.rows(_NOTES, [DIGITS, key(self.scope)]))
            if first is None:
                first = last if last is not None else now - FIRST
            until = begun.recorded_at if begun else None
            changed = latest(session, Question(self.scope), first, until, limit=limit)
            of_notes = _notes(notes, nearest(kept, first), limit)
        beliefs = ChangedBeliefs(changed.changes, changed.of)
        return Resume(
            name, changed.earlier, changed.later, moment(last), begun is not None, self.scope, of_notes, beliefs
        )


def _last(session: Session, scope: str, name: str) -> Instant | None:
    """Give the record instant at which a session was last resumed."""
    times = (at for told, at in session.rows(_SESSIONS, [key(scope)]) if key(told) == key(name))
    return max(times, default=None)


def _notes(now: Hashes, kept: Kept | None, limit: int) -> ChangedNotes | None:
    if kept is None:
        return None
    changes = note_changes(kept.notes, now)
    return ChangedNotes(to_datetime(kept.recorded_at), changes[:limit], len(changes))
