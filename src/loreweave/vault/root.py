"""The boundary of the vault: which folder it is, and which files of it are the record."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import attrs

from loreweave.errors import WARNING, Finding, VaultError

JOURNAL = "lore/journal"
LEDGER = "lore/ledger"
CONFIG = "lore/config.toml"


@attrs.frozen
class Stamp:
    """What tells that a file is the one read before: size, times in nanoseconds, inode."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def find(start: Path) -> Path:
    """Give the nearest folder from here upwards that has ``lore/`` or ``.lore/``, else this one."""
    for folder in (start, *start.parents):
        if (folder / "lore").is_dir() or (folder / ".lore").is_dir():
            return folder
    return start


def open_root(vault: str | os.PathLike[str] | None) -> Path:
    """Give the real path of the vault; raise VaultError where there is no such folder."""
    if vault is None:
        return find(Path.cwd().resolve())
    root = Path(vault)
    if not root.is_dir():
        raise VaultError(f'The vault "{vault}" is not a folder.', "give an existing folder with --vault")
    return root.resolve()


def record_files(root: Path) -> tuple[dict[str, Stamp], list[Finding]]:
    """List the files of the record with their stamps, by vault-relative path, and what cannot be read.

    Only ``*.md`` files under ``lore/journal`` and ``lore/ledger`` count; dot-folders do not.
    """
    stamps: dict[str, Stamp] = {}
    findings: list[Finding] = []
    for place in (JOURNAL, LEDGER):
        for path, entry in _walk(root, place, set()):
            found = _stamp(root, path, entry)
            if isinstance(found, Finding):
                findings.append(found)
            else:
                stamps[path] = found
    return dict(sorted(stamps.items())), findings


def stamp_of(path: Path) -> Stamp | None:
    """Give the stamp of a file, None where it is absent."""
    try:
        return _of_stat(path.stat())
    except OSError:
        return None


def _walk(root: Path, place: str, seen: set[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    real = os.path.realpath(root / place)
    if real in seen or not _inside(root, real):
        return
    seen.add(real)
    try:
        entries = sorted(os.scandir(root / place), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = f"{place}/{entry.name}"
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _walk(root, path, seen)
        elif entry.name.lower().endswith(".md"):
            yield path, entry


def _stamp(root: Path, path: str, entry: os.DirEntry[str]) -> Stamp | Finding:
    try:
        path.encode()
        if entry.is_symlink() and not _inside(root, os.path.realpath(entry.path)):
            hint = "put a real file in its place"
            return Finding(
                "outside-vault", f'"{path}" leads out of the vault and is not read.', hint, path, 0, 0, WARNING
            )
        status = entry.stat()
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode("utf-8", "replace")
        return Finding("unreadable-file", f'The name of "{shown}" is not UTF-8.', "rename the file", shown)
    except OSError as failed:
        return unreadable(path, failed)
    if not stat.S_ISREG(status.st_mode):
        return Finding("unreadable-file", f'"{path}" is not a regular file.', "move it out of lore/", path)
    return _of_stat(status)


def unreadable(path: str, failed: OSError) -> Finding:
    """Make the finding for a file that cannot be read."""
    return Finding(
        "unreadable-file", f'"{path}" cannot be read: {failed.strerror}.', "make it readable for this user", path
    )


def _of_stat(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _inside(root: Path, real: str) -> bool:
    return real == str(root) or real.startswith(f"{root}{os.sep}")
