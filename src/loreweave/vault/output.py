"""Files that a user names to be written: never over another one unasked, never half, never into the record."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO

import attrs

from loreweave.errors import BadRequest, Refused, VaultError
from loreweave.vault.root import CONFIG, JOURNAL, LEDGER, record_files

_Identity = tuple[int, int]


@contextmanager
def output_file(root: Path, path: str, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Give a file to write to, put in its place once it is whole; raise Refused, BadRequest or VaultError.

    A link is followed, and a file that is replaced keeps its mode. A device or a pipe is written to as it is.
    """
    target = Path(os.path.realpath(path))
    refuse_record(root, Path(path))
    mode = _mode(path)
    if mode and stat.S_ISDIR(mode):
        raise BadRequest(f'"{path}" is a folder.', "give the name of a file")
    if mode and not force:
        raise Refused(f'"{path}" exists already.', "give another name, or overwrite it with --force")
    try:
        with _replacing(target, mode) if not mode or stat.S_ISREG(mode) else Path(path).open("wb") as file:
            yield file
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make room, or make it writable") from None


@attrs.frozen
class OutputFolder:
    """A folder to write files to, none of which may be of the record."""

    root: Path
    path: Path

    def file(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """Give a file of the folder to write to, put in its place once it is whole."""
        return output_file(self.root, str(self.path / name), force=True)


@contextmanager
def output_folder(root: Path, path: str, *, force: bool = False) -> Iterator[OutputFolder]:
    """Give a folder to write to, made if need be and empty unless forced."""
    target = Path(path).absolute()
    refuse_record(root, target)
    try:
        target.mkdir(parents=True, exist_ok=True)
        if not force and any(target.iterdir()):
            raise Refused(f'"{path}" is not empty.', "give an empty folder, or write into it with --force")
        yield OutputFolder(root, target)
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make room, or make it writable") from None


def refuse_record(root: Path, target: Path) -> None:
    """Raise Refused for a place within ``lore/`` or ``.lore/``, or a file of the record, by whatever name it goes.

    The record is appended to and never overwritten.
    """
    real = Path(os.path.realpath(target))
    places = {identity for place in (real, *real.parents) if (identity := _identity(place))}
    for own in ("lore", ".lore"):
        if real.is_relative_to(os.path.realpath(root / own)) or _identity(root / own) in places:
            raise Refused(f'"{target}" lies in {own}/, which is the engine\'s own.', "give a place outside it")
    for path in _of_record(root):
        if _identity(root / path) in places:
            raise Refused(f'"{target}" is "{path}", which is of the record.', "give a place outside it")


def _of_record(root: Path) -> set[str]:
    """List the files of the record and their folders: a link may have either stand elsewhere in the vault."""
    files, _ = record_files(root)
    return {JOURNAL, LEDGER, CONFIG, *files, *(os.path.dirname(path) for path in files)}


def _identity(path: Path) -> _Identity | None:
    """Give what tells one file from every other, whatever name it goes by."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0


@contextmanager
def _replacing(target: Path, mode: int) -> Iterator[IO[bytes]]:
    """Give a file beside the target that takes its place, and its mode if it has one, when it is whole."""
    if not target.parent.is_dir():
        raise BadRequest(f'"{target.parent}" is not a folder.', "make it first")
    handle, beside = tempfile.mkstemp(prefix=f".{target.name[:60]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(beside, stat.S_IMODE(mode) if mode else 0o666 & ~_umask())
        os.replace(beside, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
