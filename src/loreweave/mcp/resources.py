"""What clients may read by address: notes of the scope, and what SQL may ask."""

from __future__ import annotations

import json
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from mcp_types import BlobResourceContents, ReadResourceResult, Resource, ResourceTemplate, TextResourceContents

from loreweave.errors import BadRequest
from loreweave.mcp.finding import goes_on
from loreweave.mcp.fitting import FRAME
from loreweave.mcp.quoting import about_note
from loreweave.mcp.wording import VIEWS
from loreweave.notes.visible import excerpt
from loreweave.store.schema import TABLES
from loreweave.store.views import views

if TYPE_CHECKING:
    from loreweave.mcp.desk import Desk

_ROOM = 3 * FRAME
"""Characters of what is told beside the text of a note."""

_FEWEST = 200
"""Characters of a note for which there has to be room beside its address."""

NOTE = "lore://note/"

RESOURCES = (
    Resource(
        uri=VIEWS,
        name="views",
        title="Tables and views",
        description="What lore_query_sql may ask: tables, views and macros, with their columns.",
        mime_type="text/markdown",
    ),
)
TEMPLATES = (
    ResourceTemplate(
        uri_template=f"{NOTE}{{path}}",
        name="note",
        title="A note",
        description="A note by its path in the vault: what says that its text is quoted data, then the text.",
        mime_type="text/markdown",
    ),
)

_HEAD = """\
Times are UTC; an end that is open is NULL; `until` is exclusive.
`select column_name from information_schema.columns where table_name = 'beliefs'` gives the columns of one;
`select distinct table_name from information_schema.columns` names all tables and views.
"""


def read(desk: Desk, client: str, uri: str) -> ReadResourceResult:
    """Give what stands at an address; raise BadRequest or Refused where there is nothing."""
    if uri == VIEWS:
        return ReadResourceResult(contents=[_contents(uri, _views(desk.room - _ROOM))])
    address = unquote(uri.removeprefix(NOTE))
    if not uri.startswith(NOTE) or not address:
        raise BadRequest(f"There is no resource {excerpt(uri)}.", f"there are {VIEWS} and {NOTE}PATH")
    characters = desk.room - _ROOM - len(uri) * 3
    if characters < _FEWEST:
        told = f"The address {excerpt(uri)} has {len(uri):,} characters, which leaves no room for the note."
        raise BadRequest(told, "read it with `lore_read_note`")
    with desk.agents.at_work(client) as lore:
        found = lore.read_note(address, characters=characters)
    about = about_note(found.path, range(found.start_line, found.end_line + 1))
    contents: list[TextResourceContents | BlobResourceContents] = [_contents(uri, about), _contents(uri, found.text)]
    if found.cut:
        contents.append(_contents(uri, f"The {goes_on(found)}."))
    if found.rest:
        contents.append(_contents(NOTE + quote(found.rest), f"The note has {found.lines:,} lines; the rest is here."))
    return ReadResourceResult(contents=contents)


def _contents(uri: str, text: str) -> TextResourceContents:
    return TextResourceContents(uri=uri, mime_type="text/markdown", text=text)


def _views(room: int) -> str:
    """List tables with their columns, then views and macros, each with what it is; say what there is no room for."""
    tables = [
        f"- `{table.name}({', '.join(column.name for column in table.columns)})`: {table.comment}" for table in TABLES
    ]
    asked = [f"- `{view.name}` ({view.kind}): {view.comment}" for view in sorted(views())]
    lines = [*_HEAD.split("\n"), "## Tables", "", *tables, "", "## Views and macros", "", *asked, ""]
    ends = list(accumulate(len(json.dumps(line)) for line in lines))
    kept = bisect_right(ends, room)
    left = sum(line.startswith("- ") for line in lines[kept:])
    return "\n".join(lines if not left else [*lines[:kept], f"- {left:,} more, for which there is no room here", ""])
