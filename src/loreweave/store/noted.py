"""What an index keeps of notes, a partition a note: taken out, put in, and asked for what the ledger is to hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from loreweave.events.model import COLUMNS, EventRow
from loreweave.store.draft import MANY, Draft

Row = tuple[Any, ...]

_EVENTS = ", ".join(
    f"epoch_us({name})" if name in ("valid_from", "valid_until", "recorded_at") else name for name in COLUMNS
)
_SIGHTINGS = f"select {_EVENTS} from events where kind in ('ValueObserved', 'ValueWithdrawn')"
OF_PASSAGES = ("postings", "phrases")
"""The tables whose rows name a passage, and by it their note."""

_LINKS_ON = (
    "path not in (select unnest($1::varchar[])) and"
    " (target_key in (select unnest($2::varchar[])) or target_path in (select unnest($1::varchar[])))"
)
_STATEMENTS = "select * replace (epoch_us(valid_from) as valid_from, epoch_us(valid_until) as valid_until,"
_STATEMENTS += " epoch_us(dated) as dated) from statements"


def add(draft: Draft, name: str, rows: Collection[Row]) -> None:
    """Add rows to a table in the way that suits their number."""
    (draft.put_many if len(rows) > MANY else draft.put)(name, list(rows))


def remove_notes(draft: Draft, tables: Sequence[str], paths: Collection[str]) -> None:
    """Take the rows of these notes out of all tables that are made from notes; those of passages before these."""
    for table in reversed(tables):
        if table in OF_PASSAGES:
            sql = f"delete from {table} where span_id in (select span_id from spans"
            draft.run(*_within(sql, "where path", paths, ")"))
        else:
            remove(draft, (table,), paths)


def remove(draft: Draft, tables: Iterable[str], paths: Collection[str] | None) -> None:
    """Take the rows of these notes, or all, out of tables; the column of the note is ``path``, or else ``note``."""
    for table in tables:
        column = "note" if table == "departed" else "path"
        draft.run(*_within(f"delete from {table}", f"where {column}", paths))


def remove_findings(draft: Draft, paths: Collection[str]) -> None:
    """Take out what is wrong with these notes, but for what is wrong with them as files."""
    sql = "delete from findings where (code, path, message) not in (from listed)"
    draft.run(*_within(sql, "and path", paths))


def remove_codes(draft: Draft, codes: Collection[str]) -> None:
    """Take the findings of these codes out."""
    draft.run(*_within("delete from findings", "where code", codes))


def remove_listed(draft: Draft) -> None:
    """Take out what was wrong with files as they were listed last."""
    draft.run("delete from findings where (code, path, message) in (from listed)")
    draft.run("delete from listed")


def touched(draft: Draft, paths: Collection[str]) -> set[str]:
    """Give the names under which these notes are found."""
    return {key for (key,) in draft.ask(*_within("select distinct key from names", "where path", paths))}


def links_on(draft: Draft, names: Collection[str], paths: Collection[str]) -> list[Row]:
    """Give the links of other notes that name one of these names, or lead to one of these notes."""
    return draft.ask(f"from links where {_LINKS_ON}", [list(paths), list(names)])


def remove_links_on(draft: Draft, names: Collection[str], paths: Collection[str]) -> None:
    """Take those links out."""
    draft.run(f"delete from links where {_LINKS_ON}", [list(paths), list(names)])


def names(draft: Draft, keys: Collection[str] | None = None) -> list[Row]:
    """Give the notes that are found under these names, or any: path, key and kind."""
    return draft.ask(*_within("from names", "where key", keys, " order by all"))


def anchors(draft: Draft, paths: Collection[str] | None = None) -> list[Row]:
    """Give the headings and blocks of these notes, or of all: path and key."""
    return draft.ask(*_within("from anchors", "where path", paths, " order by all"))


def shared_titles(draft: Draft) -> list[Row]:
    """Give the notes that state values under the title of another such note: path, title and scope key."""
    return draft.ask(
        "select path, title, scope_key from notes semi join statements using (path)"
        " qualify count(*) over (partition by scope_key, title_key) > 1 order by all"
    )


def faulty_links(draft: Draft) -> list[Row]:
    """Give the links that lead nowhere, or may lead to several notes."""
    return draft.ask("from links where reason is not null order by path, line, target, heading, alias, style")


def speaking(draft: Draft) -> list[str]:
    """Give every note that states something, or of which the ledger does."""
    return [path for (path,) in draft.ask("select path from statements union select note from events where note != ''")]


def unread(draft: Draft) -> set[str]:
    """Give the notes of the ledger that are there, or below a folder that is, and cannot be read."""
    return {
        note
        for (note,) in draft.ask(
            "select distinct note from events, findings where code = 'unreadable-file'"
            " and (note = findings.path or starts_with(note, findings.path || '/'))"
        )
    }


def statements(draft: Draft, paths: Collection[str] | None = None) -> list[Row]:
    """Give what notes state, all of them or these, in order of path and line; instants in microseconds."""
    return draft.ask(
        *_within(_STATEMENTS, "where path", paths, " order by path, line, predicate_key, object_key, many")
    )


def sightings(draft: Draft, notes: Collection[str] | None = None) -> list[EventRow]:
    """Give what the ledger has seen in notes, all of them or these; instants in microseconds."""
    return draft.ask(*_within(_SIGHTINGS, "and note", notes))


def sightings_around(draft: Draft, notes: Collection[str]) -> list[EventRow]:
    """Give what the ledger has seen in every slot of which these notes say, or said, something, in whatever note."""
    slots = (
        "select scope_key, subject_key, predicate_key from events where note in (select unnest($1::varchar[]))"
        " union select scope_key, subject_key, predicate_key from statements"
        " where path in (select unnest($1::varchar[]))"
    )
    return draft.ask(f"{_SIGHTINGS} and (scope_key, subject_key, predicate_key) in ({slots})", [list(notes)])


def titles(draft: Draft, notes: Collection[str]) -> dict[str, str]:
    """Give the keys of the titles of those of these notes that are there."""
    return dict(draft.ask(*_within("select path, title_key from notes", "where path", notes)))


def waiting(draft: Draft) -> list[str]:
    """Give the notes that state what the ledger does not hold, or no longer state what it does."""
    return [path for (path,) in draft.ask("select path from unrecorded union select note from departed order by 1")]


def seen_in(draft: Draft, paths: Collection[str]) -> set[str]:
    """Give the notes that lines of these files of the record speak of."""
    sql = "select distinct note from events where note is not null"
    return {note for (note,) in draft.ask(*_within(sql, "and path", paths))}


def _within(sql: str, column: str, values: Collection[str] | None, ending: str = "") -> tuple[str, list[object]]:
    if values is None:
        return sql + ending, []
    return f"{sql} {column} in (select unnest(?::varchar[])){ending}", [list(values)]
