"""A scenario played: files are given, sessions typed, and each table held against the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from loreweave.events.slots import key
from spec_blocks import Block, Given, Link, Plane, Query, Scenario, Session, Table
from spec_index import untrue_tables
from spec_replay import UNANSWERED, Replay, replay
from spec_session import FileChanged, NoSuchCommand, Terminal
from spec_tables import Row, cell, difference, written

NOTHING = "-"
BETWEEN = " / "
PLANE = """
select k.n, t.n, b.object, b.many
from (select unnest($known) as moment, generate_subscripts($known, 1) as n) k,
     (select unnest($true) as moment, generate_subscripts($true, 1) as n) t,
     lateral (select * from belief_at(t.moment, k.moment)) b
where b.scope_key = 'default' and b.subject_key = $subject and b.predicate_key = $predicate
order by k.n, t.n, b.object_key, b.object
"""


@attrs.frozen
class Edit:
    """Lines ``first`` to before ``last`` become ``lines``."""

    first: int
    last: int
    lines: tuple[str, ...]


@attrs.frozen
class Mismatch:
    """What a block promises and does not hold; ``edit`` would make it say what came."""

    line: int
    shown: tuple[str, ...]
    edit: Edit | None = None


def play(shared: Sequence[Block], scenario: Scenario, folder: Path) -> list[Mismatch]:
    """Play the shared blocks and the scenario in an empty vault; give what does not hold."""
    stage = _Stage(folder)
    failed = [mismatch for block in (*shared, *scenario.blocks) for mismatch in _held(stage, block)]
    unsaid = sorted(stage.seen - stage.said)
    if unsaid:
        lines = [f"+ {' | '.join(row)}" for row in unsaid]
        failed.append(Mismatch(scenario.line, ("  no table states these findings", *lines)))
    return failed


def _held(stage: _Stage, block: Block) -> list[Mismatch]:
    try:
        return list(stage.hold(block))
    except (*UNANSWERED, NoSuchCommand, FileChanged) as error:
        return [Mismatch(block.line, tuple(f"  {line}" for line in str(error).splitlines()))]


class _Stage:
    """The vault of one scenario, what it answers now, and the findings its tables stated."""

    def __init__(self, folder: Path) -> None:
        self.terminal = Terminal(folder)
        self.seen: set[Row] = set()
        self.said: set[Row] = set()
        self._replay: Replay | None = None

    def hold(self, block: Block) -> Iterator[Mismatch]:
        if isinstance(block, Given | Link):
            self._give(block)
        elif isinstance(block, Session):
            yield from self._type(block)
        elif isinstance(block, Plane):
            yield from _compare(block.table, block.table.header, self._plane(block))
        elif isinstance(block, Query):
            yield from self._ask(block)
        else:
            rows = self._replayed().findings
            self.said |= set(rows) | set(block.table.rows)
            yield from _compare(block.table, block.table.header, rows)

    def _give(self, given: Given | Link) -> None:
        path = self.terminal.vault / given.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(given, Link):
            path.symlink_to(given.target)
        else:
            path.write_bytes(given.text.encode(given.charset))
        self._replay = None

    def _type(self, session: Session) -> Iterator[Mismatch]:
        for command in session.commands:
            came = self.terminal.type(command.text)
            first = command.line + 1
            output = Table(command.line, (f"$ {command.text}",), tuple((line,) for line in command.output))
            shown = difference(output, output.header, [(line,) for line in came])
            if shown:
                yield Mismatch(command.line, tuple(shown), Edit(first, first + len(command.output), tuple(came)))
        self._replay = None
        untrue = untrue_tables(self.terminal.vault, self._replayed())
        if untrue:
            yield Mismatch(session.line, (f"  the index is not what its files make: {', '.join(untrue)}",))

    def _ask(self, query: Query) -> Iterator[Mismatch]:
        refusal = self._refusal(query.sql)
        if refusal:
            yield Mismatch(query.line, (f"  {refusal}",))
            return
        header, rows = self._replayed().ask(query.sql)
        yield from _compare(query.table, header, [tuple(map(cell, row)) for row in rows])

    def _refusal(self, sql: str) -> str | None:
        """Say why a query cannot be held to a table: it must be one SELECT, and ordered."""
        read = json.loads(str(self._replayed().ask("select json_serialize_sql($sql)", sql=sql)[1][0][0]))
        if read["error"]:
            return str(read["error_message"])
        if len(read["statements"]) != 1:
            return "one query at a time"
        modifiers = read["statements"][0]["node"]["modifiers"]
        ordered = any(modifier["type"] == "ORDER_MODIFIER" for modifier in modifiers)
        return None if ordered else "a query without `order by` has no row order to hold"

    def _plane(self, plane: Plane) -> list[Row]:
        table = plane.table
        subject, predicate = map(key, plane.slot)
        asked = {"known": [row[0] for row in table.rows], "true": list(table.header[1:])}
        _, answers = self._replayed().ask(PLANE, subject=subject, predicate=predicate, **asked)
        cells: dict[tuple[int, int], list[str]] = {}
        singles: set[tuple[int, int]] = set()
        for known, true, value, many in answers:
            place = (int(str(known)), int(str(true)))
            cells.setdefault(place, []).append(cell(value))
            if not many and place in singles:
                raise ValueError(f"two values at one instant in a single-valued slot: {cells[place]}")
            if not many:
                singles.add(place)
        return [
            (label, *(BETWEEN.join(cells.get((n, m), [NOTHING])) for m in range(1, len(table.header))))
            for n, (label, *_) in enumerate(table.rows, start=1)
        ]

    def _replayed(self) -> Replay:
        if self._replay is None:
            self._replay = replay(self.terminal.vault)
            self.seen |= set(self._replay.findings)
        return self._replay


def _compare(table: Table, header: Row, rows: Sequence[Row]) -> Iterator[Mismatch]:
    shown = difference(table, header, rows)
    if shown:
        edit = Edit(table.line, table.end, tuple(written(header, rows)))
        yield Mismatch(table.line, tuple(shown), edit)
