"""What is asked of a search, and what it finds: spans with their addresses, their text, and why each is there."""

from __future__ import annotations

from datetime import datetime

import attrs

from loreweave.events.model import DEFAULT_SCOPE
from loreweave.times import Instant

LONG = 200
"""How many characters of a heading an address has at most; its lines say as much."""

LIMIT = 5
"""How many spans are given where nothing is said."""


@attrs.frozen(kw_only=True)
class Question:
    """One thing to be found, in one wording or several, and which spans may answer it.

    ``tags``: all of them, and none of those written with ``-`` before; ``folder`` is relative to the vault. ``since``
    and ``until`` bound the content time of spans, ``until`` exclusive. ``now``, where given, is what words such as
    "last month" are read from.
    """

    wordings: tuple[str, ...]
    limit: int = LIMIT
    tags: tuple[str, ...] = ()
    folder: str | None = None
    since: Instant | None = None
    until: Instant | None = None
    scope_key: str = DEFAULT_SCOPE
    now: Instant | None = None


@attrs.frozen
class Result:
    """A span that was found: where it stands, its score, its text as written, and why it is there, in short phrases.

    ``also`` holds the addresses of spans that say nearly the same; ``words`` those words of the span, as written and
    each once, that the question has. A score orders the results of one question and says nothing else.
    """

    path: str
    anchor: str
    start_line: int
    end_line: int
    score: float
    text: str
    why: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """The place as ``path#anchor:start-end``."""
        return address(self.path, self.anchor, self.start_line, self.end_line)


@attrs.frozen
class Fact:
    """A current belief that shares words with the question: on whose word, since when, and which line; never ranked."""

    subject: str
    predicate: str
    object: str
    valid_from: datetime
    valid_until: datetime | None
    known_from: datetime
    source: str
    confidence: float
    recorded_by: str | None
    path: str
    line: int


@attrs.frozen
class Found:
    """What a search found, best first.

    ``queries`` are the wordings as they were searched. ``exhausted`` says that part of the vault was not ranked;
    ``degraded`` why something that was to help did not; ``undated`` how many spans were left out under ``since`` or
    ``until`` because they bear no date.
    """

    queries: tuple[str, ...]
    results: tuple[Result, ...]
    exhausted: bool = False
    degraded: tuple[str, ...] | None = None
    undated: int = 0
    facts: tuple[Fact, ...] = ()


def address(path: str, anchor: str, start_line: int, end_line: int) -> str:
    """Write the place of a span: ``path#anchor:start-end``, without ``#`` where it stands under none, or a long one."""
    named = f"{path}#{anchor}" if 0 < len(anchor) <= LONG else path
    return f"{named}:{start_line}-{end_line}"
