"""The vault held open once for all clients, and given to each under the name by which it made itself known."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from loreweave.engine.writer import agent_named
from loreweave.errors import BadRequest, VaultError
from loreweave.events.model import DEFAULT_SCOPE
from loreweave.library import Lore
from loreweave.vault.root import CONFIG, refuse_gone

UNNAMED = "mcp-client"
"""Who writes where a client has no name that could be told again."""

_LONGEST = 100
_KEPT = 64
"""How many clients are remembered by name at a time."""


def name_of(told: str | None) -> str:
    """Give the name that a client's lines carry: one line, not too long, and none that is a part of what is told."""
    name = " ".join((told or "").split())[:_LONGEST].strip()
    try:
        return agent_named(name) or UNNAMED
    except BadRequest:
        return UNNAMED


def _without_scopes(failed: VaultError) -> VaultError:
    """Tell of settings that have no meaning, but not of the other scopes that they name."""
    if not failed.message.startswith(CONFIG) or "[scopes]" not in failed.message:
        return failed
    place = failed.message.partition(": ")[0]
    return VaultError(f"{place}: a setting in [scopes] has no meaning.", "a person sees which with `lore doctor`")


class Agents:
    """The clients of one vault, all in one scope, the default one where none is named. Safe from several threads.

    Where ``name`` is given, by whoever starts the server, all of them write under it, whatever they call themselves.
    """

    def __init__(self, vault: str | os.PathLike[str] | None, scope: str | None, name: str | None = None) -> None:
        """Open the vault; raise VaultError or Refused where there is none, or the scope has no name.

        Raises BadRequest for what is no name of an agent.
        """
        self._name = agent_named(name)
        self.lore = Lore(vault, scope=DEFAULT_SCOPE if scope is None else scope, live=True)
        self.root = self.lore.engine.root
        self._quiet = threading.Condition()
        self._known: dict[str, Lore] = {}
        self._asking = self._writing = 0

    @contextmanager
    def at_work(self, name: str, *, writes: bool = False) -> Iterator[Lore]:
        """Give the vault for the client of this name, which is at work then; raise VaultError where it is gone."""
        refuse_gone(self.root)
        lore = self._begin(name, writes)
        try:
            yield lore
        except VaultError as failed:
            raise _without_scopes(failed) from None
        finally:
            with self._quiet:
                self._asking -= 1
                self._writing -= writes
                self._quiet.notify_all()

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is being written, so long at most; tell whether that is so."""
        with self._quiet:
            return self._quiet.wait_for(lambda: not self._writing, seconds)

    def is_busy(self) -> bool:
        """Tell whether somebody is being answered."""
        with self._quiet:
            return self._asking > 0

    def close(self) -> None:
        """Let go of the vault."""
        self.lore.close()

    def _begin(self, name: str, writes: bool) -> Lore:
        name = self._name or name
        with self._quiet:
            if name not in self._known:
                if len(self._known) >= _KEPT:
                    self._known.clear()
                self._known[name] = self.lore.for_agent(name)
            self._asking += 1
            self._writing += writes
            return self._known[name]
