"""Reinforcing: that a passage was of use is written to the ledger, for only what is used is remembered for longer.

The line holds the address of the passage and the beginnings of its hash and of that of its text below the heading, so
that the use follows it through edits, whatever becomes of the index. To be found by a search is no use, and writes
nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs

from loreweave import clock
from loreweave.engine.asking import LONGEST
from loreweave.engine.writer import Writer
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.slots import key
from loreweave.times import to_datetime

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.search.passages import Passage
    from loreweave.store.draft import Draft

_HASHES = "select hash, body_hash from spans where scope_key = ? and span_id = ?"
_BEFORE = "select count(*) from uses where scope_key = ? and span_id = ?"


@attrs.frozen
class Used:
    """A use on record: which passage, since when it is recorded and by whom, and how often it was used, this use too.

    ``ledger`` and ``line`` are where it is written.
    """

    path: str
    anchor: str
    start_line: int
    end_line: int
    uses: int
    recorded_at: datetime
    recorded_by: str | None
    ledger: str
    line: int


class Reinforces(Writer):
    """Uses of the passages of one vault, in one scope."""

    @abstractmethod
    def passage(self, rows: Callable[[str, list[object]], list[tuple[Any, ...]]], address: str) -> Passage:
        """Find in an index the passage that an address names; raise BadRequest or Refused."""

    def mark_used(self, address: str, *, by: str | None = None) -> Used:
        """Record that a passage was of use, so that it fades more slowly: ``path#heading``, ``path:line`` or both.

        Raises Refused for an address that names no passage of the scope, or several.
        """
        signed, scope = self.signed(by), self.written_scope()

        def work(draft: Draft) -> Used:
            passage = self.passage(draft.ask, address)
            named = f"{passage.path}#{passage.anchor}" if passage.anchor else passage.path
            named = named if len(named) <= LONGEST else passage.path
            line = Line("used", object=named, hash=_hashes(draft, passage, self.scope), by=signed, scope=scope)
            return _mark(self.engine, draft, passage, line)

        return self.engine.on_draft(work)


def _hashes(draft: Draft, passage: Passage, scope: str) -> str:
    """Give what a passage is known again by: its hash, and where it has a heading, that of what stands below it."""
    ((whole, below),) = draft.ask(_HASHES, [key(scope), passage.span_id])
    whole = whole[: len(below)]
    return whole if below == whole else f"{whole}-{below}"


def _mark(engine: Engine, draft: Draft, passage: Passage, line: Line) -> Used:
    from loreweave.engine.asking import refuse_unwritable
    from loreweave.engine.observing import append, ledger_file, ledger_lines
    from loreweave.engine.write import record_time

    refuse_unwritable(line)
    recorded_at = record_time(draft, clock.now())
    ((before,),) = draft.ask(_BEFORE, [key(line.scope or DEFAULT_SCOPE), passage.span_id])
    lines = ledger_lines(draft)
    number = lines.get(ledger_file(lines, recorded_at), 0) + 1
    path = append(engine, draft, [line._replace(recorded_at=recorded_at)], recorded_at)
    place = passage.path, passage.anchor, passage.start_line, passage.end_line
    return Used(*place, int(before) + 1, to_datetime(recorded_at), line.by, path, number)
