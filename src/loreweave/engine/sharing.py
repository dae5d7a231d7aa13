"""Reading a large vault in two processes: the other one is this module, started with half of the files.

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

from loreweave.engine.plan import Plan
from loreweave.engine.reading import read_file, read_note_file
from loreweave.errors import Finding
from loreweave.events.model import EventRow
from loreweave.events.statements import Settings
from loreweave.projections import events
from loreweave.projections.notes import TABLES, Noted, nothing_noted
from loreweave.store import columns
from loreweave.store.layout import ALL
from loreweave.store.sources import Source
from loreweave.vault.walk import Stamp

SHARED_FROM = 12_000_000
"""Bytes to read from which a second process is worth its start; those of notes weigh more."""

NOTE_WEIGHT = 4
"""How much longer a byte of a note takes to read than one of the record."""

BATCH = 20_000
"""Rows turned into columns at once: enough to be quick, few enough to stay small."""

Stamps = Mapping[str, Stamp]


class Lots(NamedTuple):
    """Files to read: those of the record, and notes with what is taken for a value in them."""

    record: Stamps
    notes: Stamps
    settings: Settings


class Half(NamedTuple):
    """What some files say: event rows and rows of notes as columns, what is known and what is wrong of the files."""

    lines: pa.Table
    noted: dict[str, pa.Table]
    sources: list[Source]
    findings: list[Finding]


def read_all(root: Path, plan: Plan, processes: int | None = None) -> Half:
    """Read every file; in two processes if asked, or where there is much to read and a second core is there."""
    lots = Lots(plan.record.stamps, plan.notes.stamps, plan.config.extraction)
    if processes is None:
        processes = 2 if sum(_weights(lots).values()) >= SHARED_FROM and (os.cpu_count() or 1) > 1 else 1
    if processes < 2:
        return read_half(root, lots)
    mine, theirs = _halves(lots)
    with _start(root, theirs) as other:
        here = read_half(root, mine)
        there = _collect(other) or read_half(root, theirs)
    return Half(
        pa.concat_tables([here.lines, there.lines]),
        {name: pa.concat_tables([here.noted[name], there.noted[name]]) for name in TABLES},
        sorted(here.sources + there.sources),
        here.findings + there.findings,
    )


def read_half(root: Path, lots: Lots) -> Half:
    """Read files, a batch of rows at a time."""
    sources, found, parts, rows = list[Source](), list[Finding](), list[pa.Table](), list[EventRow]()
    for path, stamp in lots.record.items():
        reading = read_file(root, path, stamp)
        sources.append(reading.source)
        found += reading.findings
        rows += reading.rows
        if len(rows) >= BATCH:
            parts.append(in_columns(rows))
            rows = []
    noted = _read_notes(root, lots, sources, found)
    return Half(pa.concat_tables([*parts, in_columns(rows)]), noted, sources, found)


def in_columns(rows: Sequence[EventRow]) -> pa.Table:
    """Turn event rows into columns, a batch at a time."""
    parts = [events.batch(rows[at : at + BATCH]) for at in range(0, len(rows), BATCH)]
    return pa.concat_tables(parts or [events.batch(())])


def _read_notes(root: Path, lots: Lots, sources: list[Source], found: list[Finding]) -> dict[str, pa.Table]:
    parts, noted = list[dict[str, pa.Table]](), nothing_noted()
    for path, stamp in lots.notes.items():
        reading = read_note_file(root, path, stamp, lots.settings)
        sources.append(reading.source)
        found += reading.findings
        if reading.noted is not None:
            noted.add(reading.noted)
        if sum(map(len, noted)) >= BATCH:
            parts.append(_columns_of(noted))
            noted = nothing_noted()
    parts.append(_columns_of(noted))
    return {name: pa.concat_tables([part[name] for part in parts]).unify_dictionaries() for name in TABLES}


def _columns_of(noted: Noted) -> dict[str, pa.Table]:
    rows = noted._replace(postings=[])
    made = {name: columns.in_columns(ALL[name], of_table) for name, of_table in zip(TABLES, rows, strict=True)}
    return made | {"postings": columns.of_postings(noted.counted)}


def _weights(lots: Lots) -> dict[str, int]:
    weights = {path: stamp.size for path, stamp in lots.record.items()}
    weights.update((path, NOTE_WEIGHT * stamp.size) for path, stamp in lots.notes.items())
    return weights


def _halves(lots: Lots) -> tuple[Lots, Lots]:
    """Part the files into two lots that take about equally long."""
    paths: tuple[set[str], set[str]] = set(), set()
    sums = [0, 0]
    for path, weight in sorted(_weights(lots).items(), key=lambda item: -item[1]):
        lot = sums.index(min(sums))
        paths[lot].add(path)
        sums[lot] += weight
    return _among(lots, paths[0]), _among(lots, paths[1])


def _among(lots: Lots, paths: set[str]) -> Lots:
    record, notes = ({p: stamp for p, stamp in stamps.items() if p in paths} for stamps in lots[:2])
    return Lots(record, notes, lots.settings)


def _start(root: Path, lots: Lots) -> subprocess.Popen[bytes]:
    named = [{path: tuple(stamp) for path, stamp in stamps.items()} for stamps in lots[:2]]
    settings = lots.settings
    said = settings.mode, sorted(settings.ignored), sorted(settings.many), settings.scopes, settings.stemmer
    order = json.dumps([str(root), *named, said])
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
    root, record, notes, (mode, ignored, many, scopes, stemmer) = json.load(sys.stdin)
    of_record, of_notes = ({path: Stamp(*stamp) for path, stamp in named.items()} for named in (record, notes))
    folders = tuple((folder, scope) for folder, scope in scopes)
    settings = Settings(mode, frozenset(ignored), frozenset(many), folders, stemmer)
    half = read_half(Path(root), Lots(of_record, of_notes, settings))
    said = [half.sources, [attrs.astuple(finding) for finding in half.findings]]
    out: IO[bytes] = sys.stdout.buffer
    header = json.dumps(said).encode()
    out.write(b"%d\n" % len(header) + header)
    _write(out, half.lines.unify_dictionaries())
    for name in TABLES:
        _write(out, half.noted[name])


def _write(out: IO[bytes], table: pa.Table) -> None:
    with pa.ipc.new_stream(out, table.schema, options=pa.ipc.IpcWriteOptions(unify_dictionaries=True)) as writer:
        writer.write_table(table)


def _collect(other: subprocess.Popen[bytes]) -> Half | None:
    """Take what the other process has read; None where it failed."""
    if other.stdout is None:
        return None
    try:
        length = int(other.stdout.readline())
        sources, found = json.loads(other.stdout.read(length))
        lines, *noted = (pa.ipc.open_stream(other.stdout).read_all() for _ in range(1 + len(TABLES)))
    except (ValueError, OSError, pa.ArrowInvalid):
        return None
    if other.wait() != 0:
        return None
    tables = dict(zip(TABLES, noted, strict=True))
    return Half(lines, tables, [Source(*row) for row in sources], [Finding(*row) for row in found])
