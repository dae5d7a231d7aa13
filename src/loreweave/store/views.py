"""The questions over the tables: a file of ``loreweave.views`` makes one macro or view and says what it answers."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from loreweave.store.schema import AT_ODDS, MEANINGS, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

_FIRST = ("instant", "belief_at", "name_key", "entities", "mentions")
_KINDS = {"create view": "view", "create macro": "macro"}

REASONS = {
    "reason": "why it is listed, as a sentence",
    "next_event_id": "the event that states the later value",
    "from_key": "the entity that speaks of the other, or of which a belief says it",
    "to_key": "the entity at the other end",
    "proposal_id": "the event that proposes it",
    "status": "pending, approved or rejected",
    "decided_at": "the record instant of the decision, UTC; NULL while it is pending",
    "decided_by": "who decided",
    "weight": "how near the two are: link and fact 1, same-as 0.9, mention 0.7, co-occurrence 0.4",
}
"""What the columns hold that stand in views only."""

_HERE = {
    ("entities", "kind"): "note, alias, acronym, target (linked, not written), tag, subject or object, the first it is",
    ("entities", "path"): "the note that it is, or is another name of; NULL where it is none",
    ("mentions", "kind"): "link, tag or name",
    ("mentions", "entity_key"): "the entity spoken of, as in entities",
    ("mentions", "span_id"): "the passage in which it is spoken of; NULL for a tag above all passages",
    ("mentions", "path"): "the note in which it is spoken of",
    ("edges", "kind"): "link, mention (by tag or name), fact, same-as (alias, acronym) or co-occurrence",
    ("uses", "path"): "the note that was named, relative to the vault",
    ("uses", "anchor"): "the heading that was named; empty above the first",
    ("uses", "hash"): "the first 16 digits of the hash of the passage as it was then, with its heading",
    ("uses", "span_id"): "the passage as it stands now; NULL where it is gone",
    ("sessions", "name"): "the name of the session",
    ("proposals", "kind"): "what is proposed: fact, invalidate or retract",
    ("supersessions", "event_id"): "the event that states the value that ended",
    ("supersessions", "kind"): "updates: another object; extends: an equal one",
    ("supersessions", "recorded_at"): "the record instant since which this is known, UTC",
    ("contradictions", "kind"): AT_ODDS,
    ("contradictions", "valid_from"): "the instant from which they are at odds, UTC",
    ("contradictions", "valid_until"): "the first instant at which they no longer are, UTC; NULL is open",
}


class View(NamedTuple):
    """A question: its name, what it is in DuckDB (``view``, ``macro``, ``macro table``), its comment and its SQL."""

    name: str
    kind: str
    comment: str
    sql: str


@cache
def views() -> tuple[View, ...]:
    """Read every question, each after those it asks itself."""
    folder = resources.files("loreweave.views")
    names = sorted(file.name.removesuffix(".sql") for file in folder.iterdir() if file.name.endswith(".sql"))
    names.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    return tuple(_read(name, (folder / f"{name}.sql").read_text("utf-8")) for name in names)


def create_views(connection: DuckDBPyConnection) -> None:
    """Make every macro and view in the current schema, where the tables they ask must stand already."""
    for view in views():
        connection.execute(view.sql)


def comment_views(connection: DuckDBPyConnection) -> None:
    """Comment every macro and view made by ``create_views``, and each column of the views."""
    for view in views():
        connection.execute(f"comment on {view.kind} {view.name} is {quote(view.comment)}")
        for column, comment in _columns(connection, view):
            connection.execute(f"comment on column {view.name}.{column} is {quote(comment)}")


def _read(name: str, sql: str) -> View:
    first, _, body = sql.partition("\n")
    kind = _KINDS[" ".join(body.split()[:2])]
    if kind == "macro" and ") as table" in body.partition("\n")[0]:
        kind = "macro table"
    return View(name, kind, first.removeprefix("-- "), sql)


def _columns(connection: DuckDBPyConnection, view: View) -> Iterator[tuple[str, str]]:
    if view.kind == "view":
        for name, *_ in connection.execute(f"describe {view.name}").fetchall():
            yield name, _HERE.get((view.name, name)) or (MEANINGS | REASONS)[name]
