"""Sessions: that a session was resumed is written to the ledger, and what the notes were then is kept in ``.lore/``.

The line in the ledger is the watermark, and survives the loss of ``.lore/``. What the notes were is compared with the
index and not with the clock, so an edit that the index had not seen yet is told the next time, once. So is a line that
another machine recorded before and that came later: the events known are kept too, as far back as a late one is likely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave import clock
from loreweave.engine.writer import Writer
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.slots import key
from loreweave.projections.changed import Begun, Kept
from loreweave.store.sessions import last_resumed, note_hashes, session_key
from loreweave.times import DAY, shifted
from loreweave.vault.kept import keep, kept_of

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.store.draft import Draft
    from loreweave.times import Instant

LATE, MOST = 90 * DAY, 10_000
"""How far back, and how many, events are kept."""

_EVENTS = """
    select event_id, epoch_us(recorded_at) from events
    where scope_key = ? and subject_key is not null and recorded_at > make_timestamp(?)
    order by recorded_at desc, event_id limit ?
"""


class Sessions(Writer):
    """The sessions of one vault, in one scope, each under its name."""

    def begin_session(self, name: str) -> Begun:
        """Record that a session is resumed now, and tell when it was before, and what the notes were then."""
        from loreweave.engine.asking import refuse_unwritable

        self.refuse_obeyed("name", name)
        line = Line("session", object=name, by=self.agent, scope=self.written_scope())
        refuse_unwritable(line)
        return self.engine.on_draft(lambda draft: _begin(self.engine, draft, line))

    def notes_kept(self, name: str | None) -> tuple[Kept, ...]:
        """Give the notes as they were when a session was last resumed, or else as each of the scope kept them."""
        of = None if name is None else session_key(name, self.agent)
        return kept_of(self.engine.root, key(self.scope), of)


def _begin(engine: Engine, draft: Draft, line: Line) -> Begun:
    from loreweave.engine.observing import append
    from loreweave.engine.write import record_time

    scope_key, name = key(line.scope or DEFAULT_SCOPE), line.object or ""
    recorded_at = record_time(draft, clock.now())
    last, notes = last_resumed(draft.ask, scope_key, name, line.by), note_hashes(draft.ask, scope_key)
    now = Kept(recorded_at, notes, *_known(draft, scope_key, shifted(recorded_at, -LATE)))
    append(engine, draft, [line._replace(recorded_at=recorded_at)], recorded_at)
    of = session_key(name, line.by)
    kept = kept_of(engine.root, scope_key, of)
    keep(engine.root, scope_key, of, now)
    return Begun(last, recorded_at, kept, notes)


def _known(draft: Draft, scope_key: str, after: Instant) -> tuple[Instant, frozenset[str]]:
    """Give the events recorded after an instant; of very many the latest, and after which instant these are all."""
    rows = draft.ask(_EVENTS, [scope_key, after, MOST + 1])
    after = rows[MOST][1] if len(rows) > MOST else after
    return after, frozenset(event_id for event_id, at in rows if at > after)
