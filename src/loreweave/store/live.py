"""The index held open by one process that reads it and patches it in place; the file that others read follows.

It is a copy of the index in a database of the process's own. A patch is one transaction, so a question sees all of it
or nothing, and ``publish`` puts a copy of what it holds in the place of the index.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Self

from loreweave.errors import StoreError
from loreweave.store.copying import beside, mark_of
from loreweave.store.draft import Draft
from loreweave.store.opening import NAME
from loreweave.store.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    import duckdb


def _name(index: Path) -> str:
    """Name a copy that no other process has, of another container on the same folder neither."""
    return f"{index.name}.{os.getpid()}.{secrets.token_hex(8)}.tmp"


class LiveDraft(Draft):
    """A draft that stays open and is asked as well as patched. ``end`` lets go of it; leaving it does not.

    ``session`` is a session on what it holds now, until it is renewed.
    """

    session: LiveSession

    def __init__(self, index: Path, path: Path) -> None:
        super().__init__(index, path, NAME)
        self.run("set TimeZone = 'UTC'; set python_enable_replacements = false")
        self._asked = self._connection.cursor()

    @classmethod
    def open(cls, index: Path) -> Self:
        """Copy the index and hold the copy open; raise MissingIndex, UnusableIndex or NewerIndex."""
        is_open = os.access(index.parent, os.W_OK)
        copy = (index.parent if is_open else Path(tempfile.gettempdir())) / _name(index)
        try:
            shutil.copyfile(index, copy)
        except FileNotFoundError:
            pass  # the draft says that there is none
        except OSError as failed:
            copy.unlink(missing_ok=True)
            raise StoreError(f'"{index}" cannot be copied: {failed.strerror}.', "make room") from None
        draft = cls.of(index, copy)
        draft.session = draft._new_session()
        return draft

    @property
    def mark(self) -> tuple[int, int]:
        """What tells whether anything was patched: its file and the log beside it."""
        return mark_of(self._path), mark_of(Path(f"{self._path}.wal"))

    @property
    def stands(self) -> bool:
        """True while the file of it is there."""
        return self._path.exists()

    def __exit__(self, *_: object) -> None:
        """Stay open."""

    def note_inputs(self) -> None:
        """Leave that until it is published: to read all sources takes as long as a patch."""

    def swap(self) -> None:
        """Do nothing: whoever holds it publishes it."""

    def close(self) -> None:
        """Do nothing: whoever holds it ends it."""

    def end(self) -> None:
        """Let go of the database and its file."""
        self.session.stale = True
        self._asked.close()
        self.drop()

    def renew(self, *, notes: bool) -> None:
        """Let who asks next have a new session: what the last one kept is no longer so, of notes where they changed."""
        last, self.session = self.session, self._new_session()
        last.stale = True
        if not notes:
            self.session.inherit(last)

    def _new_session(self) -> LiveSession:
        return LiveSession(self._path, self._asked, dict(self.ask("from meta")))

    def publish(self, index: Path) -> None:
        """Put a copy of what it holds in the place of an index; nothing may be patched meanwhile."""
        super().note_inputs()
        self.run("checkpoint")
        copy = beside(index)
        try:
            shutil.copyfile(self._path, copy)
            Path(f"{index}.wal").unlink(missing_ok=True)
            os.replace(copy, index)
        except OSError as failed:
            copy.unlink(missing_ok=True)
            raise StoreError(f'"{index}" cannot be replaced: {failed.strerror}.', "make it writable") from None


class LiveSession(Session):
    """A session on a live draft: answers of the engine's own questions, until the draft is patched."""

    stale = False

    def __init__(self, path: Path, connection: duckdb.DuckDBPyConnection, meta: Mapping[str, str]) -> None:
        self._ask_on(path, connection, meta)

    def inherit(self, last: LiveSession) -> None:
        """Take over what the last session kept of notes."""
        self._of_notes = last._of_notes

    def close(self) -> None:
        """Let go of the cursors; the draft stays open."""
        self._kept = threading.local()
