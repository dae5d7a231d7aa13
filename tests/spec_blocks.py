"""The blocks of a spec: what is given, when something is typed, and then what must be answered."""

from __future__ import annotations

import attrs


class SpecError(Exception):
    """The file says something that is no spec; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@attrs.frozen
class Given:
    """A file has that text; ``charset`` is how its bytes are written."""

    line: int
    path: str
    text: str
    charset: str = "utf-8"


@attrs.frozen
class Link:
    """A file is a link to another."""

    line: int
    path: str
    target: str


@attrs.frozen
class Command:
    """One line a user types and what the screen shows below it."""

    line: int
    text: str
    output: tuple[str, ...]


@attrs.frozen
class Session:
    line: int
    commands: tuple[Command, ...]


@attrs.frozen
class Table:
    """Cells as written, trimmed; ``end`` is the line after the last row."""

    line: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def end(self) -> int:
        return self.line + 2 + len(self.rows)


@attrs.frozen
class Plane:
    line: int
    slot: tuple[str, str]
    table: Table


@attrs.frozen
class Query:
    line: int
    sql: str
    table: Table


@attrs.frozen
class Findings:
    line: int
    table: Table


Block = Given | Link | Session | Plane | Query | Findings


@attrs.frozen
class Scenario:
    title: str
    line: int
    blocks: tuple[Block, ...]

    @property
    def asserts(self) -> bool:
        return any(_asserts(block) for block in self.blocks)


@attrs.frozen
class Document:
    """A promise, what all its scenarios start with, and the scenarios."""

    title: str
    shared: tuple[Block, ...]
    scenarios: tuple[Scenario, ...]


def _asserts(block: Block) -> bool:
    if isinstance(block, Session):
        return any(command.text.startswith(("lore ", "cat ")) for command in block.commands)
    return not isinstance(block, Given | Link)
