"""The imperative shell: one vault, its record appended to, its index kept true to the files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.engine.plan import Plan, compare
from loreweave.store.copying import Copying, beside
from loreweave.vault.append import BusyVault, vault_lock
from loreweave.vault.root import open_root

if TYPE_CHECKING:
    from loreweave.engine.write import Compose, Judge, Written
    from loreweave.store.draft import Draft, Slot
    from loreweave.store.session import Session

READER_SECONDS = 0.5
"""How long a reader waits for a writer before it answers from the index as it stands."""

REPLAY_SECONDS = 600.0
"""How long a first replay waits for another program that is at it already."""


@attrs.frozen
class Refreshed:
    """What bringing the index up to date came to: files on record, read again, gone; ``whole`` if built anew."""

    files: int
    read: int
    gone: int
    whole: bool


class Engine:
    """A vault opened: refreshes its index, appends to its record. Holds no connection between calls."""

    def __init__(self, vault: str | os.PathLike[str] | None = None) -> None:
        self.root = open_root(vault)
        self.index = self.root / ".lore" / "index.duckdb"

    def session(self, scope_key: str | None = None) -> Session:
        """Open the index as it stands; with a scope key, that scope's rows and no others."""
        from loreweave.store.session import Session

        return Session(self.index, scope=scope_key)

    def refresh(self, *, whole: bool = False) -> Refreshed:
        """Bring the index up to date with the files; ``whole`` builds it anew whatever it holds.

        Where another program is writing, the index as it stands is left to be answered from: that
        program brings it up to date before it tells anybody.
        """
        found = None if whole else self._plan()
        if found is not None and found.is_empty:
            return Refreshed(len(found.stamps), 0, 0, False)
        seconds = REPLAY_SECONDS if found is None else READER_SECONDS
        try:
            with vault_lock(self.root, seconds):
                return self._replay(None if whole else self._plan())
        except BusyVault:
            if found is None:
                raise
            return Refreshed(len(found.stamps), 0, 0, False)

    def write(self, slot: Slot, compose: Compose, judge: Judge, *, dry: bool = False) -> Written:
        """Write lines of one slot as ``loreweave.engine.write.write`` says, and bring the index up to date."""
        from loreweave.engine.write import Request, write

        with self._drafting() as draft:
            written = write(self.root, draft, slot, Request(compose, judge, clock.now(), dry))
            if not dry:
                draft.swap()
        return written

    def append(self, path: str, texts: Sequence[str]) -> None:
        """Append lines that were read back already to a file of the record, all or none, and replay them."""
        from loreweave.engine.write import append

        with self._drafting() as draft:
            append(self.root, draft, path, texts)
            draft.swap()

    def _plan(self) -> Plan | None:
        """Compare the files with the index; None where there is no index that can be built upon."""
        from loreweave.store.opening import MissingIndex, UnusableIndex
        from loreweave.store.sources import BARRED, Source

        try:
            with self.session() as session:
                known = [Source(*row) for row in session.ask("select * from sources").fetchall()]
                barred = session.ask("select distinct path from findings where code in (?, ?)", BARRED).fetchall()
        except (MissingIndex, UnusableIndex):
            return None
        return compare(self.root, known, [path for (path,) in barred])

    def _replay(self, found: Plan | None) -> Refreshed:
        """Build the index anew, or change a copy of it; the caller holds the lock."""
        from loreweave.engine.replay import replay_all, replay_some
        from loreweave.store.draft import Draft

        if found is None or not found.is_small:
            everything = compare(self.root, ())
            replay_all(self.root, self.index, everything)
            return Refreshed(len(everything.stamps), len(everything.stamps), len(found.gone) if found else 0, True)
        if not found.is_empty:
            with Copying(self.index, beside(self.index)) as copying, Draft(self.index, copying.take()) as draft:
                replay_some(self.root, draft, found)
                draft.swap()
        return Refreshed(len(found.stamps), len(found.read), len(found.gone), False)

    @contextmanager
    def _drafting(self) -> Iterator[Draft]:
        """Hold the lock and give a copy of the index that is up to date with the files.

        The copy is begun before anything else, so that it costs no time of its own.
        """
        with Copying(self.index, beside(self.index)) as copying:
            from loreweave.engine.replay import replay_some
            from loreweave.store.draft import Draft

            with vault_lock(self.root):
                found = self._plan()
                if found is None or not found.is_small:
                    self._replay(found)
                    found = None
                with Draft(self.index, copying.take()) as draft:
                    if found is not None and not found.is_empty:
                        replay_some(self.root, draft, found)
                    yield draft
