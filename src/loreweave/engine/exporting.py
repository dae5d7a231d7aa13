"""Answers and tables written as files that other programs read: Parquet and Arrow, batch by batch."""

from __future__ import annotations

from contextlib import closing
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("parquet", "arrow")


def write_batches(reader: pa.RecordBatchReader, format_: str, file: IO[bytes]) -> int:
    """Write an answer to a binary stream as ``parquet`` or ``arrow`` (IPC stream); give the number of rows."""
    rows = 0
    with closing(_writer(reader.schema, format_, file)) as writer:
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _writer(schema: pa.Schema, format_: str, file: IO[bytes]) -> pa.ipc.RecordBatchStreamWriter:
    if format_ == "parquet":
        from pyarrow.parquet import ParquetWriter

        return ParquetWriter(file, schema, compression="zstd")
    from pyarrow import ipc

    return ipc.new_stream(file, schema)
