"""Plain rows turned into Arrow columns of a table's types: how many rows are stored, or go to another process."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from loreweave.store.schema import Table

_TYPES = {
    "varchar": pa.string(),
    "varchar[]": pa.list_(pa.string()),
    "boolean": pa.bool_(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "timestamp": pa.timestamp("us"),
}


def in_columns(of: Table, rows: Sequence[Sequence[object]]) -> pa.Table:
    """Turn rows in the order of a table's columns, instants in microseconds, into an Arrow table."""
    schema = pa.schema([(column.name, _TYPES[column.type]) for column in of.columns])
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
