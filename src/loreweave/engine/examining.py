"""Examining the files of a vault: whether the index was made from them, what they weigh, what they held before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from loreweave.errors import BadRequest, StoreError, VaultError
from loreweave.events.read import read_record
from loreweave.store.sources import Source, inputs_digest
from loreweave.vault.config import read_config
from loreweave.vault.git import record_at
from loreweave.vault.read import decode, read_bytes
from loreweave.vault.root import record_files

if TYPE_CHECKING:
    from loreweave.events.model import EventRow
    from loreweave.store.session import Session

_DATED = "recorded_at="


def faults(root: Path, session: Session) -> tuple[str, ...]:
    """Say in what the index is not what its files make; empty where it is."""
    stamps, _ = record_files(root)
    sources = [Source(*row) for row in session.ask("select * from sources").fetchall()]
    found = [f"{source.path} is gone" for source in sources if source.path not in stamps]
    known = {source.path: source for source in sources}
    found += [f"{path} was not read" for path in stamps if path not in known]
    found += [f"{path} has changed" for path in stamps if path in known and _digest(root, path) != known[path].digest]
    if session.meta["inputs"] != inputs_digest(sources):
        found.append("the index does not say what it was made from")
    return tuple(found)


def settings_fault(root: Path) -> str:
    """Say what is wrong with the settings; empty where nothing is."""
    try:
        read_config(root)
    except VaultError as failed:
        return failed.message
    return ""


def undated(root: Path, origins: Mapping[str, set[int]]) -> tuple[str, ...]:
    """Give the journal lines, as ``path:line``, that write no record time of their own."""
    return tuple(place for path, lines in origins.items() for place in _undated_in(root, path, lines))


def weights(root: Path, index: Path) -> dict[str, int]:
    """Give the bytes of the record and of the index."""
    stamps, _ = record_files(root)
    return {"record": sum(stamp.size for stamp in stamps.values()), "index": index.stat().st_size}


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
