"""What SQL of others may be: one SELECT, or EXPLAIN of one, over our tables, views and macros."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

import duckdb

from loreweave.errors import BadRequest
from loreweave.store.views import views

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PLAIN_TABLE_FUNCTIONS = frozenset({"range", "generate_series", "unnest"})
REFUSED_FUNCTIONS = frozenset(
    {"query", "query_table", "json_execute_serialized_sql", "current_setting", "getenv", "write_log"}
)

LONGEST = 100_000
"""Characters; DuckDB takes minutes to look through longer chains of UNION, and cannot be stopped while it does."""

CATALOGUE = frozenset({"tables", "columns"})
"""What may be asked of ``information_schema``."""

_QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
_SOURCES = frozenset({"BASE_TABLE", "TABLE_FUNCTION", "SUBQUERY", "JOIN", "EMPTY", "EXPRESSION_LIST", "PIVOT"})
_PLACES: tuple[list[str], ...] = ([], ["main"], ["index"], ["index", "main"])
_GAP = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_EXPLAIN = re.compile(rf"{_GAP}explain\b({_GAP}analyze\b)?", re.IGNORECASE | re.DOTALL)
_OF_FILES = re.compile(r"[./\\:*?\[]")
"""What a name of ours never has, not even that of a WITH: elsewhere in the query it would be the name of a file."""

_RESERVED = ("duckdb_", "pragma_", "sqlite_", "pg_")
_ONE = "write one SELECT; docs/views.md lists what it may ask, and so does information_schema.columns"
_LISTED = "list them, such as pivot events on kind in ('FactAsserted', 'FactRetracted')"
_OURS = "ask the tables, views and macros that docs/views.md lists"

Node = dict[str, Any]


def check(cursor: DuckDBPyConnection, sql: str, hidden: Collection[str] = ()) -> str:
    """Give the statement to run; raise BadRequest with what is not allowed, or with DuckDB's message and position.

    ``hidden`` are tables that are there and may not be asked.
    """
    if len(sql) > LONGEST:
        raise BadRequest(
            f"The query has {len(sql):,} characters; {LONGEST:,} are read.", "bind long lists as parameters"
        )
    try:
        sql = sql.encode().decode("utf-8-sig")
    except UnicodeEncodeError:
        raise BadRequest("The query is not UTF-8.", "give it as UTF-8 text") from None
    kind = _only_statement(cursor, sql)
    head, rest = "", sql
    if kind == "EXPLAIN" and (explain := _EXPLAIN.match(sql)):
        head, rest = ("explain analyze " if explain[1] else "explain "), sql[explain.end() :]
        kind = _only_statement(cursor, rest)
    if kind == "MULTI":
        raise BadRequest("A PIVOT without a list of values is two statements; exactly one is answered.", _LISTED)
    if kind != "SELECT":
        raise BadRequest(f"This is a statement of kind {kind}; only a SELECT, or EXPLAIN of one, is answered.", _ONE)
    nodes = list(_nodes(_tree(cursor, rest)))
    named = {entry["key"].lower() for node in nodes for entry in node.get("cte_map", {}).get("map", ())}
    for node in nodes:
        _check_node(node, named, hidden)
    return head + rest


def _only_statement(cursor: DuckDBPyConnection, sql: str) -> str:
    """Give the kind of the one statement in a text."""
    try:
        statements = cursor.extract_statements(sql)
    except duckdb.Error as failed:
        raise BadRequest(str(failed)) from None
    if len(statements) != 1:
        raise BadRequest(f"The text holds {len(statements)} statements; exactly one is answered.", _ONE)
    try:
        return str(statements[0].type.name)
    except ValueError:  # a kind of statement that its Python side has no name for
        return "OTHER"


def _tree(cursor: DuckDBPyConnection, sql: str) -> Node:
    found = cursor.execute("select json_serialize_sql(?::varchar)", [sql]).fetchall()
    try:
        tree: Node = json.loads(found[0][0])
    except RecursionError:
        raise BadRequest("The query is nested too deeply.", "name its parts in a WITH") from None
    if tree["error"]:
        raise BadRequest(f"Only a SELECT is answered: {tree['error_message']}", _ONE)
    return tree


def _nodes(tree: Node) -> Iterator[Node]:
    waiting: list[Any] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _check_node(node: Node, named: set[str], hidden: Collection[str]) -> None:
    kind = str(node.get("type", ""))
    if "class" in node:
        if "function_name" in node and _path(node)[-1].lower() in REFUSED_FUNCTIONS:
            raise BadRequest(f"{_path(node)[-1]}() is not answered: it reaches past the index.", _OURS)
    elif kind.endswith("_NODE"):
        if kind not in _QUERIES:
            raise BadRequest(f"The query holds a {kind.partition('_')[0]}; only SELECT is answered.", _ONE)
    elif "sample" in node:
        _check_source(kind, node, named, hidden)


def _check_source(kind: str, node: Node, named: set[str], hidden: Collection[str]) -> None:
    """Refuse what stands in a FROM and is neither a relation nor a table function that may be asked."""
    if kind not in _SOURCES:
        raise BadRequest(f"{kind.partition('_')[0]}, DESCRIBE and SUMMARIZE are not answered; only SELECT is.", _ONE)
    if kind == "BASE_TABLE":
        _check_relation(_path(node), named, hidden)
    elif kind == "TABLE_FUNCTION":
        *place, name = _path(node["function"])
        macros = {view.name for view in views() if view.kind == "macro table"}
        if _lower(place) not in _PLACES or name.lower() not in PLAIN_TABLE_FUNCTIONS | macros:
            told = f"{name}() is not answered; table functions are {', '.join(sorted(PLAIN_TABLE_FUNCTIONS | macros))}."
            raise BadRequest(told, _OURS)


def _check_relation(path: list[str], named: set[str], hidden: Collection[str]) -> None:
    """Refuse catalogues, files and other databases; a name that is nothing at all is left for DuckDB to explain.

    ``named`` are the names of every WITH, wherever it stands: outside of it such a name is nothing at all.
    """
    *place, name = _lower(path)
    shown = ".".join(path)
    if place in (["information_schema"], ["index", "information_schema"]) and name in CATALOGUE:
        return
    is_hidden = name in hidden and (place or name not in named)
    if is_hidden or place not in _PLACES or name.startswith(_RESERVED):
        raise BadRequest(f'"{shown}" is not a table or view of the index.', _OURS)
    if _OF_FILES.search(name) or (not name.isidentifier() and (place or name not in named)):
        raise BadRequest(f'"{shown}" names a file; only the index is read.', _OURS)


def _path(node: Node) -> list[str]:
    path: list[str] = node["qualified_name"]["path"]
    return path


def _lower(names: list[str]) -> list[str]:
    return [name.lower() for name in names]
