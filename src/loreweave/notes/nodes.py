"""The nodes of a YAML text, made from its events one by one: nothing is ever constructed from a tag.

A scalar keeps its text and its line, and a node is JSON from the start. Depth and length are bounded while they grow,
so that a few lines of aliases cannot become a gigabyte. Two things that writers of notes do not mean as YAML are read
as text: ``[[Note, with comma]]``, a list in a list, and ``{{date}}``, a mapping in a mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from loreweave.notes.model import Item
from loreweave.notes.scalars import NULL, json_scalar, json_text
from loreweave.notes.unreadable import Unreadable, bad_escape, explain
from loreweave.notes.visible import excerpt, is_blank, is_placeholder

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML's fast reader, or its slow one where it was built without: that refuses a tab between values."""

DEEPEST = 64
_TIMES, _LEAST = 8, 65_536
"""How long the JSON of a text may become: so many times the text, and so many characters."""

_wiki_link = re.compile(r"\[\[[^\S\n]*+[^\[\]\s][^\[\]\n]*+\]\]").fullmatch
_template = re.compile(r"\{\{[^\n]*\}\}").fullmatch
_odd = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]").findall
_STAND_INS = range(0xF0000, 0x10FFFE)
_surrogate = re.compile("[\ud800-\udfff]").search


class Node(NamedTuple):
    """A node: its JSON, its line, and its text where it is a scalar.

    ``items`` are the scalars of a list, ``empty`` the lines of those that say nothing, ``nested`` of what is no scalar.
    """

    json: str
    line: int
    text: str | None = None
    depth: int = 0
    is_list: bool = False
    items: tuple[Item, ...] = ()
    empty: tuple[int, ...] = ()
    nested: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Say whether this is a scalar that is null or blank."""
        return self.text is not None and (self.json == NULL or is_blank(self.text))

    @property
    def item(self) -> tuple[Item, ...]:
        """Give the item that this scalar is, if it is one; the placeholder of a template is none."""
        if self.text is None or self.is_empty or is_placeholder(self.text):
            return ()
        return (Item(self.text, self.line),)


class Entry(NamedTuple):
    """What stands under a key: the lines of the key, the last of which counts, and the value."""

    lines: list[int]
    value: Node


class Nodes:
    """The root of a YAML text, None where it has none, and the ``entries`` of a root that is a mapping.

    ``first_line`` is the line of the file that the text begins on. Raises Unreadable.
    """

    def __init__(self, text: str, first_line: int) -> None:
        self.root: Node | None = None
        self.entries: dict[str, Entry] = {}
        self.repeated: list[tuple[str, list[int]]] = []
        self._text, self._first_line = text, first_line
        self._odd: dict[int, int] = {}
        self._longest = _TIMES * len(text) + _LEAST
        self._open: list[_List | _Mapping] = []
        self._anchors: dict[str, Node] = {}
        for event in self._events():
            self._take(event)

    def _events(self) -> Iterator[Any]:
        """Yield the events of the text; what YAML takes for no character, or for the end of a line, has a stand-in."""
        text = self._text
        if odd := set(_odd(text)):
            unused = (code for code in _STAND_INS if chr(code) not in text)
            self._odd = {stand_in: ord(char) for char, stand_in in zip(sorted(odd), unused, strict=False)}
            text = text.translate({char: stand_in for stand_in, char in self._odd.items()})
        try:
            loader = LOADER(text)
            while type(event := loader.get_event()) is not StreamEndEvent:
                yield event
        except yaml.MarkedYAMLError as error:
            raise explain(error, self._text, self._first_line) from None
        except (yaml.YAMLError, ValueError, OverflowError):
            raise Unreadable("it names what is no character", "write the character itself", self._first_line) from None

    def _take(self, event: Any) -> None:
        kind = type(event)
        if kind is ScalarEvent:
            self._add(self._scalar(event), event.anchor)
        elif kind is SequenceStartEvent or kind is MappingStartEvent:
            self._begin(event)
        elif kind is SequenceEndEvent or kind is MappingEndEvent:
            self._end(event.end_mark.index)
        elif kind is AliasEvent:
            self._alias(event)
        elif kind is DocumentStartEvent and self.root is not None:
            raise Unreadable("a second document begins", "leave the line out", self._line(event))

    def _line(self, event: Any) -> int:
        return self._first_line + int(event.start_mark.line)

    def _scalar(self, event: Any) -> Node:
        text: str = event.value
        if not text.isascii():
            if _surrogate(text):
                raise bad_escape(self._line(event), event.start_mark.column + 1)
            text = text.translate(self._odd) if self._odd else text
        is_plain = event.implicit[0] and event.tag is None
        return Node(json_scalar(text) if is_plain else json_text(text), self._line(event), text)

    def _alias(self, event: Any) -> None:
        node = self._anchors.get(event.anchor)
        if node is None:
            why = f"{excerpt('*' + event.anchor)} is an alias of nothing above it"
            raise Unreadable(why, "put a value that begins with * in quotes", self._line(event))
        self._add(node._replace(line=self._line(event)))

    def _begin(self, event: Any) -> None:
        if len(self._open) == DEEPEST:
            raise self._excess(f"more than {DEEPEST} levels deep", self._line(event))
        opened = _List if type(event) is SequenceStartEvent else _Mapping
        self._open.append(opened(self._line(event), event.start_mark.index, event.anchor))

    def _end(self, end: int) -> None:
        closed = self._open.pop()
        start = "[[" if isinstance(closed, _List) else "{{"
        is_text = _wiki_link if isinstance(closed, _List) else _template
        if self._text.startswith(start, closed.at) and is_text(written := self._text[closed.at : end]):
            self._add(Node(json_text(written), closed.line, written), closed.anchor)
            return
        if isinstance(closed, _Mapping):
            self.repeated += [(name, entry.lines) for name, entry in closed.entries.items() if len(entry.lines) > 1]
            if not self._open:
                self.entries = closed.entries
        self._add(closed.node(), closed.anchor)

    def _add(self, node: Node, anchor: str | None = None) -> None:
        if anchor is not None:
            self._anchors[anchor] = node
        if not self._open:
            self.root = node
            return
        holder = self._open[-1]
        holder.size += len(node.json) + 1
        holder.depth = max(holder.depth, node.depth + 1)
        if holder.depth + len(self._open) > DEEPEST + 1:
            raise self._excess(f"more than {DEEPEST} levels deep", node.line)
        if holder.size > self._longest:
            raise self._excess(f"more than {self._longest:,} characters long, its aliases written out", node.line)
        holder.add(node)

    @staticmethod
    def _excess(what: str, line: int) -> Unreadable:
        return Unreadable(f"it is {what}", "keep to properties and lists of them", line)


class _List:
    def __init__(self, line: int, at: int, anchor: str | None) -> None:
        self.line, self.at, self.anchor = line, at, anchor
        self.depth, self.size = 1, 0
        self.parts: list[str] = []
        self.items: list[Item] = []
        self.empty: list[int] = []
        self.nested: list[int] = []

    def add(self, node: Node) -> None:
        self.parts.append(node.json)
        if node.text is None:
            self.nested.append(node.line)
        elif node.is_empty:
            self.empty.append(node.line)
        else:
            self.items.extend(node.item)

    def node(self) -> Node:
        found = tuple(self.items), tuple(self.empty), tuple(self.nested)
        return Node(f"[{','.join(self.parts)}]", self.line, None, self.depth, True, *found)


class _Mapping:
    def __init__(self, line: int, at: int, anchor: str | None) -> None:
        self.line, self.at, self.anchor = line, at, anchor
        self.depth, self.size = 1, 0
        self.key: Node | None = None
        self.entries: dict[str, Entry] = {}

    def add(self, node: Node) -> None:
        if self.key is None:
            self.key = node
            return
        name = self.key.json if self.key.text is None else self.key.text
        earlier = self.entries.pop(name, None)
        lines = earlier.lines if earlier else []
        lines.append(self.key.line)
        self.entries[name] = Entry(lines, node)
        self.key = None

    def node(self) -> Node:
        parts = ",".join([f"{json_text(name)}:{entry.value.json}" for name, entry in self.entries.items()])
        return Node(f"{{{parts}}}", self.line, None, self.depth)
