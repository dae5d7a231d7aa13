"""Watching: whenever something changes, what notes state is recorded and the index brought up to date, one at a time.

What changes meanwhile makes another batch, and so another refresh. Where the settings name a provider of embeddings,
the vectors that passages lack are made after each refresh, some seconds at a time, so that changes need not wait long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

import attrs

from loreweave.engine.embedding import Embedded, embed
from loreweave.engine.observing import Indexed, index
from loreweave.errors import LoreError
from loreweave.vault.append import watch_lock
from loreweave.vault.root import JOURNAL, LEDGER, is_of_record
from loreweave.vault.watch import Batch, changes

if TYPE_CHECKING:
    from loreweave.engine import Engine


EMBED_SECONDS = 10.0
"""For about how long vectors are made until it is looked for changes again."""


@attrs.frozen
class Begun:
    """Watching has begun: from here on no change is missed. ``polling`` says why it looks for them, if it does."""

    root: str
    polling: str


Seen = Begun | Indexed | Embedded | LoreError
"""What watching tells: that it has begun, what a refresh and the vectors after it came to, or why there was none."""


def watch(engine: Engine, stop: Event, *, poll: bool = False) -> Iterator[Seen]:
    """Refresh whenever something changes, until told to stop, and tell what came of it.

    A refresh that fails is told, and watching goes on. One that was due without a change, and found none, is not told.
    Raises VaultError where the vault is gone.
    """
    making = partial(embed, engine, seconds=EMBED_SECONDS)
    return follow(str(engine.root), partial(index, engine), changes(engine.root, stop, poll=poll), making)


def watch_notes(engine: Engine, stop: Event) -> Iterator[Seen]:
    """Watch as ``watch`` does, for a server: what is only written to the record says nothing new of notes.

    One server of a vault watches; raises BusyVault where another does, and VaultError where the vault is gone.
    """
    making = partial(embed, engine, seconds=EMBED_SECONDS)
    batches = filter(_is_of_notes, changes(engine.root, stop))
    with watch_lock(engine.root):
        yield from follow(str(engine.root), partial(index, engine), batches, making)


def follow(
    root: str,
    refresh: Callable[[], Indexed],
    batches: Iterable[Batch],
    making: Callable[[], Embedded | None] = lambda: None,
) -> Iterator[Seen]:
    """Refresh once for every batch, and make vectors where they may be lacking; see ``watch``."""
    is_first, failed, vectors = True, "", _Vectors(making)
    for batch in batches:
        if is_first:
            yield Begun(root, batch.polling)
        try:
            made = refresh()
        except LoreError as error:
            if batch.paths or error.message != failed:
                yield error
            failed = error.message
        else:
            if is_first or failed or _is_news(batch, made):
                yield made
            failed = ""
            yield from vectors.made(is_due=_is_news(batch, made))
        is_first = False


class _Vectors:
    """The vectors that are made while watching: when it is time to make some, and what of it is news."""

    def __init__(self, making: Callable[[], Embedded | None]) -> None:
        self._making = making
        self._is_due, self._told = True, ""

    def made(self, *, is_due: bool) -> Iterator[Seen]:
        """Make vectors if it is time, or some are still lacking; tell of what was made, and once why not."""
        if not (self._is_due or is_due):
            return
        try:
            made = self._making()
        except LoreError:
            return  # the settings have no meaning any more, of which the next refresh tells
        self._is_due = made is not None and bool(made.left or made.failed)
        if made is None:
            return
        why = made.failed or " ".join(made.refused)
        if made.made or why != self._told:
            yield made
        self._told = why


def _is_news(batch: Batch, made: Indexed) -> bool:
    """Say whether a refresh found something, or somebody else than the engine changed something."""
    notes = made.notes
    return bool(made.path or notes.added or notes.changed or notes.removed or not all(map(_is_own, batch.paths)))


def _is_of_notes(batch: Batch) -> bool:
    """Tell whether a note may have changed: so it may where nothing is told, which is time to look."""
    return not batch.paths or not all(map(_is_of_record, batch.paths))


def _is_of_record(path: str) -> bool:
    return path in ("lore", JOURNAL, LEDGER) or is_of_record(path)


def _is_own(path: str) -> bool:
    return path in ("lore", LEDGER) or path.startswith(f"{LEDGER}/")
