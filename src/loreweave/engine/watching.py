"""Watching: whenever something changes, what notes state is recorded and the index brought up to date, one at a time.

What changes meanwhile makes another batch, and so another refresh.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

import attrs

from loreweave.engine.observing import Indexed, index
from loreweave.errors import LoreError
from loreweave.vault.root import LEDGER
from loreweave.vault.watch import Batch, changes

if TYPE_CHECKING:
    from loreweave.engine import Engine


@attrs.frozen
class Begun:
    """Watching has begun: from here on no change is missed. ``polling`` says why it looks for them, if it does."""

    root: str
    polling: str


Seen = Begun | Indexed | LoreError
"""What watching tells: that it has begun, what a refresh came to, or why there was none."""


def watch(engine: Engine, stop: Event, *, poll: bool = False) -> Iterator[Seen]:
    """Refresh whenever something changes, until told to stop, and tell what came of it.

    A refresh that fails is told, and watching goes on. One that was due without a change, and found none, is not told.
    Raises VaultError where the vault is gone.
    """
    return follow(str(engine.root), partial(index, engine), changes(engine.root, stop, poll=poll))


def follow(root: str, refresh: Callable[[], Indexed], batches: Iterable[Batch]) -> Iterator[Seen]:
    """Refresh once for every batch; see ``watch``."""
    is_first, failed = True, ""
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
        is_first = False


def _is_news(batch: Batch, made: Indexed) -> bool:
    """Say whether a refresh found something, or somebody else than the engine changed something."""
    notes = made.notes
    return bool(made.path or notes.added or notes.changed or notes.removed or not all(map(_is_own, batch.paths)))


def _is_own(path: str) -> bool:
    return path in ("lore", LEDGER) or path.startswith(f"{LEDGER}/")
