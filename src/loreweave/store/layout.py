"""What stands in an index: its tables, those that the engine keeps for itself, its views and macros, with comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.store.schema import TABLES, comment_sql, create_sql
from loreweave.store.sources import CALLED, INTERNAL, PHRASES, REPEATS
from loreweave.store.views import comment_views, create_views

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ALL = {table.name: table for table in (*TABLES, *INTERNAL)}

OF_SCOPES = (*TABLES, REPEATS, PHRASES, CALLED)
"""The tables of which a session of one scope has the rows of that scope."""

HIDDEN = frozenset(table.name for table in INTERNAL if table not in OF_SCOPES)
"""The tables that nobody may ask who asks of one scope: whether others have rows there is not theirs to know."""


def lay_out(connection: DuckDBPyConnection) -> None:
    """Make all of it in the current schema, the tables empty."""
    for table in ALL.values():
        connection.execute(create_sql(table))
    create_views(connection)
    for table in ALL.values():
        for statement in comment_sql(table):
            connection.execute(statement)
    comment_views(connection)
