"""Files that a user names to be written: never over another one unasked, never half, never into the record."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from loreweave.errors import BadRequest, Refused, VaultError


@contextmanager
def output_file(root: Path, path: str, *, force: bool = False) -> Iterator[IO[bytes]]:
    """Give a file to write to, put in its place once it is whole; raise Refused, BadRequest or VaultError."""
    target = Path(path).absolute()
    refuse_record(root, target)
    if target.exists() and not force:
        raise Refused(f'"{path}" exists already.', "give another name, or overwrite it with --force")
    if not target.parent.is_dir():
        raise BadRequest(f'"{target.parent}" is not a folder.', "make it first")
    handle, beside = _beside(target)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(beside, 0o666 & ~_umask())
        os.replace(beside, target)
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make room, or make it writable") from None
    finally:
        Path(beside).unlink(missing_ok=True)


@contextmanager
def output_folder(root: Path, path: str, *, force: bool = False) -> Iterator[Path]:
    """Give a folder to write to, made if need be and empty unless forced."""
    target = Path(path).absolute()
    refuse_record(root, target)
    try:
        target.mkdir(parents=True, exist_ok=True)
        if not force and any(target.iterdir()):
            raise Refused(f'"{path}" is not empty.', "give an empty folder, or write into it with --force")
        yield target
    except OSError as failed:
        raise VaultError(f'"{path}" cannot be written: {failed.strerror}.', "make room, or make it writable") from None


def refuse_record(root: Path, target: Path) -> None:
    """Raise Refused for a place within ``lore/`` or ``.lore/``: the record is appended to and never overwritten."""
    real = Path(os.path.realpath(target))
    for own in ("lore", ".lore"):
        if real.is_relative_to(root / own):
            raise Refused(f'"{target}" lies in {own}/, which is the engine\'s own.', "give a place outside it")


def _beside(target: Path) -> tuple[int, str]:
    try:
        return tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as failed:
        raise VaultError(f'"{target}" cannot be written: {failed.strerror}.', "make it writable") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
