"""Tools that look over the whole record, and keep it: the index brought up to date, and SQL over all of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from loreweave.errors import BadRequest
from loreweave.mcp.arguments import FLAG, NUMBER, TEXT, VALUES, WHOLE, Argument
from loreweave.mcp.fitting import written
from loreweave.mcp.tool import COUNT, COUNT_OR_NOT, LIMIT, OFFSET, ROWS, THING, THINGS, WORD, Tool, gives, shown
from loreweave.notes.visible import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from loreweave.library import Lore

_ROWS, _LONG = 100, 100_000
_MOST, _WIDE = 5_000, 2_000
"""Of how many rows, and items of one list, an answer is made at most, and from how long on a list becomes a text."""

_COUNTED = 100_000
"""Up to so many rows are counted of an answer; of more it is told that there are more."""

_AT_ONCE = 100
"""How many rows are taken from the database at a time, so that few long ones are held at once."""

_SECONDS, _LONGEST = 20.0, 60.0

_LESS = f"ask for less at a time: fewer columns or rows, or sums of them; timeout may be up to {_LONGEST:g}"
_SAID = 600
_of_database = re.compile(r"[A-Z][A-Za-z -]{1,30} Error: ")
"""How a message of the database begins, of which so much is quoted."""


def _index(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.index(full=given.get("full", False)))}


def _sql(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    offset, limit = given.pop("offset", 0), min(given.pop("limit", _ROWS), _MOST)
    given["timeout"] = given.get("timeout", _SECONDS)
    if not 0 < given["timeout"] <= _LONGEST:
        raise BadRequest(f"timeout: {given['timeout']:g} is not above 0 and up to {_LONGEST:g} seconds.", "such as 20")
    try:
        with lore.query(given.pop("sql"), **given) as answer:
            rows, count = _page(answer.batches(_AT_ONCE), offset, limit)
            columns = [{"name": name, "type": kind} for name, kind in answer.columns]
    except BadRequest as failed:
        raise _refused(failed) from None
    made: dict[str, Any] = {"columns": columns, "rows": rows}
    return made | {"shown": len(rows), "of": count}


def _refused(failed: BadRequest) -> BadRequest:
    """Quote what the database says, for it may quote a value; name no option that the tool has not."""
    said = _of_database.match(failed.message)
    message = f"The database says {excerpt(' '.join(failed.message.split()), _SAID)}." if said else failed.message
    is_bounded = "--memory-limit" in failed.hint or "--timeout" in failed.hint
    return BadRequest(message, _LESS if is_bounded else failed.hint)


def _page(batches: Iterable[list[tuple[Any, ...]]], offset: int, limit: int) -> tuple[list[list[Any]], int | None]:
    """Give the rows asked for, as far as they could be shown, and how many there are; None for too many to count."""
    rows: list[list[Any]] = []
    count = size = 0
    for batch in batches:
        for row in batch[max(0, offset - count) : max(0, offset + limit - count)]:
            if size < _LONG:
                rows.append([_cell(value) for value in row])
                size += len(written(rows[-1]))
        count += len(batch)
        if count > max(_COUNTED, offset + limit):
            return rows, None
    return rows, count


def _cell(value: Any) -> Any:
    """Give a value as JSON has it, of a huge one no more than could be shown."""
    from loreweave.reports.rows import as_plain

    if isinstance(value, str | bytes):
        return as_plain(value if len(value) <= _LONG else value[:_LONG])
    made = as_plain(_beginning(value))
    return text if isinstance(made, list | dict) and len(text := written(made)) > _WIDE else made


def _beginning(value: Any) -> Any:
    """Give the first items of a list, and of lists in it."""
    if isinstance(value, list | tuple):
        return [_beginning(each) for each in value[:_MOST]]
    return {name: _beginning(each) for name, each in value.items()} if isinstance(value, dict) else value


INDEX = Tool(
    name="lore_index",
    title="Record what notes state",
    told=(
        "Record what the notes state now and what they state no longer, and refresh the index. Answers"
        " follow notes within a second; use it after you changed some, so that values in them are believed."
    ),
    run=_index,
    arguments=(Argument("full", FLAG, "Read every file anew."),),
    answer=gives({"notes": THING, "observed": COUNT, "withdrawn": COUNT}),
    writes=True,
    is_slow=True,
)

QUERY_SQL = Tool(
    name="lore_query_sql",
    title="Query with SQL",
    told=(
        "One read-only SELECT (DuckDB) over tables and views such as beliefs, events, notes, spans, links, tags, uses,"
        " proposals; the resource lore://views lists them. Use it where no other tool answers."
    ),
    run=_sql,
    arguments=(
        Argument("sql", required=True, longest=_LONG),
        Argument("parameters", VALUES, "Values for $name in it."),
        Argument("as_of", TEXT, "For the view facts."),
        Argument("as_known_at", TEXT, "For the view facts."),
        Argument("limit", WHOLE, f"{LIMIT} Else {_ROWS}.", least=1),
        OFFSET,
        Argument("timeout", NUMBER, f"Seconds; else {_SECONDS:g}, at most {_LONGEST:g}."),
    ),
    answer=gives(
        {
            "columns": THINGS,
            "rows": ROWS,
            "shown": COUNT,
            "of": COUNT_OR_NOT,
            "more": WORD,
        },
        optional="more",
    ),
    is_slow=True,
)
