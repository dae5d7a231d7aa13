"""Sessions: that a session was resumed is written to the ledger, and what the notes were then is kept in ``.lore/``.

The line in the ledger is the watermark, and survives the loss of ``.lore/``. What the notes were is compared with the
index and not with the clock, so an edit that the index had not seen yet is told the next time, once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave import clock
from loreweave.engine.writer import Writer
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.slots import key
from loreweave.projections.changed import DIGITS, Begun, Kept
from loreweave.vault.kept import keep, kept_of

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.store.draft import Draft

_SESSIONS = "select name, max(epoch_us(recorded_at)) from sessions where scope_key = ? group by name"
_NOTES = "select path, left(hash, ?) from notes where scope_key = ?"


class Sessions(Writer):
    """The sessions of one vault, in one scope, each under its name."""

    def begin_session(self, name: str) -> Begun:
        """Record that a session is resumed now, and tell when it was before, and what the notes were then."""
        from loreweave.engine.asking import refuse_unwritable

        line = Line("session", object=name, by=self.agent, scope=self.written_scope())
        refuse_unwritable(line)
        return self.engine.on_draft(lambda draft: _begin(self.engine, draft, line))

    def notes_kept(self, name: str | None) -> tuple[Kept, ...]:
        """Give the notes as they were when a session was last resumed, or else as each of the scope kept them."""
        return kept_of(self.engine.root, key(self.scope), None if name is None else key(name))


def _begin(engine: Engine, draft: Draft, line: Line) -> Begun:
    from loreweave.engine.observing import append
    from loreweave.engine.write import record_time

    scope_key, name = key(line.scope or DEFAULT_SCOPE), key(line.object or "")
    recorded_at = record_time(draft, clock.now())
    times = [at for told, at in draft.ask(_SESSIONS, [scope_key]) if key(told) == name]
    notes = dict(draft.ask(_NOTES, [DIGITS, scope_key]))
    append(engine, draft, [line._replace(recorded_at=recorded_at)], recorded_at)
    kept = kept_of(engine.root, scope_key, name)
    keep(engine.root, scope_key, name, Kept(recorded_at, notes))
    return Begun(max(times, default=None), recorded_at, kept, notes)
