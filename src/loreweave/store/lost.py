"""Lines of the ledger that an index has seen and that no file has any more: a ledger is not lost in silence."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from loreweave.store.draft import MANY, Draft

Line = tuple[str, str, int]
"""event_id, path, line"""

_LEDGER = "path like 'lore/ledger/%'"
_LINES = "select event_id, path, line from (from events union all by name from repeats)"


def of(index: Path) -> list[Line]:
    """Give the lines of the ledger that an index holds, and those it lost; none where it cannot be read."""
    from loreweave.errors import StoreError
    from loreweave.store.session import Session

    try:
        with Session(index, earlier=True) as session:
            return session.ask(f"{_LINES} where {_LEDGER} union from lost").fetchall()
    except StoreError:
        return []


def lines_in(draft: Draft, paths: Collection[str]) -> list[Line]:
    """Give the lines of these files that are of the ledger."""
    if not any(path.startswith("lore/ledger/") for path in paths):
        return []
    return draft.ask(f"{_LINES} where {_LEDGER} and path in (select unnest(?::varchar[]))", [list(paths)])


def keep(draft: Draft, seen: Iterable[Line]) -> None:
    """Write down which of these lines no file has now, and forget those that are back."""
    rows = list(seen)
    if rows:
        (draft.put_many if len(rows) > MANY else draft.put)("lost", rows)
    draft.run("delete from lost where event_id in (select event_id from events)")


def places(draft: Draft) -> list[tuple[str, int]]:
    """Give the lines that no file has any more, as they stood."""
    return [(path, line) for path, line in draft.ask("select distinct path, line from lost order by path, line")]


def forget(draft: Draft) -> None:
    """Let the lost lines go."""
    draft.run("delete from lost")
