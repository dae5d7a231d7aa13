"""The imperative shell: one vault, its record appended to, its index kept true to the files."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from loreweave import clock
from loreweave.engine.plan import NOTHING, Known, Plan, Refreshed, compare, counted, refreshed
from loreweave.errors import StoreError
from loreweave.store.copying import Copying, beside, mark_of, sweep
from loreweave.vault.append import BusyVault, ClosedVault, refuse_read_only, vault_lock
from loreweave.vault.config import read_config
from loreweave.vault.root import open_root, refuse_gone, refuse_outside

if TYPE_CHECKING:
    from loreweave.engine.write import Compose, Judge, Written
    from loreweave.store.draft import Draft, Slot
    from loreweave.store.session import Session
    from loreweave.store.sources import Source
    from loreweave.vault.config import Config

T = TypeVar("T")

READER_SECONDS = 5.0
"""How long a reader that is behind waits for writers before it answers from the index as it stands.

Several that write one after another let a reader in late, and what one of them has told of must not be missed."""

REPLAY_SECONDS = 600.0
"""How long a first replay waits for another program that is at it already."""


class Engine:
    """A vault opened: refreshes its index, appends to its record. Holds no connection between calls."""

    def __init__(self, vault: str | os.PathLike[str] | None = None) -> None:
        self.root = open_root(vault)
        refuse_outside(self.root, ".lore/index.duckdb")
        self.index = self.root / ".lore" / "index.duckdb"

    def reading(self) -> AbstractContextManager[None]:
        """Ask with nothing changing meanwhile: of an index in a file nothing ever does."""
        return nullcontext()

    def end(self) -> None:
        """Let go of what is held between calls: nothing is."""

    def held(self) -> Session | None:
        """Give a session on an index that is held open: none is."""
        return None

    def publish(self, seconds: float = READER_SECONDS) -> None:
        """Bring the index on disk up to date with what is held: nothing is."""

    def touched(self) -> None:
        """Take note that a note was written here; what is asked next looks at all of them anyway."""

    def session(self, scope_key: str | None = None) -> Session:
        """Open the index as it stands; with a scope key, that scope's rows and no others."""
        return self.on_disk(scope_key)

    def on_disk(self, scope_key: str | None = None) -> Session:
        """Open the index on disk, as ``session`` does."""
        from loreweave.store.session import Session

        return Session(self.index, scope=scope_key)

    def refresh(self, *, whole: bool = False, known: Session | None = None, config: Config | None = None) -> Refreshed:
        """Bring the index up to date with the files; ``whole`` builds it anew whatever it holds.

        ``known`` is a session on the index as it stands, where one is open already: it saves opening another.
        ``config`` stands in for the settings of the vault.

        Where another program is writing, the index as it stands is left to be answered from: that
        program brings it up to date before it tells anybody. Where ``.lore/`` cannot be written, as on a
        read-only disk, the index is built in a temporary folder that goes with the engine.
        """
        refuse_gone(self.root)
        config = read_config(self.root) if config is None else config
        if whole:
            self._refuse_newer()
        found = None if whole else self._plan(config, known)
        if found is not None and found.is_empty:
            return Refreshed(found.files, 0, 0, False, counted(found, found.known, ()))
        seconds = REPLAY_SECONDS if found is None else READER_SECONDS
        try:
            with vault_lock(self.root, seconds):
                sweep(self.index)
                if found is not None and found.known.mark != mark_of(self.index):
                    found = self._plan(config)
                return self._replay(config, found)
        except BusyVault:
            if found is None:
                raise
            return Refreshed(found.files, 0, 0, False, counted(found, found.known, ()), is_behind=True)
        except ClosedVault:
            self._keep_index_apart()
            return self._replay(config, None)

    def plan(self) -> Plan | None:
        """Compare the files with the index as it stands; None where there is none that can be built upon."""
        return self._plan(read_config(self.root))

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
        return self.on_fresh_draft(lambda draft, _: work(draft))

    def on_fresh_draft(self, work: Callable[[Draft, Refreshed], T], found: Plan | None = None) -> T:
        """Do the same, told what bringing the draft up to date with the files came to.

        ``found`` is what was found before, and holds as long as the index was not swapped since.
        """
        from loreweave.store.opening import UnusableIndex

        refuse_read_only(self.root, self.index)
        try:
            with self._drafting(found) as drafted:
                return work(*drafted)
        except UnusableIndex:
            self.refresh(whole=True)
            with self._drafting() as drafted:
                return work(*drafted)

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
            self._replay(read_config(self.root), None)
        except StoreError as failed:
            told = f'The lines stand in "{path}", but the index could not be brought up to date. {failed.message}'
            raise StoreError(told, "do not write them again: the next command reads them from the file") from None

    def _keep_index_apart(self) -> None:
        """Put the index in a temporary folder that goes with this engine; one that is there already stays."""
        if self.index.parent != self.root / ".lore":
            return
        folder = tempfile.mkdtemp(prefix="lore-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.index = Path(folder) / self.index.name

    def _refuse_newer(self) -> None:
        """Raise NewerIndex where there is an index that this engine would not know how to replace."""
        from loreweave.store.opening import MissingIndex, UnusableIndex

        with suppress(MissingIndex, UnusableIndex), self.on_disk():
            pass

    def _plan(self, config: Config, at_hand: Session | None = None) -> Plan | None:
        """Compare the files with the index; None where there is no index that can be built upon."""
        known = self._known(at_hand)
        return None if known is None else compare(self.root, config, known)

    def _known(self, at_hand: Session | None = None) -> Known | None:
        """Give what the index was made from; None where there is none that can be read."""
        from loreweave.store.opening import MissingIndex, UnusableIndex

        mark = mark_of(self.index)
        try:
            with self.on_disk() if at_hand is None or at_hand.stale else nullcontext(at_hand) as session:
                return Known.of(lambda sql: session.ask(sql).fetchall(), mark)
        except (MissingIndex, UnusableIndex):
            return None

    def _replay(self, config: Config, found: Plan | None) -> Refreshed:
        """Build the index anew, or change a copy of it; the caller holds the lock."""
        from loreweave.engine.replay import replay_all, replay_some
        from loreweave.store.draft import Draft

        if found is None or not found.is_small(self.root):
            before = found.known if found is not None else self._known() or NOTHING
            everything = found or compare(self.root, config)
            notes = counted(everything, before, replay_all(self.root, self.index, everything))
            return Refreshed(everything.files, everything.files, 0, True, notes)
        read: list[Source] = []
        if not found.is_empty:
            with Copying(self.index, beside(self.index)) as copying, Draft.of(self.index, copying.take()) as draft:
                read = replay_some(self.root, draft, found)
                draft.swap()
        return refreshed(found, read)

    @contextmanager
    def _drafting(self, found: Plan | None = None) -> Iterator[tuple[Draft, Refreshed]]:
        """Hold the lock and give a copy of the index that is up to date with the files, and what that took.

        The copy is begun before anything else, so that it costs no time of its own.
        """
        with Copying(self.index, beside(self.index)) as copying:
            from loreweave.engine.replay import replay_some
            from loreweave.store.draft import Draft
            from loreweave.store.opening import MissingIndex, UnusableIndex

            config = read_config(self.root)
            with vault_lock(self.root), ExitStack() as undo:
                sweep(self.index)
                mark = mark_of(self.index)
                try:
                    draft = undo.enter_context(Draft.of(self.index, copying.take()))
                    if found is None or found.known.mark != mark:
                        found = compare(self.root, config, Known.of(draft.ask, mark))
                except (MissingIndex, UnusableIndex):
                    found = None
                if found is None or not found.is_small(self.root):
                    undo.close()
                    made = self._replay(config, found)
                    draft = undo.enter_context(Draft.of(self.index, copying.take()))
                else:
                    made = refreshed(found, [] if found.is_empty else replay_some(self.root, draft, found))
                yield draft, made
