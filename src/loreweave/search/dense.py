"""The spans nearest to a question in meaning, and how near each is.

A model makes a vector of each wording, and that is compared with the vectors of all spans. How near a span is counts
for the score that its words have for the same wording; what is compared, and what not and why, is said in the answer.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from loreweave.errors import LoreError
from loreweave.search.constants import NEAR, NEAR_BESIDE, NEAREST, UNIT

if TYPE_CHECKING:
    from loreweave.providers.model import Provider, Settings
    from loreweave.store.session import Session
    from loreweave.store.vectors import Kind, Near, Vectors

QUERY_SECONDS = 5.0
"""How long a server may take for the vectors of a question, whatever it is given for passages."""

LONGEST = 4_000
"""Characters of a text that a vector is made of. No span is longer, but with what stands above it."""

HEAD = 400
"""Characters of title and headings that stand above the text of a span."""

VERSION = "1"
"""What is sent of a span; where that changes, every vector is made anew."""


@attrs.frozen
class Among:
    """Which spans may be found: those of a scope, or the ``span_id`` that an SQL SELECT over the index gives."""

    scope_key: str
    sql: str = ""
    parameters: tuple[object, ...] = ()


Scores = Sequence[tuple[int, int]]
"""Spans with their scores, the best first."""

Nearness = tuple[tuple[int, float], ...]
"""Spans, the nearest first, each with how much nearer it is than the mean of all, in standard deviations."""


@attrs.frozen
class Dense:
    """The nearest spans for each wording, none where there is nothing to compare with, and sentences about why."""

    lists: tuple[Nearness, ...] = ()
    degraded: tuple[str, ...] = ()


Ask = Callable[[Sequence[str], Among], Dense]
"""Compares wordings with the spans among those that may be found. It never fails: what went wrong is ``degraded``."""


def sent(title: str, heading_path: Sequence[str], text: str) -> str:
    """Give what is sent of a span: its title and the headings above it, then its text; empty where that adds nothing.

    A text that only repeats title and headings would be nearest to whoever asks for these words, and answers nothing.
    """
    above = list(dict.fromkeys([title, *heading_path]))
    said = (line.strip().lstrip("#").strip() for line in text.split("\n"))
    if all(not line or line in above for line in said):
        return ""
    return "\n".join([": ".join(above)[:HEAD], text])[:LONGEST]


def kind(provider: Provider) -> Kind:
    """Give what tells the vectors of a provider's passages from others."""
    from loreweave.store.vectors import Kind

    return Kind(provider.name, f"{VERSION}\n{provider.document_prefix}")


class Nearest:
    """Compares questions with the spans of one index; kept open from one question to the next. Safe from threads.

    ``files`` are the index and the vectors; ``root`` is the folder that the settings speak of.
    """

    def __init__(self, files: tuple[Path, Path], settings: Settings, root: Path) -> None:
        self._files, self._settings, self._root = files, settings, root
        self._lock = threading.Lock()
        self._provider: Provider | None = None
        self._vectors: Vectors | None = None

    def ask(self, session: Session, wordings: Sequence[str], among: Among) -> Dense:
        """Give for each wording a list of spans that the session knows, or say why there is none."""
        from loreweave.store.vectors import Among as Within

        try:
            provider, vectors = self._opened()
            lacking, of = vectors.lacking(among.scope_key)
            if lacking == of:
                return Dense((), (_alone("No passage has a vector yet", "`lore index` makes them"),) if of else ())
            within = Within(among.scope_key, among.sql, among.parameters)
            asked = provider.of_queries([wording[:LONGEST] for wording in wordings])
            lists = [nearness(vectors.nearest(vector, within, NEAREST)) for vector in asked]
        except LoreError as failed:
            return Dense((), (_alone(failed.message, failed.hint),))
        return Dense(_known(session, lists), _lacking(lacking, of))

    def close(self) -> None:
        """Let go of the files and of the model."""
        with self._lock:
            for opened in (self._provider, self._vectors):
                if opened is not None:
                    opened.close()
            self._provider = self._vectors = None

    def _opened(self) -> tuple[Provider, Vectors]:
        """Give the model and the vectors as they stand now."""
        from loreweave.providers import open_provider
        from loreweave.store.vectors import Vectors

        with self._lock:
            if self._provider is None:
                self._provider = open_provider(self._settings, self._root, at_most=QUERY_SECONDS)
            if self._vectors is None or self._vectors.stale:
                self._vectors = Vectors(*self._files, kind(self._provider))
            return self._provider, self._vectors


def nearness(near: Near) -> Nearness:
    """Say how near the nearest spans are, those that stand beside each in its note taken into account.

    What is no nearer than the mean of all is not near.
    """
    spread = math.sqrt(max(near.compared * near.squares - near.total**2, 0))
    if not spread:
        return ()
    at = {each.number: each for each in near.passages}
    deviation = {number: (near.compared * each.near - near.total) / spread for number, each in at.items()}
    found = []
    for number, each in at.items():
        if each.is_nearest:
            steps = [step for step in NEAR_BESIDE if (beside := at.get(number + step)) and beside.note == each.note]
            shares = sum(NEAR_BESIDE[step] * deviation[number + step] for step in steps)
            found.append((each.span_id, round(deviation[number] + shares, 4)))
    return tuple(sorted((pair for pair in found if pair[1] > 0), key=lambda pair: -pair[1]))


def raised(found: Scores, near: Nearness) -> Scores:
    """Let how near spans are count for the scores of a list, and order it anew; what only is near joins the list."""
    scores = dict(found)
    best = max(scores.values(), default=0) or UNIT
    for span_id, deviation in near:
        scores[span_id] = scores.get(span_id, 0) + round(NEAR * best * deviation)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _known(session: Session, lists: Sequence[Nearness]) -> tuple[Nearness, ...]:
    """Leave out what the session does not know: a new index may have been swapped in since it was opened."""
    ids = sorted({span_id for found in lists for span_id, _ in found})
    rows = session.rows("select span_id from spans where span_id in (select unnest(?::bigint[]))", [ids])
    known = {span_id for (span_id,) in rows}
    return tuple(tuple(pair for pair in found if pair[0] in known) for found in lists)


def _alone(why: str, hint: str) -> str:
    """Say that words alone were compared, and why."""
    return f"Ranked by words alone. {why.removesuffix('.')}{f' ({hint})' if hint else ''}."


def _lacking(lacking: int, of: int) -> tuple[str, ...]:
    if not lacking:
        return ()
    have = "has" if lacking == 1 else "have"
    return (f"{lacking:,} of {of:,} passages {have} no vector yet: words alone find them (`lore index` makes it).",)
