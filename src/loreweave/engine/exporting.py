"""Tables and answers written as files that other programs read, batch by batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import IO, TYPE_CHECKING

import attrs

from loreweave.store.digest import DIGESTED, digest

if TYPE_CHECKING:
    import pyarrow as pa

    from loreweave.store.schema import Table
    from loreweave.store.session import Session
    from loreweave.vault.output import OutputFolder

MANIFEST = "manifest.json"


@attrs.frozen
class Exported:
    """What was written: the folder, the files with the number of rows in each, and the digest of the tables."""

    folder: str
    files: Mapping[str, int]
    digest: str


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


def export(session: Session, ending: str, folder: OutputFolder, write: Callable[[IO[bytes], str], int]) -> Exported:
    """Write every table that people ask to ``folder``, by ``write(file, sql)``, and a manifest with the digest."""
    files = {}
    for table in DIGESTED:
        name = f"{table.name}.{ending}"
        with folder.file(name) as file:
            files[name] = write(file, _sql(table))
    made = digest(session)
    manifest = {
        "digest": made.whole,
        "digests": dict(made.tables),
        "rows": files,
        **{name: session.meta[name] for name in ("schema_version", "engine_version", "inputs")},
    }
    with folder.file(MANIFEST) as file:
        file.write(json.dumps(manifest, indent=2).encode() + b"\n")
    return Exported(str(folder.path), files, made.whole)


def _sql(table: Table) -> str:
    columns = ", ".join(column.name for column in table.columns)
    return f"select {columns} from {table.name} order by {', '.join(table.order)}"  # noqa: S608 - names of our own
