"""Reading files: those of the record into event rows, whole or from where the index stopped, notes into their rows."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.errors import Finding, VaultError
from loreweave.events.model import EventRow
from loreweave.events.read import Record, Tail, can_follow, read_record
from loreweave.events.slots import key
from loreweave.events.statements import Settings
from loreweave.notes.visible import excerpt
from loreweave.store.sources import Source
from loreweave.vault.config import read_config
from loreweave.vault.read import decode, no_text, read_bytes
from loreweave.vault.root import refuse_outside
from loreweave.vault.walk import Stamp, unreadable

if TYPE_CHECKING:
    from loreweave.projections.notes import Noted


class Reading(NamedTuple):
    """What one file says: ``tail`` where only its new lines were read, ``same`` where it says what it said."""

    source: Source
    rows: list[EventRow]
    findings: list[Finding]
    tail: bool = False
    same: bool = False


def read_file(root: Path, path: str, stamp: Stamp, before: Source | None = None) -> Reading:
    """Read a file of the record; with what the index knows of it, no more than needed."""
    try:
        content = read_bytes(root, path)
    except OSError as failed:
        return Reading(_source(path, stamp, "", None), [], [unreadable(path, failed)])
    digest = hashlib.sha256(content).hexdigest()
    if before is not None and digest == before.digest:
        return Reading(before._replace(**stamp._asdict()), [], [], same=True)
    stamp = stamp._replace(size=len(content))
    if before is not None and _continues(content, before):
        text, findings = decode(path, content[before.size :])
        tail = tail_of(before)
        if not findings and can_follow(tail, text):
            record = read_text(path, text, tail)
            return Reading(_source(path, stamp, digest, record), record.rows, record.findings, tail=True)
    text, findings = decode(path, content)
    record = read_text(path, text)
    if findings:
        record = record._replace(tail=None)
    return Reading(_source(path, stamp, digest, record), record.rows, findings + record.findings)


class NoteReading(NamedTuple):
    """What one note says, as rows; ``same`` where its bytes are those read before, and so no rows are given."""

    source: Source
    noted: Noted | None
    findings: list[Finding]
    same: bool = False


def read_note_file(
    root: Path, path: str, stamp: Stamp, settings: Settings, before: Source | None = None
) -> NoteReading:
    """Read a note; with what the index knows of it, only where it has changed."""
    from loreweave.events.extract import extract, scope_of
    from loreweave.notes.read import read_note
    from loreweave.projections.notes import File, rows_of

    try:
        content = read_bytes(root, path)
    except OSError as failed:
        return NoteReading(_source(path, stamp, "", None), None, [unreadable(path, failed)])
    digest = hashlib.sha256(content).hexdigest()
    if before is not None and digest == before.digest:
        return NoteReading(before._replace(**stamp._asdict()), None, [], same=True)
    stamp = stamp._replace(size=len(content))
    barred = no_text(path, content)
    if barred:
        return NoteReading(_source(path, stamp, digest, None), None, [barred])
    text, unclear = decode(path, content)
    note = read_note(path, text)
    said = extract(note, settings)
    scope_key = key(scope_of(path, settings))
    found = [attrs.evolve(finding, scope_key=scope_key) for finding in (*unclear, *note.findings, *said.findings)]
    noted = rows_of(note, said.stated, File(digest, len(content), scope_key), settings.stemmer)
    return NoteReading(_source(path, stamp, digest, None), noted, found)


def note_text(root: Path, path: str) -> str:
    """Read the text of a note; raise VaultError where that fails, or its path leads out of the vault by now."""
    if not read_config(root).follow_external_symlinks:
        refuse_outside(root, path)
    try:
        return decode(path, read_bytes(root, path))[0]
    except OSError as failed:
        told = f"{excerpt(path)} cannot be read: {failed.strerror}."
        raise VaultError(told, "ask again: it may just have moved") from None


@lru_cache(maxsize=1)
def read_text(path: str, text: str, after: Tail | None = None) -> Record:
    """Read the text of a file of the record; the last one is kept, for what was foreseen is read next.

    Clear it with ``read_text.cache_clear()`` when it is not needed again.
    """
    return read_record(path, text, after)


def tail_of(source: Source | None) -> Tail | None:
    """Give where reading may go on below what the index knows of a file."""
    return Tail(source.lines, source.latest) if source is not None and source.follows else None


def _source(path: str, stamp: Stamp, digest: str, record: Record | None) -> Source:
    lines, latest, follows = (record.lines, record.latest, record.tail is not None) if record else (0, None, False)
    return Source(path, *stamp, digest, lines, latest, follows)


def _continues(content: bytes, before: Source) -> bool:
    """Tell whether a file still begins with all that was read of it, up to a line's end."""
    head = content[: before.size]
    return len(content) > before.size and head.endswith(b"\n") and hashlib.sha256(head).hexdigest() == before.digest
