"""The notes of a vault read in memory: the rows that an index would hold of them, and what is wrong with them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import attrs
import pyarrow as pa

from loreweave.engine.noting import resolved, scoped
from loreweave.errors import Finding
from loreweave.events.extract import extract, scope_of
from loreweave.events.holdings import Holdings
from loreweave.events.model import COLUMNS, EventRow
from loreweave.events.observe import differing
from loreweave.events.slots import key
from loreweave.events.statements import Settings
from loreweave.notes.model import Link
from loreweave.notes.read import read_note
from loreweave.projections.faults import findings_of_links, findings_of_titles
from loreweave.projections.links import Directory
from loreweave.projections.notes import TABLES, File, Noted, Row, nothing_noted, rows_of, stated_of
from loreweave.store.columns import in_columns
from loreweave.store.layout import ALL
from loreweave.vault.read import decode, read_bytes

_NOTE = COLUMNS.index("note")
WAITING = ("unrecorded", "departed")


@attrs.frozen
class Reading:
    """The rows of one note, and what is wrong with it."""

    noted: Noted
    findings: tuple[Finding, ...]


def read(vault: Path, path: str, settings: Settings) -> Reading:
    """Read one note as it is read for an index."""
    content = read_bytes(vault, path)
    text, unclear = decode(path, content)
    note = read_note(path, text)
    said = extract(note, settings)
    file = File(hashlib.sha256(content).hexdigest(), len(content), key(scope_of(path, settings)))
    return Reading(rows_of(note, said.stated, file, settings.stemmer), (*unclear, *note.findings, *said.findings))


def fold(
    readings: Iterable[Reading], ledger: Sequence[EventRow], settings: Settings
) -> tuple[dict[str, pa.Table], list[Finding]]:
    """Give the tables that notes make together, given the ledger's events, and all that is wrong with them."""
    noted, found = nothing_noted(), list[Finding]()
    for reading in readings:
        noted.add(reading.noted)
        found += reading.findings
    directory = Directory(noted.names, noted.anchors)
    found += findings_of_links(_links(noted.links), directory)
    rows = dict(noted.tables())
    rows |= {"links": resolved(noted.links, directory), **_waiting(noted, ledger)}
    tables = {name: in_columns(ALL[name], sorted(rows[name], key=str)) for name in (*TABLES, *WAITING)}
    return tables, [*scoped(found, settings), *findings_of_titles(_titles(noted))]


def _links(links: Iterable[Row]) -> Iterator[tuple[str, Link]]:
    """Give all links: of those that are in order no finding comes."""
    for path, line, target, _, style, heading, alias, *_ in sorted(links, key=str):
        yield str(path), Link(line, target, style, heading, alias)  # type: ignore[arg-type]


def _titles(noted: Noted) -> list[tuple[str, str, str]]:
    """Give path, title and scope key of the notes that state something."""
    speaking = {row[0] for row in noted.statements}
    return sorted((str(row[0]), str(row[1]), str(row[-1])) for row in noted.notes if row[0] in speaking)


def _waiting(noted: Noted, ledger: Sequence[EventRow]) -> dict[str, list[Row]]:
    """Give what waits to be recorded, and what waits to be withdrawn."""
    holdings = Holdings.of(ledger)
    paths = {str(row[0]) for row in noted.notes} | {str(row[_NOTE]) for row in ledger}
    unrecorded, departed = list[Row](), list[Row]()
    statements = sorted(noted.statements, key=lambda row: (str(row[0]), int(str(row[1])), row[9], row[10]))
    for stated in stated_of(statements, sorted(paths)):
        found = differing(stated, holdings)
        unrecorded += ((*s[3:7], s.form, s.path, s.line, s.scope_key) for s in found.unrecorded)
        departed += ((stated.path, *gone) for gone in found.departed)
    return {"unrecorded": unrecorded, "departed": departed}
