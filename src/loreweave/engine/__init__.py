"""The imperative shell: one vault, its record appended to, its index kept true to the files."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import attrs

from loreweave import clock
from loreweave.engine.plan import Plan, compare
from loreweave.errors import StoreError
from loreweave.store.copying import Copying, beside, sweep
from loreweave.vault.append import BusyVault, ClosedVault, refuse_read_only, vault_lock
from loreweave.vault.root import open_root, refuse_outside

if TYPE_CHECKING:
    from loreweave.engine.write import Compose, Judge, Written
    from loreweave.store.draft import Draft, Slot
    from loreweave.store.session import Session

T = TypeVar("T")

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
        refuse_outside(self.root, ".lore/index.duckdb")
        self.index = self.root / ".lore" / "index.duckdb"

    def session(self, scope_key: str | None = None) -> Session:
        """Open the index as it stands; with a scope key, that scope's rows and no others."""
        from loreweave.store.session import Session

        return Session(self.index, scope=scope_key)

    def refresh(self, *, whole: bool = False, known: Session | None = None) -> Refreshed:
        """Bring the index up to date with the files; ``whole`` builds it anew whatever it holds.

        ``known`` is a session on the index as it stands, where one is open already: it saves opening another.

        Where another program is writing, the index as it stands is left to be answered from: that
        program brings it up to date before it tells anybody. Where ``.lore/`` cannot be written, as on a
        read-only disk, the index is built in a temporary folder that goes with the engine.
        """
        if whole:
            self._refuse_newer()
        found = None if whole else self._plan(known)
        if found is not None and found.is_empty:
            return Refreshed(len(found.stamps), 0, 0, False)
        seconds = REPLAY_SECONDS if found is None else READER_SECONDS
        try:
            with vault_lock(self.root, seconds):
                sweep(self.index)
                return self._replay(None if whole else self._plan())
        except BusyVault:
            if found is None:
                raise
            return Refreshed(len(found.stamps), 0, 0, False)
        except ClosedVault:
            self._keep_index_apart()
            return self._replay(None)

    def write(self, slot: Slot, compose: Compose, judge: Judge, *, dry: bool = False) -> Written:
        """Append lines of one slot to today's journal and bring the index up to date; with ``dry`` only foresee it.

        ``compose`` and ``judge`` may raise Refused before a byte is written; they may be called twice.
        """
        from loreweave.engine.write import Request, prepare

        request = Request(compose, judge, clock.now(), dry)

        def work(draft: Draft) -> Written:
            written = prepare(self.root, draft, slot, request)
            if written.lines and not dry:
                self.append(draft, written.path, written.lines)
            return written

        return self.on_draft(work)

    def on_draft(self, work: Callable[[Draft], T]) -> T:
        """Do work on a draft of the next index, holding the vault's lock; once more where the index proves unusable."""
        from loreweave.store.opening import UnusableIndex

        refuse_read_only(self.root, self.index)
        try:
            with self._drafting() as draft:
                return work(draft)
        except UnusableIndex:
            self.refresh(whole=True)
            with self._drafting() as draft:
                return work(draft)

    def append(self, draft: Draft, path: str, texts: Sequence[str]) -> None:
        """Append lines that were read back already to a file of the record, all or none, and swap the draft in.

        Once they stand in the file they are written: an index that cannot follow is built anew.
        """
        from loreweave.engine.write import follow
        from loreweave.vault.append import append_lines

        before = draft.source(path)
        append_lines(self.root, path, texts)
        try:
            follow(self.root, draft, path, before)
            draft.swap()
        except StoreError:
            draft.close()
            self._rebuild(path)

    def _rebuild(self, path: str) -> None:
        """Build the index anew after lines were appended to a file."""
        try:
            self._replay(None)
        except StoreError as failed:
            told = f'The lines stand in "{path}", but the index could not be brought up to date. {failed.message}'
            raise StoreError(told, "do not write them again: the next command reads them from the file") from None

    def _keep_index_apart(self) -> None:
        """Put the index in a temporary folder that goes with this engine."""
        folder = tempfile.mkdtemp(prefix="lore-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.index = Path(folder) / self.index.name

    def _refuse_newer(self) -> None:
        """Raise NewerIndex where there is an index that this engine would not know how to replace."""
        from loreweave.store.opening import MissingIndex, UnusableIndex

        with suppress(MissingIndex, UnusableIndex), self.session():
            pass

    def _plan(self, at_hand: Session | None = None) -> Plan | None:
        """Compare the files with the index; None where there is no index that can be built upon."""
        from loreweave.store.opening import MissingIndex, UnusableIndex
        from loreweave.store.sources import BARRED, Source

        try:
            with nullcontext(at_hand) if at_hand is not None else self.session() as session:
                known = [Source(*row) for row in session.ask("select * from sources").fetchall()]
                barred = session.ask("select distinct path from findings where code in (?, ?)", BARRED).fetchall()
        except (MissingIndex, UnusableIndex):
            return None
        return compare(self.root, known, [path for (path,) in barred])

    def _replay(self, found: Plan | None) -> Refreshed:
        """Build the index anew, or change a copy of it; the caller holds the lock."""
        from loreweave.engine.replay import replay_all, replay_some
        from loreweave.store.draft import Draft

        if found is None or not found.is_small(self.root):
            everything = compare(self.root, ())
            replay_all(self.root, self.index, everything)
            return Refreshed(len(everything.stamps), len(everything.stamps), len(found.gone) if found else 0, True)
        if not found.is_empty:
            with Copying(self.index, beside(self.index)) as copying, Draft.of(self.index, copying.take()) as draft:
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
            from loreweave.store.opening import MissingIndex, UnusableIndex

            with vault_lock(self.root), ExitStack() as undo:
                sweep(self.index)
                found = None
                try:
                    draft = undo.enter_context(Draft.of(self.index, copying.take()))
                    found = compare(self.root, draft.sources(), draft.barred())
                except (MissingIndex, UnusableIndex):
                    pass
                if found is None or not found.is_small(self.root):
                    undo.close()
                    self._replay(found)
                    draft = undo.enter_context(Draft.of(self.index, copying.take()))
                elif not found.is_empty:
                    replay_some(self.root, draft, found)
                yield draft
