r"""The graph of entities written for other programs: JSON of nodes and edges, GraphML, or DOT; row by row.

A node is known by the key of its entity, so it is the same whenever and wherever the graph is written. What none of
these formats can hold, control characters and halves of characters, is left out of names, and told as ``\u0001`` in
keys, which have to stay different.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import IO, TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from xml.sax.saxutils import escape, quoteattr

import attrs

if TYPE_CHECKING:
    from loreweave.store.session import Session

_AT_ONCE = 10_000
_NODES = "select entity_key, name, kind, path from entities where scope_key = ? order by entity_key"
_EDGES = "select from_key, to_key, kind, weight from edges where scope_key = ? order by from_key, to_key, kind"
_UNDIRECTED = ("same-as", "co-occurrence")
_ATTRIBUTES = (
    ("node", "name", "string"),
    ("node", "kind", "string"),
    ("node", "path", "string"),
    ("edge", "kind", "string"),
    ("edge", "weight", "double"),
)
_T = TypeVar("_T")
_unwritable = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class Node(NamedTuple):
    """An entity: its key, its name, its kind, and its note if it is one."""

    key: str
    name: str
    kind: str
    path: str | None


class Edge(NamedTuple):
    """Two entities by their keys, what joins them, and how near that makes them."""

    source: str
    target: str
    kind: str
    weight: float


@attrs.frozen
class Graph:
    """How many nodes and edges were written."""

    nodes: int
    edges: int


def write(session: Session, scope_key: str, format_: str, file: IO[bytes]) -> Graph:
    """Write the graph of a scope in one of ``FORMATS``."""
    nodes = _Counted(Node(*row) for row in _rows(session, _NODES, scope_key))
    edges = _Counted(Edge(*row) for row in _rows(session, _EDGES, scope_key))
    for piece in _WRITERS[format_](nodes, edges):
        file.write(piece.encode("utf-8", "backslashreplace"))
    return Graph(nodes.count, edges.count)


def _rows(session: Session, sql: str, scope_key: str) -> Iterator[tuple[Any, ...]]:
    found = session.ask(sql, [scope_key])
    while rows := found.fetchmany(_AT_ONCE):
        yield from rows


class _Counted(Generic[_T]):
    """Rows that are counted as they are read."""

    def __init__(self, rows: Iterable[_T]) -> None:
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[_T]:
        for row in self._rows:
            self.count += 1
            yield row


def as_json(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    """Write one object of ``nodes`` and ``edges``, one of them a line, in the form that D3 and NetworkX read."""
    of_nodes = ({"id": node.key, "name": node.name, "kind": node.kind, "path": node.path} for node in nodes)
    of_edges = ({"source": e.source, "target": e.target, "kind": e.kind, "weight": e.weight} for e in edges)
    yield '{"directed": true, "multigraph": true, "nodes": ['
    yield from _lines(of_nodes)
    yield '], "edges": ['
    yield from _lines(of_edges)
    yield "]}\n"


def _lines(objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    mark = "\n"
    for each in objects:
        yield mark + json.dumps(each, ensure_ascii=False)
        mark = ",\n"
    if mark != "\n":
        yield "\n"


def as_graphml(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    """Write GraphML: name, kind and path of nodes, kind and weight of edges."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for of, name, kind in _ATTRIBUTES:
        yield f'  <key id="{of}-{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '  <graph id="loreweave" edgedefault="directed">\n'
    for node in nodes:
        data = _data("node", name=_shown(node.name), kind=node.kind, path=node.path and _shown(node.path))
        yield f"    <node id={_attribute(node.key)}>{data}</node>\n"
    for edge in edges:
        ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)}"
        either = ' directed="false"' if edge.kind in _UNDIRECTED else ""
        data = _data("edge", kind=edge.kind, weight=str(edge.weight))
        yield f"    <edge {ends}{either}>{data}</edge>\n"
    yield "  </graph>\n</graphml>\n"


def _data(of: str, **values: str | None) -> str:
    filled = ((name, value) for name, value in values.items() if value is not None)
    return "".join(f'<data key="{of}-{name}">{escape(value)}</data>' for name, value in filled)


def _attribute(key: str) -> str:
    return quoteattr(_told(key))


def as_dot(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[str]:
    """Write a digraph in the language of Graphviz."""
    yield "digraph loreweave {\n"
    for node in nodes:
        yield f"  {_quoted(_told(node.key))} [label={_quoted(_shown(node.name))}, kind={_quoted(node.kind)}];\n"
    for edge in edges:
        either = ", dir=none" if edge.kind in _UNDIRECTED else ""
        ends = f"{_quoted(_told(edge.source))} -> {_quoted(_told(edge.target))}"
        yield f"  {ends} [kind={_quoted(edge.kind)}, weight={edge.weight}{either}];\n"
    yield "}\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _shown(text: str) -> str:
    return _unwritable.sub("", text)


def _told(key: str) -> str:
    return _unwritable.sub(lambda found: f"\\u{ord(found[0]):04x}", key)


_WRITERS: dict[str, Callable[[Iterable[Node], Iterable[Edge]], Iterator[str]]] = {
    "json": as_json,
    "graphml": as_graphml,
    "dot": as_dot,
}
FORMATS = tuple(_WRITERS)
"""The formats in which a graph can be written."""
