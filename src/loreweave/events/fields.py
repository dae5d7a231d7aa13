"""The fields of a line of a note: where each has its name, its value, and the attribute block that ends it.

The grammar is the definition (``fields_by_grammar``); ``fields`` is the quick way, composed of the grammar's own
terminals. The law, held for any text: both give the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from loreweave.events.grammar import grammar, terminal

if TYPE_CHECKING:
    from lark import Lark

HEADS = {"KEY": "inline field", "CATEGORY": "observation", "BOLD": "bold label", "LABEL": "short label"}
"""What a field begins with, and the form it then has."""

_REST = ("BRACKETED", "ATTRIBUTES", "PIECE", "OPENER")

Place = tuple[int, int]
"""Offsets in a line: where something begins, and where it ends."""

_Token = tuple[str, int, int]
"""The name of a terminal, and the place it takes."""


class Field(NamedTuple):
    """A field: its form, its name without marks, the places of its value, and the place of its attribute block.

    The value has more than one place where fields in brackets stand in it; blanks round it belong to it.
    """

    form: str
    name: str
    value: tuple[Place, ...]
    block: Place | None = None

    @property
    def closing(self) -> Place:
        """Give the place of the block, or an empty one where the value ends."""
        end = self.value[-1][1] if self.value else 0
        return self.block or (end, end)


def fields(line: str) -> list[Field]:
    """Read the fields of a line of prose, given without its indent and its end."""
    if "\n" in line or "\r" in line:
        return []
    return _assemble(line, _tokens(line), lambda text: _tokens(text, enclosed=True))


def fields_by_grammar(line: str) -> list[Field]:
    """Read the fields of a line: the definition of what it states."""
    return _assemble(line, _parsed("fields", line), lambda text: _parsed("enclosed", text))


def is_field(line: str) -> bool:
    """Say whether a whole line, given as to ``fields``, is an inline field."""
    head = _head(line)
    return head is not None and head["KEY"] is not None


def block_at(value: str) -> int:
    """Give the offset of the attribute block that ends a value; its length where there is none."""
    if value.rstrip(" \t")[-1:] == "}":
        for kind, start, _ in _rest(value, 0, enclosed=True):
            if kind == "ATTRIBUTES":
                return start
    return len(value)


def _assemble(line: str, tokens: Iterable[_Token], within: Callable[[str], Iterable[_Token]]) -> list[Field]:
    found: list[Field] = []
    value: list[Place] = []
    enclosed: list[Place] = []
    block: Place | None = None
    for kind, start, end in tokens:
        if kind in ("PIECE", "OPENER"):
            value.append((value.pop()[0] if value and value[-1][1] == start else start, end))
        elif kind in HEADS:
            found.append(Field(HEADS[kind], line[start:end].strip("[]*_:： "), ()))
        elif kind == "BRACKETED":
            enclosed.append((start + 1, end - 1))
        elif kind == "ATTRIBUTES":
            block = (start, end)
    if found:
        found[0] = found[0]._replace(value=tuple(value), block=block)
        block = None
    for start, end in enclosed:
        inner = line[start:end]
        found.extend(_shifted(field, start, block) for field in _assemble(inner, within(inner), within))
    return found


def _shifted(field: Field, by: int, block: Place | None) -> Field:
    """Place a field that was read within brackets in its line; the block that ends the line is for one without."""
    value = tuple((start + by, end + by) for start, end in field.value)
    return field._replace(value=value, block=(field.block[0] + by, field.block[1] + by) if field.block else block)


def _tokens(line: str, *, enclosed: bool = False) -> Iterator[_Token]:
    head = _head(line)
    at = head.end() if head else 0
    if head is not None and (kind := head.lastgroup) is not None and kind != "ITEM":
        yield kind, *head.span(kind)
    if at == len(line):
        return
    if "[" in line or "(" in line or "{" in line:
        yield from _rest(line, at, enclosed=enclosed)
    else:
        yield "PIECE", at, len(line)


def _head(line: str) -> re.Match[str] | None:
    return _patterns()[0].match(line)


def _rest(line: str, at: int, *, enclosed: bool) -> Iterator[_Token]:
    for token in _patterns()[1 + enclosed].finditer(line, at):
        assert token.lastgroup is not None
        yield token.lastgroup, *token.span()


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Compile what a line begins with, what follows, and what follows in brackets."""
    aside, item, key, *labels = (_group(name) for name in ("ASIDE", "ITEM", *HEADS))
    rest = [_group(name) for name in _REST]
    begins = f"{aside}|{item}?+(?:{key}|(?(ITEM)(?:{'|'.join(labels)})|(?!)))?+"
    return re.compile(begins), re.compile("|".join(rest)), re.compile("|".join(rest[1:]))


def _group(name: str) -> str:
    return f"(?P<{name}>{terminal(name)})"


def _parsed(start: str, line: str) -> Iterator[_Token]:
    from lark import UnexpectedInput

    try:
        tree = _parser(start).parse(line)
    except UnexpectedInput:
        return
    for token in filter(None, cast(list[Any], tree.children)):
        yield token.type, token.start_pos, token.end_pos


@cache
def _parser(start: str) -> Lark:
    from lark import Lark

    return Lark(grammar(), start=start, parser="lalr", maybe_placeholders=True)
