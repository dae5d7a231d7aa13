"""Examining the files of a vault: whether the index was made from them, what they weigh, what they held before."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from loreweave.errors import BadRequest, StoreError, VaultError
from loreweave.events.read import read_record
from loreweave.store.sources import INPUTS_DIGEST, Source
from loreweave.vault.append import VECTORS
from loreweave.vault.config import read_config
from loreweave.vault.git import record_at
from loreweave.vault.read import decode, read_bytes
from loreweave.vault.root import JOURNAL, LEDGER, note_files, record_files
from loreweave.vault.walk import Stamp

if TYPE_CHECKING:
    from loreweave.events.model import EventRow
    from loreweave.store.session import Session

_DATED = "recorded_at="


def faults(root: Path, session: Session) -> tuple[str, ...]:
    """Say in what the index is not what its files make; empty where it is. Settings that have no meaning hide notes."""
    stamps = _files(root)
    known = {row[0]: Source(*row) for row in session.ask("select * from sources").fetchall()}
    looked_at = known if stamps.notes is not None else {path: known[path] for path in known if _of_record(path)}
    there = {**stamps.record, **(stamps.notes or {})}
    found = [f"{path} is gone" for path in looked_at if path not in there]
    found += [f"{path} was not read" for path in there if path not in known]
    found += [f"{path} has changed" for path in there if path in known and _digest(root, path) != known[path].digest]
    if (session.meta["inputs"],) != session.ask(INPUTS_DIGEST).fetchone():
        found.append("the index does not say what it was made from")
    return tuple(found)


def settings_fault(root: Path) -> str:
    """Say what is wrong with the settings; empty where nothing is."""
    try:
        read_config(root)
    except VaultError as failed:
        return failed.message
    return ""


def observer(root: Path) -> str | None:
    """Give the machine that observes this vault, where that is another than this one."""
    try:
        machine = read_config(root).machine
    except VaultError:
        return None
    return machine if machine and machine != os.uname().nodename else None


def undated(root: Path, origins: Mapping[str, set[int]]) -> tuple[str, ...]:
    """Give the journal lines, as ``path:line``, that write no record time of their own."""
    return tuple(place for path, lines in origins.items() for place in _undated_in(root, path, lines))


def weights(root: Path, index: Path) -> dict[str, int]:
    """Give the bytes of the notes, the record and the index, and of the vectors where there are any."""
    files = _files(root)
    notes, record = (sum(stamp.size for stamp in (lot or {}).values()) for lot in (files.notes, files.record))
    vectors = root / VECTORS
    kept = {"vectors": vectors.stat().st_size} if vectors.is_file() else {}
    return {"notes": notes, "record": record, "index": index.stat().st_size, **kept}


@contextmanager
def earlier_index(path: str) -> Iterator[Session]:
    """Give a session on another index, of an older schema too; raise BadRequest where what is asked is not in it."""
    from loreweave.store.session import Session

    try:
        with Session(Path(path).absolute(), earlier=True) as session:
            yield session
    except StoreError as failed:
        told = f'"{path}" cannot be read as an earlier index. {failed.message}'
        raise BadRequest(told, "name another index file, or a git revision") from None


def rows_at(root: Path, revision: str) -> Iterator[EventRow]:
    """Give the event rows that the record made at a git revision; raise BadRequest where there is none."""
    for path, content in record_at(root, revision).items():
        yield from read_record(path, decode(path, content)[0]).rows


class _Files(NamedTuple):
    """The files of the record, and the notes; None where the settings that say which these are have no meaning."""

    record: dict[str, Stamp]
    notes: dict[str, Stamp] | None


def _files(root: Path) -> _Files:
    record, _ = record_files(root)
    try:
        return _Files(record, note_files(root, read_config(root))[0])
    except VaultError:
        return _Files(record, None)


def _of_record(path: str) -> bool:
    return path.startswith((f"{JOURNAL}/", f"{LEDGER}/"))


def _digest(root: Path, path: str) -> str:
    try:
        return hashlib.sha256(read_bytes(root, path)).hexdigest()
    except OSError:
        return ""


def _undated_in(root: Path, path: str, lines: set[int]) -> Iterator[str]:
    try:
        text = decode(path, read_bytes(root, path))[0]
    except OSError:
        return
    written = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number in sorted(lines):
        if number <= len(written) and _DATED not in written[number - 1]:
            yield f"{path}:{number}"
