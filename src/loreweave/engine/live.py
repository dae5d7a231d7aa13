"""A vault held open by a server: answered from an index of its own that is patched in place, the file following soon.

Before each answer it looks at the files of the record, which are few, so what any program wrote there before it told
anybody is never missed. Notes are many: of their changes the system tells, and where it cannot, all are looked at.
"""

from __future__ import annotations

import os
import threading
import time
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import attrs

from loreweave.engine import READER_SECONDS, Engine
from loreweave.engine.plan import NOTHING, Known, Lot, Notes, Plan, Refreshed, compare, refreshed
from loreweave.engine.turns import Turns
from loreweave.errors import LoreError, Refused, StoreError
from loreweave.store.copying import mark_of, sweep
from loreweave.vault.append import BusyVault, ClosedVault, vault_lock
from loreweave.vault.config import Config, read_config
from loreweave.vault.marks import Marks, other_marks
from loreweave.vault.root import is_of_record, record_files
from loreweave.vault.watch import notice

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from loreweave.store.draft import Draft
    from loreweave.store.live import LiveDraft
    from loreweave.store.session import Session
    from loreweave.store.sources import Source

END_SECONDS = 0.5
"""How long who lets go waits for another program; the next one to ask brings the index up to date anyway."""

FOLLOWS_SECONDS = 1.2
"""How long after a write the index on disk is brought to follow, within two seconds in all: a copy of it is made."""

MEMORY = "512MB"
"""How much memory SQL of others may take in a process that stays."""


class LiveEngine(Engine):
    """An engine whose index is its own. ``end`` brings the index on disk up to date and lets go."""

    def __init__(self, vault: str | os.PathLike[str] | None = None) -> None:
        super().__init__(vault)
        self._lock = threading.RLock()
        self._turns = Turns()
        self._draft: LiveDraft | None = None
        self._is_of = NOTHING
        self._of_record: dict[str, Source] = {}
        self._of_notes: dict[str, Source] = {}
        self._mark = -1
        self._config = Config()
        self._other: Marks = {}
        self._noticed = threading.Event()
        self._ended = threading.Event()
        self._written = threading.Event()
        self._differs = False
        self._threads: list[threading.Thread] = []

    # ---------------------------------------------------------------------------------------- asking

    def reading(self) -> AbstractContextManager[None]:
        """Ask with nothing changing meanwhile."""
        return self._turns.reading()

    def held(self) -> Session:
        """Give a session on what is held, opened where it is not yet."""
        draft = self._draft
        if draft is None:
            if self._turns.is_reading:
                raise StoreError("The index was closed meanwhile.", "ask again")
            with self._lock:
                draft = self._opened()
        return draft.session

    def on_disk(self, scope_key: str | None = None) -> Session:
        """Open the index on disk as ``Engine.on_disk`` does, for questions that leave memory to others."""
        from loreweave.store.session import Session

        return Session(self.index, scope=scope_key, memory=MEMORY)

    def session(self, scope_key: str | None = None) -> Session:
        """Give a session on what is held; with a scope key, on that scope's rows alone, in the index on disk."""
        return self.held() if scope_key is None else self.on_disk(scope_key)

    def refresh(self, *, whole: bool = False, known: Session | None = None, config: Config | None = None) -> Refreshed:
        """Bring what is held up to date with the files; see ``Engine.refresh``."""
        del known
        if self._turns.is_reading or not (whole or config is not None or self._draft is None or self._is_behind()):
            return self._as_it_is()
        until = time.monotonic() + READER_SECONDS
        if not self._lock.acquire(timeout=-1 if whole or self._draft is None else READER_SECONDS):
            return self._as_it_is()
        try:
            if whole:
                return self._rebuilt(config)
            if self._is_deleted():
                self._end_draft()
            self._opened(config)
            return self._catch_up(until - time.monotonic(), config)
        finally:
            self._lock.release()

    def touched(self) -> None:
        """Look at the notes before the next answer."""
        self._noticed.set()

    # --------------------------------------------------------------------------------------- writing

    @contextmanager
    def _drafting(self, found: Plan | None = None) -> Iterator[tuple[Draft, Refreshed]]:
        if self._turns.is_reading:
            raise Refused("Nothing is written while an answer is being given.", "write it before or after")
        if found is not None and not found.is_empty:
            self._noticed.set()  # who looked at all files saw what nobody told of
        with self._lock:
            self._opened()
            with vault_lock(self.root):
                self._heed_others()
                made = self._followed(None)
                with self._changing() as draft:
                    yield draft, made

    def append(self, draft: Draft, path: str, texts: Sequence[str]) -> None:
        """Append lines as ``Engine.append`` does; the index on disk follows soon. What others wrote they publish."""
        super().append(draft, path, texts)
        self._written.set()

    def _rebuild(self, path: str) -> None:
        self._end_draft()
        super()._rebuild(path)
        self._opened()

    def publish(self, seconds: float = READER_SECONDS) -> None:
        """Bring the index on disk up to date with what is held; does nothing where nothing was changed.

        Raises BusyVault where another program writes for so long, if what it would lack was written here.
        """
        if self._turns.is_reading:
            return
        with self._lock:
            if self._draft is not None and self._differs:
                try:
                    with vault_lock(self.root, seconds):
                        self._heed_others()
                        self._followed(None)
                        self._put_on_disk()
                except BusyVault:
                    if self._written.is_set():
                        raise
                except ClosedVault:
                    self._keep_index_apart()
                    self._put_on_disk()
            self._written.clear()

    def end(self) -> None:
        """Bring the index on disk up to date, unless another program is writing, and let go."""
        is_due = self._written.is_set()
        self._ended.set()
        self._written.set()
        for thread in self._threads:
            thread.join()
        if is_due:
            with suppress(LoreError):
                self.publish(END_SECONDS)
        self._threads.clear()
        with self._lock, self._turns.writing():
            self._end_draft()
        self._ended, self._written = threading.Event(), threading.Event()

    # ----------------------------------------------------------------------------------------- below

    def _opened(self, config: Config | None = None) -> LiveDraft:
        """Give the draft; begin to watch, and open it on an index that is up to date, where it is not open yet."""
        from loreweave.store.live import LiveDraft

        if self._draft is not None:
            return self._draft
        self._watch()
        self._noticed.clear()
        self._other = other_marks(self.root)
        self._config = config or read_config(self.root)
        if super().refresh(config=self._config).is_behind:
            self._noticed.set()
        sweep(self.index)
        self._draft = LiveDraft.open(self.index)
        self._mark, self._differs = mark_of(self.index), False
        self._know(Known.of(self._draft.ask, 0))
        return self._draft

    def _known(self, at_hand: Session | None = None) -> Known | None:
        return super()._known(at_hand) if self._draft is None else self._is_of

    def _is_deleted(self) -> bool:
        """Tell whether somebody took away the index that is held, or the one on disk."""
        draft = self._draft
        return draft is not None and not (draft.stands and self.index.exists())

    def _end_draft(self) -> None:
        if self._draft is not None:
            self._draft.end()
            self._draft = None

    def _rebuilt(self, config: Config | None) -> Refreshed:
        with self._turns.writing():
            self._end_draft()
            made = super().refresh(whole=True, config=config)
            self._opened(config)
            return made

    def _catch_up(self, seconds: float, config: Config | None) -> Refreshed:
        """Follow the files where anything was noticed; leave it to whoever is writing now to be followed later."""
        if config is None and not self._is_behind():
            return self._as_it_is()
        try:
            with vault_lock(self.root, max(seconds, 0)):
                return self._followed(config)
        except BusyVault:
            return self._as_it_is()
        except ClosedVault:
            return self._followed(config)  # nobody else can change an index there either

    def _heed_others(self) -> None:
        """Take over from an index that others put on disk what no file tells; the caller holds the vault's lock."""
        from loreweave.store.lost import take_over

        mark = mark_of(self.index)
        if mark != self._mark:
            with self._changing() as draft:
                take_over(draft, self.index)
            self._mark = mark

    def _put_on_disk(self) -> None:
        if self._draft is not None and self._differs:
            self._draft.publish(self.index)
            self._mark, self._differs = mark_of(self.index), False

    def _is_behind(self) -> bool:
        """Tell whether the files say more than is held; needs no lock, so who asks waits for no copy to be made."""
        return self._is_deleted() or self._is_noticed() or not self._plan_of_record().is_empty

    def _is_noticed(self) -> bool:
        """Tell whether something but the record may have changed."""
        return self._noticed.is_set() or other_marks(self.root) != self._other

    def _followed(self, config: Config | None) -> Refreshed:
        """Bring the draft up to date; the caller holds the vault's lock."""
        is_whole = config is not None or self._is_noticed()
        if is_whole:
            self._noticed.clear()
            other = other_marks(self.root)
            self._config = config or read_config(self.root)
            self._other = other  # not before: settings that have no meaning are refused again the next time
        plan = self._plan_of_record()
        if is_whole := is_whole or plan.listing_changed:
            plan = compare(self.root, self._config, self._is_of)
        if plan.is_empty:
            return self._as_it_is()
        if not plan.is_small(self.root):
            return self._rebuilt_from(plan)
        from loreweave.engine.replay import replay_some

        with self._changing(notes=is_whole) as draft:
            read = replay_some(self.root, draft, plan)
        return refreshed(plan, read) if is_whole else self._as_it_is(len(plan.record.read), len(plan.record.gone))

    def _rebuilt_from(self, plan: Plan) -> Refreshed:
        with self._turns.writing():
            self._end_draft()
            made = self._replay(plan.config, plan)
            self._opened()
            return made

    @contextmanager
    def _changing(self, *, notes: bool = False) -> Iterator[LiveDraft]:
        """Change the draft while nobody asks; what was begun and failed is undone."""
        draft = self._opened()
        with self._turns.writing():
            before = draft.mark
            try:
                yield draft
            except StoreError:
                self._end_draft()
                raise
            finally:
                if self._draft is draft and draft.mark != before:
                    self._renew(draft, notes=notes)

    def _renew(self, draft: LiveDraft, *, notes: bool) -> None:
        draft.renew(notes=notes)
        self._differs = True
        if notes:
            self._know(Known.of(draft.ask, 0))
            return
        self._hold(self._is_of, draft.record_sources(), self._of_notes)

    def _know(self, known: Known) -> None:
        of_record: dict[str, Source] = {}
        of_notes: dict[str, Source] = {}
        for path, source in known.sources.items():
            (of_record if is_of_record(path) else of_notes)[path] = source
        self._hold(known, of_record, of_notes)

    def _hold(self, known: Known, of_record: dict[str, Source], of_notes: dict[str, Source]) -> None:
        """Hold what the draft is made from; readers look at it without a lock, so nothing in it ever changes."""
        self._of_record, self._of_notes = of_record, of_notes
        self._is_of = attrs.evolve(known, sources=ChainMap(of_record, of_notes))

    def _plan_of_record(self) -> Plan:
        """Compare the files of the record with what is held, and take the notes to be as they were."""
        stamps, found = record_files(self.root)
        of_record = self._of_record
        read = tuple(path for path, stamp in stamps.items() if path not in of_record or of_record[path][1:5] != stamp)
        gone = tuple(path for path in of_record if path not in stamps)
        listed = frozenset(mark for mark in self._is_of.listed if is_of_record(f"{mark[1]}/"))
        as_known = attrs.evolve(self._is_of, listed=listed)
        return Plan(Lot(stamps, read, gone), Lot({}, (), ()), tuple(found), as_known, self._config)

    def _as_it_is(self, read: int = 0, gone: int = 0) -> Refreshed:
        """Tell that the notes are as they were, and how many files of the record were read again."""
        notes = len(self._of_notes)
        return Refreshed(len(self._of_record) + notes, read, gone, False, Notes(0, 0, 0, notes))

    # --------------------------------------------------------------------------------------- threads

    def _watch(self) -> None:
        if not self._threads:
            works: tuple[Callable[[], None], ...] = (self._notice, self._follow)
            self._threads = [threading.Thread(target=work, daemon=True) for work in works]
            for thread in self._threads:
                thread.start()

    def _notice(self) -> None:
        notice(self.root, self._ended, self._noticed.set)

    def _follow(self) -> None:
        while not self._ended.is_set():
            self._written.wait()
            if not self._ended.wait(FOLLOWS_SECONDS):
                with suppress(LoreError):
                    self.publish(END_SECONDS)
