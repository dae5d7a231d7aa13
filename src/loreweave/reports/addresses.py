"""What an address names: a note of the scope, and a heading or lines in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from loreweave.errors import BadRequest, Refused
from loreweave.events.slots import key
from loreweave.notes.visible import excerpt
from loreweave.reports.nearest import Nearest
from loreweave.reports.question import refuse_surrogates

_LONGEST = 10_000
_CUTS = 50
"""How long an address may be, and how many of its marks may begin the heading."""

_RECORD = ("lore/journal/", "lore/ledger/")
_OUTSIDE = """
    select message, hint from findings
    where code = 'outside-vault' and scope_key = $1 and ($2 = path or starts_with($2, path || '/'))
"""
_BOUNDS = re.compile(r":([0-9]{1,9})(?:-([0-9]{1,9}))?\Z")


Rows = Callable[[str, list[object]], list[tuple[Any, ...]]]
"""Answers a question about an index with rows."""


class Place(NamedTuple):
    """A note and what of it is asked for; ``start`` None is all of it, ``end`` None the passage at ``start``."""

    path: str
    title: str
    anchor: str
    start: int | None
    end: int | None


def place_of(rows: Rows, address: str, scope: str) -> Place:
    """Find the note that an address names; its path may have every character that an address is cut at.

    Raises BadRequest for what is no address, Refused for what is no note of the scope.
    """
    _refuse_no_address(address)
    readings = list(dict.fromkeys(_readings(address.strip())))
    paths = [path for path, *_ in readings]
    sql = "select path, title from notes where scope_key = ? and path in (select unnest(?::varchar[]))"
    titles: dict[str, str] = dict(rows(sql, [key(scope), paths]))
    for path, anchor, start, end in readings:
        if path in titles:
            return Place(path, titles[path], anchor, start, end)
    raise _unknown(rows, readings[-1][0], scope)


def _readings(address: str) -> Iterator[tuple[str, str, int | None, int | None]]:
    """Give the ways to read an address, the longest path first: path, anchor, first and last line."""
    address = address.removeprefix("./")
    bounds = _BOUNDS.search(address)
    yield address, "", None, None
    if bounds:
        yield from _cut(address[: bounds.start()], int(bounds[1]), int(bounds[2]) if bounds[2] else None)
    yield from _cut(address, None, None)


def _cut(address: str, start: int | None, end: int | None) -> Iterator[tuple[str, str, int | None, int | None]]:
    yield address, "", start, end
    at = len(address)
    for _ in range(_CUTS):
        at = address.rfind("#", 0, at)
        if at <= 0:
            return
        yield address[:at], address[at + 1 :].strip(), start, end


def _unknown(rows: Rows, path: str, scope: str) -> Refused:
    """Say that there is no such note in the scope, and why, or which may be meant."""
    barred = rows(_OUTSIDE, [key(scope), path])
    if barred:
        return Refused(*barred[0])
    message = f"{excerpt(path)} is no note of the scope {excerpt(scope)}."
    if path.startswith(_RECORD):
        return Refused(message, "lines of the record are told by `lore why`, each with who wrote it and why")
    titled = rows("select path, title from notes where scope_key = ?", [key(scope)])
    meant = Nearest([*titled, *((each, each) for each, _ in titled)]).to(path)
    near = ", ".join(map(excerpt, meant))
    return Refused(message, f"did you mean {near}?" if near else "search tells the addresses of notes")


def _refuse_no_address(address: object) -> None:
    if not isinstance(address, str) or not address.strip():
        raise BadRequest(f"address: {address!r} names no note.", "give a path such as projects/atlas.md")
    if len(address) > _LONGEST:
        raise BadRequest(f"address: {len(address):,} characters are more than {_LONGEST:,}.", "give a path")
    refuse_surrogates("address", address)
