"""``Lore``: a vault opened. Every question and every verb is a method; the commands are thin layers over these."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TYPE_CHECKING, Self

from loreweave import clock
from loreweave.engine import Engine, Refreshed
from loreweave.errors import BadRequest
from loreweave.events.model import DEFAULT_SCOPE, RANKS
from loreweave.events.slots import is_blank, key, reveal
from loreweave.reports.facts import LIMIT
from loreweave.reports.question import Question
from loreweave.times import HINT, Instant, Moment, from_datetime, read_instant

if TYPE_CHECKING:
    from loreweave.reports.answer import Answer
    from loreweave.reports.facts import Fact
    from loreweave.store.session import Session

Time = str | date | None
"""A time as callers give it: a text, a date (its midnight UTC) or a datetime (naive: UTC); None is not given."""


class Lore:
    """A vault, and the scope that questions and verbs are for. Safe from several threads; close it, or use ``with``."""

    def __init__(
        self, vault: str | os.PathLike[str] | None = None, *, scope: str | None = None, refresh: bool = True
    ) -> None:
        """Open a vault; with ``refresh`` False answers come from the index as it stands."""
        self.engine = Engine(vault)
        self.scope = DEFAULT_SCOPE if scope is None else scope
        self._scope_key = None if scope is None else named("scope", scope)
        self._refreshes = refresh
        self._lock = threading.Lock()
        self._sessions: dict[str | None, Session] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index. The vault may be asked again: it is opened anew."""
        with self._lock:
            sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            session.close()

    def refresh(self, *, whole: bool = False) -> Refreshed:
        """Bring the index up to date with the files; ``whole`` builds it anew."""
        return self.engine.refresh(whole=whole)

    # --------------------------------------------------------------------------------------- questions

    def facts(
        self,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - the word of the column, the flag and the glossary
        source: str | None = None,
        as_of: Time = None,
        as_known_at: Time = None,
        history: bool = False,
        limit: int = LIMIT,
    ) -> Answer[Fact]:
        """Give what was believed at a moment: now and as best known, unless said otherwise.

        ``history`` gives the whole valid history as believed at ``as_known_at``. Raises BadRequest for a time, a
        name or a source that cannot be read.
        """
        from loreweave.reports import facts

        if history and as_of is not None:
            raise BadRequest("A history is of all valid time.", "leave out as_of, or leave out history")
        instant = None if history else self._as_of(as_of)
        moment = Moment(instant, read_time("as_known_at", as_known_at))
        asked = self._question(subject, predicate, object, source, moment)
        with self.asking() as session:
            return (facts.history if history else facts.facts)(session, asked, limit=limit)

    # ------------------------------------------------------------------------------------------- below

    @contextmanager
    def asking(self, scope_key: str | None = None) -> Iterator[Session]:
        """Give a session on the index, brought up to date first; with a scope key, on that scope's rows alone."""
        if self._refreshes:
            self.engine.refresh()
        with self._lock:
            session = self._sessions.get(scope_key)
            if session is None or session.stale:
                session = self._sessions[scope_key] = self.engine.session(scope_key)
        yield session

    def _as_of(self, value: Time) -> Instant:
        instant = read_time("as_of", value)
        return clock.now() if instant is None else instant

    def _question(
        self, subject: str | None, predicate: str | None, named_object: str | None, source: str | None, moment: Moment
    ) -> Question:
        for name, text in (("subject", subject), ("predicate", predicate)):
            if text is not None:
                named(name, text)
        if named_object is not None and is_blank(named_object):
            raise BadRequest(f"object: {reveal(named_object)} is blank.", "give the value, or leave it out")
        if source is not None and source not in RANKS:
            raise BadRequest(f'source: "{source}" is none of {", ".join(RANKS)}.', "give one of them, or leave it out")
        return Question(self.scope, subject, predicate, named_object, source, moment)


def read_time(name: str, value: Time) -> Instant | None:
    """Read a time given by a caller; raise BadRequest, naming it, where it cannot be read."""
    try:
        if value is None:
            return None
        if isinstance(value, datetime):
            return from_datetime(value)
        return read_instant(value.isoformat() if isinstance(value, date) else value)
    except ValueError as unreadable:
        raise BadRequest(f"{name}: {unreadable}.", HINT) from None


def named(name: str, text: str) -> str:
    """Give the key of a subject, predicate or scope given by a caller; raise BadRequest where it is empty."""
    found = key(text)
    if not found:
        raise BadRequest(f"{name}: {reveal(text)} normalises to nothing.", "give a name with a letter or a digit")
    return found
