"""The ``events`` table: every event once, at its first origin, slot by slot in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from loreweave.events.model import COLUMNS, EventRow

NAME = pa.dictionary(pa.int32(), pa.string())
"""Text that recurs: kept once, referred to by number."""

_TYPES = {
    "event_id": pa.string(),
    "object": pa.string(),
    "object_key": pa.string(),
    "because": pa.string(),
    "valid_from": pa.timestamp("us"),
    "valid_until": pa.timestamp("us"),
    "recorded_at": pa.timestamp("us"),
    "confidence": pa.float64(),
    "many": pa.bool_(),
    "line": pa.int64(),
}
SCHEMA = pa.schema([(name, _TYPES.get(name, NAME)) for name in COLUMNS])
ORDER = ("scope_key", "subject_key", "predicate_key", "recorded_at", "path", "line")


def batch(rows: Sequence[EventRow]) -> pa.Table:
    """Turn rows into columns; small batches joined with ``pyarrow.concat_tables`` keep memory low."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in COLUMNS)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def arrange(lines: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Give the events in order, each at its first origin, and the repeats that were left out.

    ``lines`` has the columns of ``events`` in any order, as plain text or as names.
    """
    table = lines.cast(SCHEMA).unify_dictionaries().combine_chunks()
    table = table.take(sorted_indices(table, ORDER))
    repeats = _repeats(table["event_id"].combine_chunks())
    if not repeats:
        return table, table.slice(0, 0)
    again = pa.array(repeats, pa.int64())
    repeated = pc.is_in(pa.array(range(table.num_rows), pa.int64()), value_set=again)
    return table.filter(pc.invert(repeated)), table.take(again)


def sorted_indices(table: pa.Table, columns: Iterable[str]) -> pa.Array:
    """Give the order of the rows by these columns: text by code point, NULL last."""
    names = list(columns)
    keys = pa.table({name: ranks(table[name].combine_chunks()) for name in names})
    return pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in names])


def ranks(values: pa.Array) -> pa.Array:
    """Replace names by the rank of their text, so that sorting compares numbers; other types stay."""
    if not pa.types.is_dictionary(values.type):
        return values
    return pc.rank(values.dictionary, tiebreaker="min").take(values.indices)


def _repeats(ids: pa.Array) -> list[int]:
    """Give the positions of the ids that stand above already; equal ids are near, but not always adjacent."""
    if pc.count_distinct(ids).as_py() == len(ids):
        return []
    seen: set[str] = set()
    repeats = []
    for position, name in enumerate(ids.to_pylist()):
        if name in seen:
            repeats.append(position)
        seen.add(name)
    return repeats
