"""Appending to the record: whole lines, under one lock, on disk before anybody is told.

What is about to be appended is noted in ``.lore/`` first. Whoever takes the lock next finds the note of
a writer that was killed half-way, and cuts off the torn end: nobody was told that it was written.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from loreweave.errors import Refused, VaultError
from loreweave.vault.read import read_bytes
from loreweave.vault.root import JOURNAL, leads_out, refuse_outside

LOCK_SECONDS = 60.0
POLL_SECONDS = 0.01
NOTE = ".lore/append"
VECTORS = ".lore/vectors.duckdb"
SESSIONS = ".lore/sessions"
OWN = (
    *(".lore", ".lore/.gitignore", ".lore/lock", NOTE, ".lore/index.duckdb"),
    *(".lore/watch.lock", ".lore/vectors.lock", VECTORS, f"{VECTORS}.next", SESSIONS),
)
"""What is written in ``.lore/``, none of which may lead out of the vault."""


class BusyVault(VaultError):
    """Another program holds the vault's lock."""


class ClosedVault(VaultError):
    """Nothing can be written in ``.lore/``."""


@contextmanager
def vault_lock(root: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the vault's lock; raise BusyVault where it is not to be had in time, ClosedVault where it cannot be made."""
    held = f"Another program has been writing to this vault for {seconds:g} s."
    with _held(root, "lock", seconds, held):
        _recover(root)
        yield


@contextmanager
def vectors_lock(root: Path) -> Iterator[None]:
    """Hold the lock of those who make vectors, which may take long; raise BusyVault where another program has it."""
    with _held(root, "vectors.lock", 0, "Another program is making vectors for this vault."):
        yield


@contextmanager
def watch_lock(root: Path) -> Iterator[None]:
    """Hold the lock of the one server that watches; raise BusyVault where another program has it."""
    with _held(root, "watch.lock", 0, "Another server is watching this vault."):
        yield


@contextmanager
def _held(root: Path, name: str, seconds: float, held: str) -> Iterator[None]:
    from filelock import FileLock, Timeout  # readers need no lock, and importing this costs 50 ms

    folder = lore_folder(root)
    lock = FileLock(folder / name)
    try:
        lock.acquire(timeout=seconds, poll_interval=POLL_SECONDS)
    except Timeout:
        raise BusyVault(held, "try again when it has finished") from None
    except OSError as failed:
        raise ClosedVault(f'"{folder}" cannot be written: {failed.strerror}.', "make it writable") from None
    try:
        yield
    finally:
        lock.release()


def lore_folder(root: Path) -> Path:
    """Give ``.lore/``, made if need be, with a ``.gitignore`` that keeps it out of git.

    Raises ClosedVault where it cannot be written, VaultError where something in it leads out of the vault.
    """
    refuse_outside(root, *OWN)
    folder = root / ".lore"
    if folder.exists() and not folder.is_dir():
        raise ClosedVault(f'"{folder}" is a file and not a folder.', "move it away")
    try:
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as failed:
        raise ClosedVault(f'"{folder}" cannot be written: {failed.strerror}.', "make the vault writable") from None
    return folder


def refuse_read_only(root: Path, index: Path) -> None:
    """Raise Refused where the record or the index may not be written, VaultError where they lead out of the vault."""
    refuse_outside(root, JOURNAL)
    lore, folder = root / "lore", index.parent
    new = [] if lore.exists() and folder.exists() else [root]
    for path in (*new, lore, root / JOURNAL, folder, index):
        refuse_marked(path)


def append_lines(root: Path, path: str, lines: Iterable[str]) -> None:
    """Append whole lines to a file of the record and sync it; the caller holds the lock.

    Raises Refused or VaultError, with nothing half written, where the file is read-only, leads out of the vault
    or the disk takes no more.
    """
    target = root / path
    refuse_marked(target)
    try:
        handle = _open_to_append(root, path)
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make it writable") from None
    try:
        size = os.fstat(handle).st_size
        begins = "" if not size or os.pread(handle, 1, size - 1) in (b"\n", b"\r") else "\n"
        content = (begins + "".join(f"{line}\n" for line in lines)).encode()
        _write(root, path, handle, content)
    finally:
        os.close(handle)


def _open_to_append(root: Path, path: str) -> int:
    """Open a file of the record, made with its folder if need be, and put on disk that it is there."""
    refuse_outside(root, path)
    target = root / path
    if not target.parent.is_dir():
        target.parent.mkdir(parents=True)
        sync_folder(target.parent.parent)
    is_new = not target.exists()
    handle = os.open(target, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise VaultError(f'"{path}" is not a regular file.', "move it out of lore/")
    if is_new:
        sync_folder(target.parent)
    return handle


def sync_folder(folder: Path) -> None:
    """Put the entries of a folder on disk, where the file system can."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as failed:
        if failed.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def _write(root: Path, path: str, handle: int, content: bytes) -> None:
    """Write it all or nothing. The note stays where neither came to be, for the next writer to cut off the torn end."""
    note, size = root / NOTE, os.fstat(handle).st_size
    try:
        note.write_bytes(json.dumps({"path": path, "size": size}).encode() + b"\n" + content)
        written = 0
        while written < len(content):
            written += os.write(handle, content[written:])
        os.fsync(handle)
    except OSError as failed:
        with suppress(OSError):
            os.ftruncate(handle, size)
            note.unlink(missing_ok=True)
        raise VaultError(f'"{path}" took no more: {failed.strerror}. Nothing was written.', "make room") from None
    with suppress(OSError):
        note.unlink()


def refuse_marked(path: Path) -> None:
    """Look at the permission bits too: what was marked read-only is meant to stay as it is, for any user."""
    try:
        marked = not path.stat().st_mode & 0o222
    except OSError:
        return
    if marked or not os.access(path, os.W_OK):
        raise Refused(f'"{path}" is read-only, so nothing was written.', f'make it writable: chmod u+w "{path}"')


def _recover(root: Path) -> None:
    """Cut off the torn end that a killed writer left; what others appended after it is never touched."""
    try:
        header, _, content = read_bytes(root, NOTE).partition(b"\n")
        said = json.loads(header)
        path, size = str(said["path"]), int(said["size"])
        if path.startswith("lore/") and ".." not in path.split("/") and not leads_out(root, path):
            tail = read_bytes(root, path)[size:]
            if tail and content != tail and content.startswith(tail):
                os.truncate(root / path, size)
    except (ValueError, KeyError, TypeError, OSError):
        pass
    try:
        (root / NOTE).unlink(missing_ok=True)
    except OSError as failed:
        raise ClosedVault(f'"{NOTE}" cannot be removed: {failed.strerror}.', "remove it") from None
