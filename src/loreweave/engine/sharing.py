"""Reading a large record in two processes: the other one is this module, started with half of the files.

What is read is the same, whoever reads it. Where the other process fails, its half is read here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

import attrs
import pyarrow as pa

from loreweave.engine.reading import read_file
from loreweave.errors import Finding
from loreweave.events.model import EventRow
from loreweave.projections import events
from loreweave.store.sources import Source
from loreweave.vault.root import Stamp

SHARED_FROM = 12_000_000
"""Bytes of record from which a second process is worth its start."""

BATCH = 20_000
"""Rows turned into columns at once: enough to be quick, few enough to stay small."""


class Half(NamedTuple):
    """What some files of the record say: event rows as columns, and what is known and wrong of the files."""

    lines: pa.Table
    sources: list[Source]
    findings: list[Finding]


def read_all(root: Path, stamps: Mapping[str, Stamp], processes: int | None = None) -> Half:
    """Read every file; in two processes if asked, or where the record is large and a second core is there."""
    if processes is None:
        large = sum(stamp.size for stamp in stamps.values()) >= SHARED_FROM
        processes = 2 if large and (os.cpu_count() or 1) > 1 else 1
    if processes < 2:
        return read_half(root, stamps)
    mine, theirs = _halves(stamps)
    with _start(root, theirs) as other:
        here = read_half(root, mine)
        there = _collect(other) or read_half(root, theirs)
    return Half(
        pa.concat_tables([here.lines, there.lines]),
        sorted(here.sources + there.sources),
        here.findings + there.findings,
    )


def read_half(root: Path, stamps: Mapping[str, Stamp]) -> Half:
    """Read files, a batch of rows at a time."""
    sources, found, parts, rows = list[Source](), list[Finding](), list[pa.Table](), list[EventRow]()
    for path, stamp in stamps.items():
        reading = read_file(root, path, stamp)
        sources.append(reading.source)
        found += reading.findings
        rows += reading.rows
        if len(rows) >= BATCH:
            parts.append(in_columns(rows))
            rows = []
    return Half(pa.concat_tables([*parts, in_columns(rows)]), sources, found)


def in_columns(rows: Sequence[EventRow]) -> pa.Table:
    """Turn event rows into columns, a batch at a time."""
    parts = [events.batch(rows[at : at + BATCH]) for at in range(0, len(rows), BATCH)]
    return pa.concat_tables(parts or [events.batch(())])


def _halves(stamps: Mapping[str, Stamp]) -> tuple[dict[str, Stamp], dict[str, Stamp]]:
    """Part the files into two lots of about equal size."""
    lots: tuple[dict[str, Stamp], dict[str, Stamp]] = {}, {}
    sizes = [0, 0]
    for path, stamp in sorted(stamps.items(), key=lambda item: -item[1].size):
        lot = sizes.index(min(sizes))
        lots[lot][path] = stamp
        sizes[lot] += stamp.size
    return lots


def _start(root: Path, stamps: Mapping[str, Stamp]) -> subprocess.Popen[bytes]:
    order = json.dumps([str(root), {path: attrs.astuple(stamp) for path, stamp in stamps.items()}])
    source = str(Path(__file__).parents[2])
    other = subprocess.Popen(  # noqa: S603 - this interpreter, and a program that stands below
        [sys.executable, "-P", "-c", _PROGRAM, source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    if other.stdin is not None:
        other.stdin.write(order.encode())
        other.stdin.close()
    return other


_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from loreweave.engine.sharing import main; main()"


def main() -> None:
    """Read the files named on standard input, and write what they say to standard output."""
    root, named = json.load(sys.stdin)
    half = read_half(Path(root), {path: Stamp(*stamp) for path, stamp in named.items()})
    said = [half.sources, [attrs.astuple(finding) for finding in half.findings]]
    out: IO[bytes] = sys.stdout.buffer
    header = json.dumps(said).encode()
    out.write(b"%d\n" % len(header) + header)
    with pa.ipc.new_stream(out, events.SCHEMA, options=pa.ipc.IpcWriteOptions(unify_dictionaries=True)) as writer:
        writer.write_table(half.lines.unify_dictionaries())


def _collect(other: subprocess.Popen[bytes]) -> Half | None:
    """Take what the other process has read; None where it failed."""
    if other.stdout is None:
        return None
    try:
        length = int(other.stdout.readline())
        sources, found = json.loads(other.stdout.read(length))
        lines = pa.ipc.open_stream(other.stdout).read_all()
    except (ValueError, OSError, pa.ArrowInvalid):
        return None
    if other.wait() != 0:
        return None
    return Half(lines, [Source(*row) for row in sources], [Finding(*row) for row in found])
