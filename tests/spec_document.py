"""What a spec says: one Markdown file read into scenarios of given, when and then, by position alone.

A block that means nothing is an error, never prose: a typo must not silence a promise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from loreweave.times import read_instant
from spec_blocks import (
    Block,
    Command,
    Document,
    Findings,
    Given,
    Link,
    Plane,
    Query,
    Scenario,
    Session,
    SpecError,
    Table,
)

CORNER = r"known \ true"
GIVEN = {"lore": ".md", "markdown": ".md", "csv": ".csv", "jsonl": ".jsonl", "toml": ".toml"}
"""What a fence below a path may hold, and how that path ends."""

_FENCE = re.compile(r"(`{3,})\s*(.*?)\s*$")
_PATH = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"`([^`]+)` → `([^`]+)`")
_SLOT = re.compile(r"\*\*([^*]+?) :: ([^*]+?)\*\*")
_ASTRAY = re.compile(r"\s+(```|\|)|\s*(~~~|<!--)|( {4}|\t)")
_CELL_ENDS = re.compile(r"(?<!\\)\|")


def read_document(text: str) -> Document:
    """Read a spec; raise SpecError at the line that means nothing."""
    return _Reader(text.split("\n")).document()


def cells_of(line: str) -> tuple[str, ...]:
    """Cut one row of a table into trimmed cells."""
    return tuple(cell.strip().replace(r"\|", "|") for cell in _CELL_ENDS.split(line.strip())[1:-1])


class _Reader:
    """A cursor over the lines of one file."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.slot: tuple[str, str] | None = None

    def document(self) -> Document:
        self._skip_blank()
        if not self._here().startswith("# "):
            raise SpecError(self.at + 1, "a spec begins with its promise: # Title")
        title = self._take()[2:].strip()
        shared = tuple(self._blocks())
        shared_slot = self.slot
        scenarios = []
        while self.at < len(self.lines):
            self.slot = shared_slot
            scenarios.append(self._scenario())
        _hold_titles(scenarios)
        for scenario in scenarios:
            _hold_files([*shared, *scenario.blocks])
        return Document(title, shared, tuple(scenarios))

    def _scenario(self) -> Scenario:
        line = self.at + 1
        title = self._take()[3:].strip()
        scenario = Scenario(title, line, tuple(self._blocks()))
        if not scenario.asserts:
            raise SpecError(line, f'"{title}" asserts nothing: it has no table and no session')
        return scenario

    def _blocks(self) -> Iterator[Block]:
        """Give the blocks up to the next scenario."""
        while self.at < len(self.lines) and not self._here().startswith("## "):
            text = self._here()
            if _FENCE.match(text):
                yield self._fence()
            elif text.startswith("|"):
                yield self._table_alone()
            elif _PATH.fullmatch(text.strip()):
                yield self._given()
            elif link := _LINK.fullmatch(text.strip()):
                yield Link(self.at + 1, self._inside(link[1], self.at + 1), link[2])
                self.at += 1
            else:
                self._prose(text)

    def _prose(self, text: str) -> None:
        if _ASTRAY.match(text) or "<!--" in text:
            raise SpecError(self.at + 1, "a block must begin at the margin, with ``` or |, and hide nothing")
        if re.match(r"#|---\s*$", text):
            raise SpecError(self.at + 1, "one # title, then ## scenarios, no other headings and no rules")
        for subject, predicate in _SLOT.findall(text):
            self.slot = (subject, predicate)
        self.at += 1

    def _given(self) -> Given:
        line = self.at + 1
        path = self._take().strip()[1:-1]
        self._skip_blank()
        opened = _FENCE.match(self._here())
        if not opened:
            raise SpecError(line, f"`{path}` alone on a line must be followed by a fence with its text")
        kind, _, charset = opened[2].partition(" ")
        if not path.endswith(GIVEN.get(kind, "\0")):
            raise SpecError(self.at + 1, f'"{path}" cannot be given by a fence of "{kind}"')
        return Given(
            line, self._inside(path, line), "".join(f"{text}\n" for text in self._fenced()), charset or "utf-8"
        )

    @staticmethod
    def _inside(path: str, line: int) -> str:
        if path.startswith("/") or ".." in path.split("/"):
            raise SpecError(line, f'"{path}" leaves the vault')
        return path

    def _fence(self) -> Block:
        opened = _FENCE.match(self._here())
        kind = opened[2] if opened else ""
        if kind == "console":
            return self._session()
        if kind == "sql":
            return self._query()
        why = "a given file needs its `path` on the line above" if kind in GIVEN else f'unknown fence "{kind}"'
        raise SpecError(self.at + 1, why)

    def _fenced(self) -> list[str]:
        """Take a fence and give the lines inside it."""
        opened = self.at
        mark = _FENCE.match(self._take())
        assert mark
        while self.at < len(self.lines):
            if re.fullmatch(f"`{{{len(mark[1])},}}\\s*", self._take()):
                return self.lines[opened + 1 : self.at - 1]
        raise SpecError(opened + 1, "this fence is never closed")

    def _session(self) -> Session:
        line = self.at + 1
        commands: list[Command] = []
        for number, text in enumerate(self._fenced(), start=line + 1):
            if text.startswith("$ "):
                commands.append(Command(number, text[2:].strip(), ()))
            elif commands:
                last = commands.pop()
                commands.append(attrs.evolve(last, output=(*last.output, text)))
            else:
                raise SpecError(number, "a session begins with a command: $ lore …")
        if not commands:
            raise SpecError(line, "this session has no command")
        return Session(line, tuple(commands))

    def _query(self) -> Query:
        line = self.at + 1
        sql = "\n".join(self._fenced())
        self._skip_blank()
        if not self._here().startswith("|"):
            raise SpecError(line, "this query has no table below it")
        return Query(line, sql, self._table())

    def _table_alone(self) -> Block:
        table = self._table()
        if table.header[:1] == (CORNER,):
            return self._plane(table)
        if table.header == ("line", "finding"):
            return Findings(table.line, table)
        raise SpecError(table.line, "a table without a query above it")

    def _plane(self, table: Table) -> Plane:
        if self.slot is None:
            raise SpecError(table.line, "a plane without a slot: name it above in bold, **Subject :: predicate**")
        for number, label in [(0, label) for label in table.header[1:]] + [
            (number, row[0]) for number, row in enumerate(table.rows, start=2)
        ]:
            try:
                read_instant(label)
            except ValueError as error:
                raise SpecError(table.line + number, f"{error}: a plane is labelled by days and instants") from None
        if not table.rows or len(table.header) < 2:
            raise SpecError(table.line, "a plane without a cell")
        return Plane(table.line, self.slot, table)

    def _table(self) -> Table:
        line = self.at + 1
        taken = []
        while self._here().startswith("|"):
            taken.append(cells_of(self._take()))
        header, rule, *rows = [*taken, ()] if len(taken) == 1 else taken
        if not rule or not all(re.fullmatch(":?-+:?", cell) for cell in rule):
            raise SpecError(line, "a table needs a rule of dashes below its header")
        for number, row in enumerate([rule, *rows], start=1):
            if len(row) != len(header):
                raise SpecError(line + number, f"{len(row)} cells below {len(header)} columns")
        return Table(line, header, tuple(rows))

    def _here(self) -> str:
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def _take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def _skip_blank(self) -> None:
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1


def _hold_titles(scenarios: list[Scenario]) -> None:
    if not scenarios:
        raise SpecError(1, "a spec without a scenario asserts nothing")
    seen: set[str] = set()
    for scenario in scenarios:
        if scenario.title in seen:
            raise SpecError(scenario.line, f'a second scenario named "{scenario.title}"')
        seen.add(scenario.title)


def _hold_files(blocks: list[Block]) -> None:
    """Refuse a file that is given twice before anything looked at it."""
    unseen: set[str] = set()
    for block in blocks:
        if not isinstance(block, Given | Link):
            unseen.clear()
        elif block.path in unseen:
            raise SpecError(block.line, f'"{block.path}" is given a second time before anything looked at it')
        else:
            unseen.add(block.path)
