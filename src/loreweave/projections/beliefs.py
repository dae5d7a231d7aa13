"""The ``beliefs`` table: what was believed of each slot, over which valid and which record time.

The fold itself works on numbers; here the events are turned into numbers, slot by slot, and the rows
that come back into Arrow tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from loreweave.events.model import RANKS
from loreweave.projections.events import NAME, SCHEMA, ranks
from loreweave.projections.refold import BELIEF_COLUMNS, KINDS
from loreweave.projections.rows import INF, Rows, layered
from loreweave.projections.slots import Folded, fold_slot

SLOT = ("scope_key", "subject_key", "predicate_key")
INSTANT = pa.timestamp("us")
_AT_ONCE = 200_000

BELIEFS = pa.schema(
    [
        (n, INSTANT if n.startswith(("valid", "known")) else SCHEMA.field("event_id" if n == "ended_by" else n).type)
        for n in BELIEF_COLUMNS
    ]
)
_RECTANGLE = [("valid_from", INSTANT), ("valid_until", INSTANT), ("known_from", INSTANT), ("known_until", INSTANT)]
AGREEMENTS = pa.schema([("scope_key", NAME), ("event_id", pa.string()), *_RECTANGLE])
CONFLICTS = pa.schema(
    [("scope_key", NAME), ("kind", NAME), ("event_id", pa.string()), ("other_event_id", pa.string()), *_RECTANGLE[:2]]
)


class Fold(NamedTuple):
    """What whole slots come to; ``ineffective`` and both sides of ``twins`` are rows of events."""

    beliefs: pa.Table
    agreements: pa.Table
    conflicts: pa.Table
    ineffective: pa.Table
    twins: tuple[pa.Table, pa.Table]


def fold(events: pa.Table) -> Fold:
    """Fold events, in the order and types of the ``events`` table and every slot whole."""
    events = _bearing(events.unify_dictionaries().combine_chunks())
    rows = _rows(events)
    folded = Folded([], [], [], [], [])
    parts = []
    for low, high in _slots(events):
        fold_slot(rows, low, high, folded)
        if len(folded.beliefs) > _AT_ONCE:
            parts.append(_beliefs(events, folded.beliefs))
            folded.beliefs.clear()
    parts.append(_beliefs(events, folded.beliefs))
    return Fold(
        pa.concat_tables(parts),
        _agreements(events, folded),
        _conflicts(events, folded),
        events.take(_numbers(folded.ineffective)),
        (events.take(_numbers([a for a, _ in folded.twins])), events.take(_numbers([b for _, b in folded.twins]))),
    )


def _bearing(events: pa.Table) -> pa.Table:
    """Leave out the events that do not bear on beliefs; mostly there are none."""
    bears = pc.is_in(events["kind"].cast(pa.string()), value_set=pa.array(KINDS))
    return events if pc.all(bears).as_py() else events.filter(bears).combine_chunks()


def _rows(events: pa.Table) -> Rows:
    many = events["many"].to_pylist()
    return layered(
        Rows(
            recorded=events["recorded_at"].cast(pa.int64()).to_pylist(),
            start=events["valid_from"].cast(pa.int64()).fill_null(-INF).to_pylist(),
            until=events["valid_until"].cast(pa.int64()).fill_null(INF).to_pylist(),
            kind=_recoded(events["kind"], KINDS, -1),
            object=_numbered(events["object_key"], in_order=any(many)),
            rank=_recoded(events["source"], ("", *sorted(RANKS, key=RANKS.__getitem__)), 0),
            many=many,
            note=_numbered(events["note"], in_order=False),
        )
    )


def _recoded(column: pa.ChunkedArray, names: Sequence[str], absent: int) -> list[int]:
    """Give the position of each name in ``names``."""
    values = column.combine_chunks()
    codes = pc.index_in(values.dictionary, value_set=pa.array(names, pa.string()))
    return codes.take(values.indices).fill_null(absent).to_pylist()  # type: ignore[no-any-return]


def _numbered(column: pa.ChunkedArray, in_order: bool) -> list[int]:
    """Number equal texts alike, in the order of the texts if asked; -1 for none."""
    values = column.combine_chunks()
    if not pa.types.is_dictionary(values.type):
        values = values.dictionary_encode()
    numbers = ranks(values) if in_order else values.indices
    return numbers.cast(pa.int64()).fill_null(-1).to_pylist()  # type: ignore[no-any-return]


def _slots(events: pa.Table) -> list[tuple[int, int]]:
    """Give the row ranges of the slots."""
    count = events.num_rows
    if not count:
        return []
    changed = pa.array([False] * (count - 1), pa.bool_())
    for name in SLOT:
        numbers = events[name].combine_chunks().indices
        changed = pc.or_(changed, pc.not_equal(numbers[1:], numbers[:-1]))
    bounds = [0, *(i + 1 for i in pc.indices_nonzero(changed).to_pylist()), count]
    return list(pairwise(bounds))


def _beliefs(events: pa.Table, beliefs: Sequence[tuple[int, ...]]) -> pa.Table:
    known_from, start, end, row, ended_by, known_until = zip(*beliefs, strict=True) if beliefs else ((),) * 6
    taken = events.take(_numbers(row))
    new = {
        "valid_from": _instants(start),
        "valid_until": _instants(end),
        "known_from": _instants(known_from),
        "known_until": _instants(known_until),
        "ended_by": events["event_id"].take(_numbers(ended_by)),
    }
    return pa.table([new[name] if name in new else taken[name] for name in BELIEF_COLUMNS], schema=BELIEFS)


def _agreements(events: pa.Table, folded: Folded) -> pa.Table:
    row, start, end, known_from, known_until = zip(*folded.agreements, strict=True) if folded.agreements else ((),) * 5
    taken = events.take(_numbers(row))
    times = [_instants(column) for column in (start, end, known_from, known_until)]
    return pa.table([taken["scope_key"], taken["event_id"], *times], schema=AGREEMENTS)


def _conflicts(events: pa.Table, folded: Folded) -> pa.Table:
    kind, row, other, start, end = zip(*folded.conflicts, strict=True) if folded.conflicts else ((),) * 5
    taken, against = events.take(_numbers(row)), events.take(_numbers(other))
    columns = [taken["scope_key"], pa.array(kind, NAME), taken["event_id"], against["event_id"]]
    return pa.table([*columns, _instants(start), _instants(end)], schema=CONFLICTS)


def _numbers(values: Sequence[int]) -> pa.Array:
    """Make positions; -1 is NULL."""
    numbers = pa.array(values, pa.int64())
    return pc.if_else(pc.less(numbers, 0), None, numbers)


def _instants(values: Sequence[int]) -> pa.Array:
    """Make timestamps; INF is NULL."""
    numbers = pa.array(values, pa.int64())
    return pc.if_else(pc.equal(numbers, INF), None, numbers).cast(INSTANT)
