"""What indexing came to within one scope: it is work on the whole vault, and whoever sees one scope is told of that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from loreweave.engine.observing import Indexed, index
from loreweave.engine.plan import Notes
from loreweave.events.extract import scope_of
from loreweave.events.slots import key
from loreweave.store.opening import MissingIndex, UnusableIndex
from loreweave.vault.config import read_config

if TYPE_CHECKING:
    from loreweave.engine import Engine

_COUNTED = """
    select count(*) filter (kind = 'ValueObserved'), count(*) filter (kind = 'ValueWithdrawn')
    from events where scope_key = ? and recorded_at = ?
"""


def index_within(engine: Engine, scope_key: str, *, whole: bool = False) -> Indexed:
    """Record what all notes state, as ``index`` does; tell of the notes, values and refusals of one scope alone."""
    before = _notes(engine, scope_key)
    made = index(engine, whole=whole)
    observed, withdrawn = _counted(engine, scope_key, made)
    is_told = bool(observed or withdrawn)
    settings = read_config(engine.root).extraction

    def is_within(path: str) -> bool:
        return key(scope_of(path, settings)) == scope_key

    return attrs.evolve(
        made,
        notes=_compared(before, _notes(engine, scope_key)),
        observed=observed,
        withdrawn=withdrawn,
        path=made.path if is_told else None,
        recorded_at=made.recorded_at if is_told else None,
        renamed=tuple(each for each in made.renamed if is_within(each.path)),
        refused=tuple(each for each in made.refused if is_within(each.path)),
    )


def _notes(engine: Engine, scope_key: str) -> dict[str, str]:
    """Give the notes of a scope that the index holds, each with its hash."""
    try:
        with engine.session() as session:
            return dict(session.rows("select path, hash from notes where scope_key = ?", [scope_key]))
    except (MissingIndex, UnusableIndex):
        return {}


def _compared(before: dict[str, str], after: dict[str, str]) -> Notes:
    common = before.keys() & after.keys()
    changed = sum(before[path] != after[path] for path in common)
    return Notes(len(after) - len(common), changed, len(before) - len(common), len(common) - changed)


def _counted(engine: Engine, scope_key: str, made: Indexed) -> tuple[int, int]:
    """Count what a run recorded of a scope: what was observed, and what was withdrawn."""
    if made.recorded_at is None:
        return 0, 0
    with engine.session() as session:
        ((observed, withdrawn),) = session.rows(_COUNTED, [scope_key, made.recorded_at.replace(tzinfo=None)])
    return observed, withdrawn
