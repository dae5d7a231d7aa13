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

_REAL = "put a real file or folder in its place"


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
    """Give the real path of the vault; raise VaultError where there is no such folder, or its name is not UTF-8."""
    if vault is not None and (not os.fspath(vault) or not os.path.isdir(vault)):
        raise VaultError(f'The vault "{vault}" is not a folder.', "give an existing folder with --vault")
    try:
        root = find(Path.cwd().resolve()) if vault is None else Path(vault).resolve()
        str(root).encode()
    except FileNotFoundError:
        raise VaultError("The folder in which this was started is gone.", "give the vault with --vault") from None
    except UnicodeEncodeError:
        shown = os.fsencode(root).decode("utf-8", "replace")
        raise VaultError(f'The name of the vault "{shown}" is not UTF-8.', "rename the folder") from None
    return root


def leads_out(root: Path, place: str) -> str:
    """Give the part of a vault-relative path that leads out of the vault, as a link does; empty where none does."""
    part = ""
    for name in place.split("/"):
        part = f"{part}/{name}" if part else name
        if not _inside(str(root), os.path.realpath(root / part)):
            return part
    return ""


def refuse_outside(root: Path, *places: str) -> None:
    """Raise VaultError for the first of these places that leads out of the vault."""
    for place in places:
        part = leads_out(root, place)
        if part:
            raise VaultError(f'"{part}" leads out of the vault, to "{os.path.realpath(root / part)}".', _REAL)


def record_files(root: Path) -> tuple[dict[str, Stamp], list[Finding]]:
    """List the files of the record with their stamps, by vault-relative path, and what cannot be read.

    Only ``*.md`` files under ``lore/journal`` and ``lore/ledger`` count; dot-folders do not. A link within the
    vault is followed, but not to what stands in the record anyway: one file is read once, under its real path.
    """
    stamps: dict[str, Stamp] = {}
    findings: list[Finding] = []
    left = [part for part in dict.fromkeys(leads_out(root, place) for place in (JOURNAL, LEDGER)) if part]
    findings += [_outside(part) for part in left]
    for place in (JOURNAL, LEDGER):
        if place in left or "lore" in left:
            continue
        for path, found in _walk(root, place, set()):
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


def _walk(root: Path, place: str, seen: set[str]) -> Iterator[tuple[str, Stamp | Finding]]:
    seen.add(os.path.realpath(root / place))
    try:
        entries = sorted(os.scandir(root / place), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as failed:
        yield place, unreadable(place, failed)
        return
    for entry in entries:
        path = f"{place}/{entry.name}"
        is_folder = entry.is_dir()
        if entry.name.startswith(".") or not (is_folder or entry.name.lower().endswith(".md")):
            continue
        is_link = entry.is_symlink()
        real = os.path.realpath(entry.path) if is_link or is_folder else ""
        if is_link and not _inside(str(root), real):
            yield path, _outside(path)
        elif real in seen or (is_link and _in_record(root, real) and os.path.exists(real)):
            continue
        elif is_folder:
            yield from _walk(root, path, seen)
        else:
            yield path, _stamp(path, entry)


def _stamp(path: str, entry: os.DirEntry[str]) -> Stamp | Finding:
    try:
        path.encode()
        status = entry.stat()
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode("utf-8", "replace")
        return Finding("unreadable-file", f'The name of "{shown}" is not UTF-8.', "rename the file", shown)
    except OSError as failed:
        return unreadable(path, failed)
    if not stat.S_ISREG(status.st_mode):
        return Finding("unreadable-file", f'"{path}" is not a regular file.', "move it out of lore/", path)
    return _of_stat(status)


def _outside(path: str) -> Finding:
    message = f'"{path}" leads out of the vault and is not read.'
    return Finding("outside-vault", message, _REAL, path, severity=WARNING)


def unreadable(path: str, failed: OSError) -> Finding:
    """Make the finding for a file that cannot be read."""
    return Finding(
        "unreadable-file", f'"{path}" cannot be read: {failed.strerror}.', "make it readable for this user", path
    )


def _of_stat(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _in_record(root: Path, real: str) -> bool:
    return any(_inside(os.path.realpath(root / place), real) for place in (JOURNAL, LEDGER))


def _inside(folder: str, real: str) -> bool:
    return real == folder or real.startswith(os.path.join(folder, ""))
