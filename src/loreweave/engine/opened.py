"""A vault opened to be asked: sessions on its index, brought up to date first, and healed where it is broken."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from loreweave.engine import Engine
from loreweave.engine.live import LiveEngine
from loreweave.errors import StoreError, VaultError
from loreweave.store.apart import Apart

if TYPE_CHECKING:
    from loreweave.engine.plan import Refreshed
    from loreweave.store.session import Session


class Opened:
    """A vault and the sessions on its index. Safe from several threads; close it, or use ``with``."""

    def __init__(self, vault: str | os.PathLike[str] | None, *, refresh: bool, live: bool) -> None:
        """Open a vault: with ``refresh`` False to ask the index as it stands, with ``live`` to hold it open."""
        self.engine = LiveEngine(vault) if live else Engine(vault)
        self.apart = Apart()
        self._refreshes = refresh
        self._settled = threading.local()
        self._lock = threading.Lock()
        self._sessions: dict[tuple[Path, str | None], Session] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index. The vault may be asked again: it is opened anew."""
        with self._lock:
            sessions = [*self._sessions.values()]
            self._sessions.clear()
        for session in sessions:
            session.close()
        self.apart.close()
        self.engine.end()

    def refresh(self, *, whole: bool = False) -> Refreshed:
        """Bring the index up to date with the files; ``whole`` builds it anew."""
        return self.engine.refresh(whole=whole)

    @contextmanager
    def asking(
        self, scope_key: str | None = None, *, heed_settings: bool = True, is_shut: bool = False
    ) -> Iterator[Session]:
        """Give a session on the index, brought up to date first; with a scope key, on that scope's rows alone.

        Raises VaultError for settings that have no meaning, unless they are not to be heeded.
        """
        if self._refreshes and not self._is_settled():
            self._bring_up_to_date(scope_key, heed_settings=heed_settings)
        if is_shut or scope_key is not None:
            self.engine.publish()
            with self._healing():
                yield self._session(scope_key)
        else:
            with self._healing(), self.engine.reading():
                yield self.engine.held() or self._session(None)

    @contextmanager
    def on_disk(self, scope_key: str | None) -> Iterator[Path]:
        """Give the index on disk, brought up to date first, for another process to ask about a scope."""
        if self._refreshes and not self._is_settled():
            self._bring_up_to_date(scope_key, heed_settings=True)
        self.engine.publish()
        with self._healing():
            yield self.engine.index

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Bring the index up to date once: whatever is asked inside is answered from what it holds then.

        SQL of a vault that is held open is answered from the index on disk, which may follow others meanwhile.
        """
        with self.asking():
            self._settled.depth = self._is_settled() + 1
            try:
                yield
            finally:
                self._settled.depth -= 1

    def _is_settled(self) -> int:
        """Tell whether this thread asks within ``settled``, and how deep."""
        depth: int = getattr(self._settled, "depth", 0)
        return depth

    def _bring_up_to_date(self, scope_key: str | None, *, heed_settings: bool) -> None:
        """Refresh the index; where settings are not to be heeded and have no meaning, leave it, or make one without."""
        try:
            self.engine.refresh(known=self._at_hand() if scope_key is None else None)
        except VaultError:
            if heed_settings:
                raise
            if self._at_hand() is None:
                from loreweave.vault.config import Config

                self.engine.refresh(config=Config())

    def _session(self, scope_key: str | None) -> Session:
        """Give the session on the index that stands now."""
        with self._lock:
            place = self.engine.index, scope_key
            session = self._sessions.get(place)
            if session is None or session.stale:
                session = self._sessions[place] = self.engine.on_disk(scope_key)
        return session

    def _at_hand(self) -> Session | None:
        """Give the session on the index, if there is an index that can be opened."""
        from loreweave.store.opening import MissingIndex, UnusableIndex

        with suppress(MissingIndex, UnusableIndex, VaultError):
            return self.engine.held() or self._session(None)
        return None

    @contextmanager
    def _healing(self) -> Iterator[None]:
        """Build the index anew where a question finds it broken."""
        from loreweave.store.opening import UnusableIndex

        try:
            yield
        except UnusableIndex as broken:
            if not self._refreshes:
                raise
            self.engine.refresh(whole=True)
            raise StoreError(f"{broken.message} It has been built anew.", "ask again") from None
