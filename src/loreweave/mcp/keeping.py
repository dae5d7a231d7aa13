"""Tools that look over the whole record, and keep it: the index brought up to date, and SQL over all of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from loreweave.errors import BadRequest
from loreweave.mcp.arguments import FLAG, NUMBER, TEXT, VALUES, WHOLE, Argument
from loreweave.mcp.tool import COUNT, COUNT_OR_NOT, LIMIT, OFFSET, ROWS, THING, THINGS, WORD, Tool, gives, shown
from loreweave.notes.visible import excerpt

if TYPE_CHECKING:
    from loreweave.library import Lore

_ROWS, _LONG = 100, 100_000
_SECONDS, _LONGEST = 20.0, 60.0

_LESS = f"ask for less at a time: fewer columns or rows, or sums of them; timeout may be up to {_LONGEST:g}"
_SAID = 600
_of_database = re.compile(r"[A-Z][A-Za-z -]{1,30} Error: ")
"""How a message of the database begins, of which so much is quoted."""


def _index(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    return {**shown(lore.index(full=given.get("full", False)))}


def _sql(lore: Lore, given: dict[str, Any]) -> dict[str, Any]:
    given["timeout"] = given.get("timeout", _SECONDS)
    if not 0 < given["timeout"] <= _LONGEST:
        raise BadRequest(f"timeout: {given['timeout']:g} is not above 0 and up to {_LONGEST:g} seconds.", "such as 20")
    try:
        found = lore.query_apart(given.pop("sql"), **given)
    except BadRequest as failed:
        raise _refused(failed) from None
    columns = [{"name": name, "type": kind} for name, kind in found.columns]
    return {"columns": columns, "rows": found.rows, "shown": len(found.rows), "of": found.of}


def _refused(failed: BadRequest) -> BadRequest:
    """Quote what the database says, for it may quote a value; name no option that the tool has not."""
    said = _of_database.match(failed.message)
    message = f"The database says {excerpt(' '.join(failed.message.split()), _SAID)}." if said else failed.message
    is_bounded = "--memory-limit" in failed.hint or "--timeout" in failed.hint
    return BadRequest(message, _LESS if is_bounded else failed.hint)


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
