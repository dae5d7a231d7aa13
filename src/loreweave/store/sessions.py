"""What an index holds of sessions: when each was resumed last, and the notes to compare with the next time.

A session is known by its name and by whose it is: an agent's marks are never those of a person, or of another agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.events.slots import key
from loreweave.projections.changed import DIGITS, Hashes

if TYPE_CHECKING:
    from loreweave.store.proposed import Ask
    from loreweave.times import Instant

_RESUMED = """
    select name, recorded_by, max(epoch_us(recorded_at)) from sessions where scope_key = ? group by name, recorded_by
"""


def last_resumed(ask: Ask, scope_key: str, name: str, agent: str | None) -> Instant | None:
    """Give the record instant at which a session was last resumed, by an agent or, where it is None, by a person."""
    of = session_key(name, agent)
    return max((at for told, by, at in ask(_RESUMED, [scope_key]) if session_key(told, by) == of), default=None)


def session_key(name: str, agent: str | None) -> str:
    """Give what makes a session the same one."""
    return key(name) if agent is None else f"{key(name)}\0{key(agent)}"


def note_hashes(ask: Ask, scope_key: str) -> Hashes:
    """Give the notes of a scope as they are kept."""
    return dict(ask("select path, left(hash, ?) from notes where scope_key = ?", [DIGITS, scope_key]))
