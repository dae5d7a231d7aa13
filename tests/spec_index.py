"""The index that a session leaves behind held to its files: step by step it came to what they make at once."""

from __future__ import annotations

from pathlib import Path

from loreweave.errors import VaultError
from loreweave.library import Lore
from loreweave.store.digest import DIGESTED
from spec_replay import Replay


def untrue_tables(vault: Path, replay: Replay) -> list[str]:
    """Give the tables of the index, brought up to date, that are not those of a replay; none without an index."""
    if not (vault / ".lore" / "index.duckdb").exists():
        return []
    names = [table.name for table in DIGESTED]
    try:
        with Lore(vault) as lore, lore.asking() as session:
            held = {name: session.ask(_rows(name)).fetchall() for name in names}
    except VaultError:
        return []
    return [name for name, rows in held.items() if rows != replay.ask(_rows(name))[1]]


def _rows(table: str) -> str:
    return f"from {table} order by all"
