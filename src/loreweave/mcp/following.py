"""The vault is watched while a server runs: what notes state is recorded, and the index is fresh before anybody asks.

Of several servers on one vault one watches; another takes over when it has gone. Answers do not hang on it: each is
given from an index that was brought up to date first. What is only written to the record says nothing new of notes.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from loreweave.engine.watching import watch_notes
from loreweave.errors import LoreError
from loreweave.notes.visible import shown
from loreweave.vault.append import BusyVault

if TYPE_CHECKING:
    from loreweave.engine import Engine

BEGIN_SECONDS = 3.0
"""After so long at the latest watching begins, though nobody has asked anything yet."""

_AGAIN_SECONDS = 5.0


class Following:
    """A thread that watches one vault."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._begin, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="watching", daemon=True)
        self._told = ""

    def start(self) -> None:
        """Begin, once the first answer is given or some seconds have passed."""
        self._thread.start()

    def begin(self) -> None:
        """Say that the first answer is given."""
        self._begin.set()

    def stop(self, seconds: float) -> bool:
        """End, once what is being recorded is recorded; wait so long at most, and tell whether it has ended."""
        self._stop.set()
        self._begin.set()
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    def _run(self) -> None:
        self._begin.wait(BEGIN_SECONDS)
        while not self._stop.is_set():
            try:
                for seen in watch_notes(self._engine, self._stop):
                    if isinstance(seen, LoreError):
                        self._tell(seen)
            except BusyVault:
                pass  # another server watches
            except (LoreError, OSError) as failed:
                self._tell(failed)
            self._stop.wait(_AGAIN_SECONDS)

    def _tell(self, failed: LoreError | OSError) -> None:
        """Say once on standard error what is wrong."""
        told = shown(str(failed))
        if told != self._told:
            self._told = told
            sys.stderr.write(f"watching: {told}\n")
            sys.stderr.flush()
