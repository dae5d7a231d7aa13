"""The events of the fold as columns of numbers: what the fold works on, however they were brought in."""

from __future__ import annotations

from typing import NamedTuple

from loreweave.events.model import RANKS

INF = 1 << 62
"""An open end."""

ASSERTED, NOTED, CLOSE, RETRACT, WITHDRAW = range(5)
"""What a row is; for a claim also the number of its layer."""

STATED_AS_NOTED = -2
"""In place of a note: a journal line that calls itself extracted, of the noted layer but no observation."""


class Rows(NamedTuple):
    """The events of many slots as columns, each slot's rows in order (record time, path, line).

    Instants are microseconds; ``until`` is INF where open, and the instant T of a close; ``start`` is
    -INF for a guard that is not given; ``object`` and ``note`` are numbers, -1 for none (and see
    STATED_AS_NOTED).
    """

    recorded: list[int]
    start: list[int]
    until: list[int]
    kind: list[int]
    object: list[int]
    rank: list[int]
    many: list[bool]
    note: list[int]


def layered(rows: Rows) -> Rows:
    """Move the journal lines that call themselves extracted to the noted layer."""
    for row, (kind, rank) in enumerate(zip(rows.kind, rows.rank, strict=True)):
        if kind == ASSERTED and rank <= RANKS["extracted"]:
            rows.kind[row], rows.note[row] = NOTED, STATED_AS_NOTED
    return rows
