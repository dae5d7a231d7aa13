"""Lines of the ledger that an index has seen and that no file has any more: a ledger is not lost in silence.

A line in whose place another says something of the same slot, note and record time was edited, and is not lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from loreweave.store.draft import MANY, Draft

Line = tuple[object, ...]
"""A row of ``lost``, its record time in microseconds."""

LET_GO = "let_go"
"""The property of an index that names the commit whose lost lines of the ledger were let go."""

_LEDGER = "path like 'lore/ledger/%'"
_PLACE = "kind, note, recorded_at, scope_key, subject_key, predicate_key"
_COLUMNS = f"event_id, path, line, {_PLACE.replace('recorded_at', 'epoch_us(recorded_at)')}"
_LINES = f"select {_COLUMNS} from (from events union all by name from repeats)"
_THERE = f"select {_PLACE} from events where {_LEDGER}"


def carry(draft: Draft, index: Path) -> None:
    """Take over the lines of the ledger that an index holds or lost, and what was let go, where it can be read."""
    from loreweave.errors import StoreError
    from loreweave.store.session import Session

    try:
        with Session(index, earlier=True) as session:
            seen: list[Line] = session.ask(f"{_LINES} where {_LEDGER} union select {_COLUMNS} from lost").fetchall()
            let_go = session.ask("select value from meta where key = ?", [LET_GO]).fetchone()
    except StoreError:
        return
    keep(draft, seen)
    if let_go is not None:
        draft.note(LET_GO, *let_go)


def take_over(draft: Draft, index: Path) -> None:
    """Hold what an index lost and what was let go in the place of what a draft has; where it cannot be read, nothing.

    Raises NewerIndex for one that another version made.
    """
    from loreweave.store.opening import MissingIndex, UnusableIndex
    from loreweave.store.session import Session

    try:
        with Session(index) as session:
            lost: list[Line] = session.ask(f"select {_COLUMNS} from lost").fetchall()
            let_go = session.ask("select value from meta where key = ?", [LET_GO]).fetchone()
    except (MissingIndex, UnusableIndex):
        return
    draft.run("delete from lost")
    keep(draft, lost)
    draft.note(LET_GO, *(let_go or (None,)))


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
    draft.run(f"delete from lost where event_id in (select event_id from events) or ({_PLACE}) in ({_THERE})")


def places(draft: Draft) -> list[tuple[str, int]]:
    """Give the lines that no file has any more, as they stood."""
    return [(path, line) for path, line in draft.ask("select distinct path, line from lost order by path, line")]


def forget(draft: Draft, commit: str) -> None:
    """Let the lost lines go, those that this commit has among them."""
    draft.run("delete from lost")
    draft.note(LET_GO, commit)


def is_let_go(draft: Draft, commit: str) -> bool:
    """Tell whether the lines that a commit has and no file were let go."""
    return bool(draft.ask("from meta where key = ? and value = ?", [LET_GO, commit]))
