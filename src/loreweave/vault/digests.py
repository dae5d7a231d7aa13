"""The two pages that the engine writes anew: the digest of a day and the review queue. Nothing else is ever replaced.

A page takes the place of the one before it whole, in one step. It stands where its name says: a link would have
something else replaced, so none is followed.
"""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from loreweave.errors import Refused, VaultError
from loreweave.vault.append import sync_folder
from loreweave.vault.read import read_bytes
from loreweave.vault.root import refuse_outside


def refuse_elsewhere(root: Path, place: str) -> None:
    """Raise VaultError for a page that leads out of the vault, Refused for one that leads to another place in it."""
    refuse_outside(root, place)
    folder = os.path.realpath(root / "lore")
    real = os.path.realpath(root / place)
    if real != os.path.join(folder, *place.split("/")[1:]):
        raise Refused(f'"{place}" leads to "{os.path.relpath(real, root)}".', "put a real file or folder in its place")


def page(root: Path, place: str) -> str | None:
    """Give the text of a page, None where there is none yet; raise VaultError where it cannot be read."""
    refuse_elsewhere(root, place)
    try:
        return read_bytes(root, place).decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise VaultError(f'"{place}" is not UTF-8.', "save it as UTF-8, or move it away") from None
    except OSError as failed:
        raise VaultError(f'"{place}" cannot be read: {failed.strerror}.', "put a regular file in its place") from None


def replace_page(root: Path, place: str, text: str) -> None:
    """Put a page in the place of the one before it, whole and on disk; the caller holds the vault's lock.

    Raises Refused where it is read-only or leads elsewhere, VaultError where it cannot be written.
    """
    refuse_elsewhere(root, place)
    target = root / place
    try:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
        if not mode & 0o222:
            raise Refused(f'"{place}" is read-only, so nothing was written.', "make it writable")
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, text, mode)
    except OSError as failed:
        raise VaultError(f'"{place}" cannot be written: {failed.strerror}.', "make room, or make it writable") from None


def _replace(target: Path, text: str, mode: int) -> None:
    handle, beside = tempfile.mkstemp(prefix=f".{target.name[:60]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, target)
        sync_folder(target.parent)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
