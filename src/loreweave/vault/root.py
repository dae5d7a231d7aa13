"""The boundary of the vault: which folder it is, which of its files are the record, and which are notes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from loreweave.errors import WARNING, Finding, VaultError
from loreweave.vault.conflicts import conflict_copies, conflict_copy
from loreweave.vault.patterns import leaves_out
from loreweave.vault.twins import case_twins
from loreweave.vault.walk import Stamp, Walk, is_markdown, is_within, outside

JOURNAL = "lore/journal"
LEDGER = "lore/ledger"
CONFIG = "lore/config.toml"
LISTED = ("outside-vault", "unreadable-file", "circular-link", "conflict-copy", "case-twin", "reserved-folder")
"""Findings that the listing of a vault's files may give; it gives them anew each time."""

_OWN = ("lore", JOURNAL, LEDGER, ".lore")
_RECORD = (f"{JOURNAL}/", f"{LEDGER}/")
_BACKUPS = ("logseq/bak", "logseq/version-files")
_KEPT = (JOURNAL, LEDGER, "lore/digests")


class Rules(Protocol):
    """The settings that decide what is a note."""

    @property
    def ignore(self) -> tuple[str, ...]:
        """Patterns as in ``.gitignore`` for what is none."""

    @property
    def follow_external_symlinks(self) -> bool:
        """Whether links may lead out of the vault."""


def is_of_record(path: str) -> bool:
    """Tell whether a file of a vault, by its relative path, is one of the record."""
    return path.startswith(_RECORD)


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


def refuse_gone(root: Path) -> None:
    """Raise VaultError where the folder of the vault is there no more."""
    if not root.is_dir():
        raise VaultError(f'The vault "{root}" is gone.', "put it back, or start again where it is now")


def leads_out(root: Path, place: str) -> str:
    """Give the part of a vault-relative path that leads out of the vault, as a link does; empty where none does."""
    part = ""
    for name in place.split("/"):
        part = f"{part}/{name}" if part else name
        if not is_within(str(root), os.path.realpath(root / part)):
            return part
    return ""


def refuse_outside(root: Path, *places: str) -> None:
    """Raise VaultError for the first of these places that leads out of the vault."""
    for place in places:
        part = leads_out(root, place)
        if part:
            message = f'"{part}" leads out of the vault, to "{os.path.realpath(root / part)}".'
            raise VaultError(message, "put a real file or folder in its place")


def record_files(root: Path) -> tuple[dict[str, Stamp], list[Finding]]:
    """List the files of the record with their stamps, by vault-relative path, and what cannot be read.

    Only ``*.md`` files under ``lore/journal`` and ``lore/ledger`` count; dot-folders do not. A link within the
    vault is followed, but not to what stands in the record anyway: one file is read once, under its real path.
    """
    reals = [os.path.realpath(root / place) for place in (JOURNAL, LEDGER)]
    walk = Walk(str(root), _is_hidden, lambda real, _: any(is_within(place, real) for place in reals))
    left = [part for part in dict.fromkeys(leads_out(root, place) for place in (JOURNAL, LEDGER)) if part]
    for place in (JOURNAL, LEDGER):
        if place not in left and "lore" not in left:
            walk.tree(place)
    walk.follow()
    return {path: walk.stamps[path] for path in sorted(walk.stamps)}, [*map(outside, left), *_in_order(walk.findings)]


def note_files(root: Path, rules: Rules) -> tuple[dict[str, Stamp], list[Finding]]:
    """List the notes with their stamps, by vault-relative path, and what is wrong with them as files.

    A note is a ``*.md`` file that stands neither in a dot-folder or ``node_modules``, nor in ``lore/`` but for its
    inboxes, nor is left out by the rules, nor is a conflict copy. A link is followed to what is no note by its own
    path; out of the vault only where the rules let it.
    """
    ground = _Ground(root, rules)
    ground.walk.tree("")
    ground.inboxes()
    bases = set(ground.walk.links)
    ground.walk.follow()
    stamps, findings = _without_copies(ground.walk.stamps, bases)
    stamps = {path: stamps[path] for path in sorted(stamps)}
    return stamps, _in_order([*ground.walk.findings, *findings, *ground.strays(), *case_twins(stamps)])


def is_note(root: Path, rules: Rules, path: str) -> bool:
    """Say whether a vault-relative path is that of a note, just as the listing has it."""
    folders = _folders(path)
    if any(os.path.islink(root / place) for place in (*folders, path)):
        return path in note_files(root, rules)[0]
    ground = _Ground(root, rules)
    if folders == ["lore"]:
        ground.inboxes()
    elif not all(path.split("/")) or any(ground.skip(place, True) for place in folders):
        return False
    else:
        ground.walk.folder(path.rpartition("/")[0])
    return path in _without_copies(ground.walk.stamps, ground.walk.links)[0]


def note_names(root: Path, rules: Rules) -> Callable[[str], bool]:
    """Give what says of a path whether a file there would be a note, were it no conflict copy; none need be there.

    Of another vault's record it knows by what stands in the folder now.
    """
    ground, apart = _Ground(root, rules), {"": False}

    def is_named(path: str) -> bool:
        folder = path.rpartition("/")[0]
        if folder not in apart:
            apart[folder] = any(ground.skip(place, True) for place in _folders(path))
        return is_markdown(path) and not (apart[folder] or ground.skip(path, False))

    return is_named


class _Ground:
    """The notes' share of a vault: what of it is walked."""

    def __init__(self, root: Path, rules: Rules) -> None:
        self._root, self._ignore = root, rules.ignore
        self._own = {os.path.relpath(os.path.realpath(root / place), root) for place in _OWN}
        self.walk = Walk(str(root), self.skip, self._covers, leaves=rules.follow_external_symlinks)

    def skip(self, path: str, is_folder: bool) -> bool:
        """Say whether the walk passes over a path."""
        if _is_hidden(path, is_folder) or (is_folder and self._is_apart(path)):
            return True
        return leaves_out(self._ignore, path, is_folder=is_folder)

    def inboxes(self) -> None:
        """List the inboxes in ``lore/``."""
        if not leads_out(self._root, "lore"):
            self.walk.folder("lore", lambda path, is_folder: is_folder or not _is_inbox(path) or self.skip(path, False))

    def strays(self) -> list[Finding]:
        """Tell of the notes in ``lore/`` that nobody reads."""
        walk = Walk(str(self._root), self._is_kept, self._covers)
        if not leads_out(self._root, "lore"):
            walk.tree("lore")
        if not walk.stamps:
            return []
        first, more = min(walk.stamps), len(walk.stamps) - 1
        which = f'"{first}" and {more} more stand' if more else f'"{first}" stands'
        message = f"{which} in lore/, which is the engine's own: what is there is not read as notes."
        return [Finding("reserved-folder", message, "move it to another folder", first, severity=WARNING)]

    def _is_kept(self, path: str, is_folder: bool) -> bool:
        known = path in _KEPT or _is_inbox(path) or _is_queue(path) or _is_hidden(path, is_folder)
        return known or leaves_out(self._ignore, path, is_folder=is_folder)

    def _is_apart(self, path: str) -> bool:
        """Say whether a folder is no place for notes, or another vault's record."""
        name = path.rpartition("/")[2]
        if name == "node_modules" or path in self._own or f"/{path}".endswith(tuple(f"/{each}" for each in _BACKUPS)):
            return True
        if name.lower() != "lore":
            return False
        folder = self._root / path
        if "/" not in path:
            return (self._root / "lore").exists() and folder.exists() and folder.samefile(self._root / "lore")
        is_record = (folder / "journal").is_dir() and (folder / "ledger").is_dir()
        return is_record or (folder / "config.toml").is_file() or (folder.parent / ".lore").is_dir()

    def _covers(self, real: str, is_folder: bool) -> bool:
        """Say whether what a link leads to is a note by its own path, or never to be one."""
        if not is_within(str(self._root), real):
            return False
        path = os.path.relpath(real, self._root)
        if path == ".":
            return True
        parts = path.split("/")
        folders = ["/".join(parts[:end]) for end in range(1, len(parts) + is_folder)]
        if any(place in self._own or leaves_out(self._ignore, place, is_folder=True) for place in folders):
            return True
        if not is_folder and leaves_out(self._ignore, path, is_folder=False):
            return True
        return (is_folder or is_markdown(path)) and not any(self.skip(place, True) for place in folders)


def _without_copies(stamps: dict[str, Stamp], links: Iterable[str]) -> tuple[dict[str, Stamp], list[Finding]]:
    copies = conflict_copies({*stamps, *links})
    kept = {path: stamp for path, stamp in stamps.items() if path not in copies} if copies else stamps
    return kept, [conflict_copy(path, note) for path, note in copies.items() if path in stamps]


def _folders(path: str) -> list[str]:
    """Give the folders that a path leads through."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _is_hidden(path: str, _is_folder: bool) -> bool:
    return path[path.rfind("/") + 1] == "."


def _is_queue(path: str) -> bool:
    return path.startswith("lore/review-queue") and path.count("/") == 1


def _is_inbox(path: str) -> bool:
    return path.startswith("lore/inbox") and path.count("/") == 1


def _in_order(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.path, finding.code))
