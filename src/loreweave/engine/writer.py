"""Whoever writes to a vault: a person under any name, or an agent, under its own and within what the settings let it.

An agent may state, close and retract; where ``[agents] writes`` is ``"propose"``, all that only becomes proposals.
Whatever decides on proposals, writes many lines at once or settles what the record is, is left to people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.engine.asking import LONGEST
from loreweave.errors import BadRequest, Refused
from loreweave.events.likeness import looks
from loreweave.events.model import DEFAULT_SCOPE, RANKS
from loreweave.events.slots import key
from loreweave.notes.turning import misleads, turns
from loreweave.notes.visible import excerpt, reveal
from loreweave.vault.config import read_config
from loreweave.vault.root import CONFIG
from loreweave.vault.saving import MOMENTS, is_still, proposing
from loreweave.vault.walk import stamp_of

if TYPE_CHECKING:
    from loreweave.engine import Engine


_OWN = {*RANKS, "extraction", "proposed", "pending", "approved", "rejected", "lore", "loreweave"}
"""What stands beside a name, or in its place, where lines are told, and names nobody who could be asked."""

_PARTS = {"·", "::"}
"""What stands between a name and what else is told of a line."""


def agent_named(name: object) -> str | None:
    """Give the name of an agent, or None where a person is at work; raise BadRequest for one that nobody could tell."""
    if name is None:
        return None
    if not isinstance(name, str):
        raise BadRequest(f"agent: {name!r} is not a text.", "give it as a str")
    if not key(name) or len(name) > LONGEST or misleads(name):
        raise BadRequest(f"agent: {reveal(name[:40])} is no name.", "give one such as scout")
    if not _OWN.isdisjoint(looks(name)) or not _PARTS.isdisjoint(name.split()):
        raise BadRequest(f"agent: {reveal(name[:40])} reads like a part of the record.", "give one such as scout")
    return name.strip()


class Writer:
    """Who writes to one vault, in one scope. ``agent`` is None where a person is at work."""

    engine: Engine
    scope: str
    agent: str | None = None

    def signed(self, by: str | None) -> str | None:
        """Give the name to write, None for none: that of the agent, where one is at work.

        Raises BadRequest for what is no text, and Refused where an agent takes another name.
        """
        if by is not None and not isinstance(by, str):
            raise BadRequest(f"by: {by!r} is not a text.", "give it as a str")
        if self.agent is None:
            return by or None
        if by is not None and key(by) != key(self.agent):
            raise Refused(f'by: the agent "{self.agent}" cannot write as {reveal(by)}.', "leave it out")
        return self.agent

    def refuse_agent(self, what: str) -> None:
        """Raise Refused where an agent is at work; ``what`` is what is left to people."""
        if self.agent is not None:
            told = f'{what} is left to people: the agent "{self.agent}" cannot do it.'
            raise Refused(told, "ask a person, who has the command for it")

    def refuse_obeyed(self, name: str, text: object) -> None:
        """Raise Refused where an agent gives what would make a line look like another to whoever reads the file."""
        if self.agent is None or not isinstance(text, str):
            return
        if found := misleads(text):
            why = "changes how what is round it is shown" if turns(text) else "is not seen where it stands"
            raise Refused(f"{name}: {excerpt(text)} holds U+{ord(found):04X}, which {why}.", "leave that character out")

    def written_scope(self) -> str | None:
        """Give the scope to write, None for the one that needs no word."""
        return None if key(self.scope) == DEFAULT_SCOPE else self.scope

    def only_proposes(self) -> bool:
        """Tell whether what is written now is only proposed: settings that say nothing leave that as it was."""
        root = self.engine.root
        for _ in range(MOMENTS if self.agent is not None else 0):
            stamp = stamp_of(root / CONFIG)
            if read_config(root).writes or root in proposing:
                return root in proposing
            if is_still(root, stamp):
                return False
        return self.agent is not None
