"""The vault opened once for each client, under the name by which the client made itself known."""

from __future__ import annotations

import os
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from loreweave.errors import VaultError
from loreweave.events.slots import key
from loreweave.library import Lore

UNNAMED = "mcp-client"
"""Who writes where a client has no name that could be told again."""

_LONGEST = 100
_KEPT = 8
"""For how many clients the vault stays open while they ask nothing."""


def name_of(told: str | None) -> str:
    """Give the name that a client's lines carry: one line, not too long."""
    name = " ".join((told or "").split())[:_LONGEST].strip()
    return name if key(name) else UNNAMED


class Agents:
    """The vault as each client has it open, all in one scope. Safe from several threads."""

    def __init__(self, vault: str | os.PathLike[str] | None, scope: str | None) -> None:
        """Open the vault to see that there is one; raise VaultError or Refused where it or the scope cannot be."""
        with Lore(vault, scope=scope) as lore:
            self.root, self.scope = lore.engine.root, lore.scope
        self._said_scope = scope
        self._quiet = threading.Condition()
        self._open: OrderedDict[str, Lore] = OrderedDict()
        self._asking: Counter[str] = Counter()
        self._writing = 0

    def watched(self) -> Lore:
        """Give the vault as no client has it open, to watch it."""
        return Lore(self.root, scope=self._said_scope)

    @contextmanager
    def at_work(self, name: str, *, writes: bool = False) -> Iterator[Lore]:
        """Give the vault as the client of this name has it open, and know of it; raise VaultError where it is gone."""
        if not self.root.is_dir():
            raise VaultError(f'The vault "{self.root}" is gone.', "put it back, and call again")
        with self._quiet:
            lore = self._open.get(name) or Lore(self.root, scope=self._said_scope, agent=name)
            self._open[name] = lore
            self._open.move_to_end(name)
            self._asking[name] += 1
            self._writing += writes
        try:
            yield lore
        finally:
            self._leave(name, writes=writes)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is being written, so long at most; tell whether that is so."""
        with self._quiet:
            return self._quiet.wait_for(lambda: not self._writing, seconds)

    def busy(self) -> bool:
        """Tell whether somebody is being answered."""
        with self._quiet:
            return bool(self._asking)

    def close(self) -> None:
        """Let go of the vault where nobody is being answered."""
        with self._quiet:
            self._let_go(keep=0)

    def _leave(self, name: str, *, writes: bool) -> None:
        with self._quiet:
            self._asking -= Counter([name])
            self._writing -= writes
            self._let_go(keep=_KEPT)
            self._quiet.notify_all()

    def _let_go(self, *, keep: int) -> None:
        """Close the vault for those who have asked nothing for longest."""
        idle = [name for name in self._open if not self._asking[name]]
        for name in idle[: max(0, len(self._open) - keep)]:
            self._open.pop(name).close()
