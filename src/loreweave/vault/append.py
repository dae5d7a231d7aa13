"""Appending to the record: whole lines, under one lock, on disk before anybody is told.

What is about to be appended is noted in ``.lore/`` first. Whoever takes the lock next finds the note of
a writer that was killed half-way, and cuts off the torn end: nobody was told that it was written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from loreweave.errors import VaultError

LOCK_SECONDS = 60.0
NOTE = "append"


class BusyVault(VaultError):
    """Another program holds the vault's lock."""


@contextmanager
def vault_lock(root: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Hold the vault's lock; raise BusyVault where it is not to be had in time, VaultError where it cannot be made."""
    folder = lore_folder(root)
    try:
        lock = FileLock(folder / "lock")
        with lock.acquire(timeout=seconds, poll_interval=0.01):
            _recover(root, folder)
            yield
    except Timeout:
        held = f"Another program has been writing to this vault for {seconds:g} s."
        raise BusyVault(held, "try again when it has finished") from None
    except PermissionError as failed:
        raise VaultError(f'"{folder}" cannot be written: {failed.strerror}.', "make it writable") from None


def lore_folder(root: Path) -> Path:
    """Give ``.lore/``, made if need be, with a ``.gitignore`` that keeps it out of git."""
    folder = root / ".lore"
    try:
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as failed:
        raise VaultError(f'"{folder}" cannot be written: {failed.strerror}.', "make the vault writable") from None
    return folder


def append_lines(root: Path, path: str, lines: list[str]) -> int:
    """Append whole lines to a file of the record and sync it; the caller holds the lock.

    Gives the number of the first line written. Raises VaultError, with nothing half written, where the
    file leads out of the vault or the disk takes no more.
    """
    target = root / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if not os.path.realpath(target).startswith(f"{root}{os.sep}"):
            raise VaultError(f'"{path}" leads out of the vault.', "put a real file in its place")
        handle = os.open(target, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make it writable") from None
    with os.fdopen(handle, "r+b", buffering=0) as file:
        size = os.fstat(handle).st_size
        head = os.pread(handle, size, 0)
        begins = "" if not head or head.endswith((b"\n", b"\r")) else "\n"
        content = (begins + "".join(f"{line}\n" for line in lines)).encode()
        _write(root, path, file.fileno(), size, content)
    ends = head.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")
    return ends + (1 if begins else 0) + 1


def _write(root: Path, path: str, handle: int, size: int, content: bytes) -> None:
    note = root / ".lore" / NOTE
    try:
        note.write_bytes(json.dumps({"path": path, "size": size}).encode() + b"\n" + content)
        written = 0
        while written < len(content):
            written += os.write(handle, content[written:])
        os.fsync(handle)
    except OSError as failed:
        os.ftruncate(handle, size)
        raise VaultError(f'"{path}" took no more: {failed.strerror}. Nothing was written.', "make room") from None
    finally:
        note.unlink(missing_ok=True)


def _recover(root: Path, folder: Path) -> None:
    """Cut off the torn end that a killed writer left; what others appended after it is never touched."""
    note = folder / NOTE
    try:
        header, _, content = note.read_bytes().partition(b"\n")
        said = json.loads(header)
        target = root / str(said["path"])
        tail = target.read_bytes()[int(said["size"]) :]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError, OSError):
        note.unlink(missing_ok=True)
        return
    torn = tail and content != tail and content.startswith(tail)
    if torn and os.path.realpath(target).startswith(f"{root}{os.sep}lore{os.sep}"):
        os.truncate(target, int(said["size"]))
    note.unlink(missing_ok=True)
