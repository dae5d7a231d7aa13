"""Plain rows turned into Arrow columns of a table's types: how many rows are stored, or go to another process."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, repeat

import pyarrow as pa

from loreweave.projections.postings import Counted
from loreweave.store.schema import POSTINGS, Table

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


def of_postings(counted: Sequence[Counted]) -> pa.Table:
    """Turn counted terms into the columns of ``postings``; texts are kept once each, in a dictionary."""
    sizes = [len(of.counts) for of in counted]
    texts = _encoded(chain.from_iterable(of.counts for of in counted))
    fields, scopes = (
        _encoded(chain.from_iterable(map(repeat, values, sizes)))
        for values in ([of.field for of in counted], [of.scope_key for of in counted])
    )
    spans = array("q", chain.from_iterable(map(repeat, [of.span_id for of in counted], sizes)))
    counts = array("i", chain.from_iterable(of.counts.values() for of in counted))
    lengths = array("i", chain.from_iterable(map(repeat, [of.length for of in counted], sizes)))
    numbers = pa.array(spans, pa.int64()), pa.array(counts, pa.int32()), pa.array(lengths, pa.int32())
    columns = [texts, fields, *numbers, scopes]
    return pa.Table.from_arrays(columns, names=[column.name for column in POSTINGS.columns])


class _Codes(dict[str, int]):
    """Numbers texts in the order in which they come."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


def _encoded(texts: Iterable[str]) -> pa.DictionaryArray:
    codes = _Codes()
    numbers = array("i", map(codes.__getitem__, texts))
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), pa.array(list(codes), pa.string()))
