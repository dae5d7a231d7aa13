"""What is kept of the notes for the next time a session is resumed: a small file for each name, in ``.lore/``.

It may be lost with the rest of ``.lore/``: then it is unknown which notes changed, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from loreweave.errors import VaultError
from loreweave.projections.changed import Kept
from loreweave.times import read_instant, show_instant
from loreweave.vault.append import lore_folder
from loreweave.vault.read import read_bytes
from loreweave.vault.root import leads_out, refuse_outside

FOLDER = ".lore/sessions"


def keep(root: Path, scope_key: str, name: str, kept: Kept) -> None:
    """Keep the notes of a scope for a session, in place of what was kept for it; the caller holds the vault's lock."""
    refuse_outside(root, FOLDER)
    folder = lore_folder(root) / "sessions"
    told = {"scope": scope_key, "name": name, "recorded_at": show_instant(kept.recorded_at), "notes": dict(kept.notes)}
    beside = ""
    try:
        folder.mkdir(exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=".next-", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(told, file, ensure_ascii=False, separators=(",", ":"))
        os.replace(beside, folder / _name(scope_key, name))
    except OSError as failed:
        with suppress(OSError):
            os.unlink(beside)
        raise VaultError(f'"{FOLDER}" cannot be written: {failed.strerror}.', "make it writable") from None


def kept_of(root: Path, scope_key: str, name: str | None) -> tuple[Kept, ...]:
    """Give what was kept for a session; where nothing was, or none is named, what was for each of the scope."""
    own = None if name is None else _read(root, f"{FOLDER}/{_name(scope_key, name)}", scope_key)
    if own is not None:
        return (own,)
    try:
        names = sorted(os.listdir(root / FOLDER))
    except OSError:
        return ()
    found = (_read(root, f"{FOLDER}/{file}", scope_key) for file in names if file.endswith(".json"))
    return tuple(filter(None, found))


def _name(scope_key: str, name: str) -> str:
    return hashlib.sha256(f"{scope_key}\0{name}".encode()).hexdigest()[:32] + ".json"


def _read(root: Path, path: str, scope_key: str) -> Kept | None:
    try:
        if leads_out(root, path):
            return None
        told = json.loads(read_bytes(root, path))
        if told["scope"] != scope_key:
            return None
        return Kept(read_instant(told["recorded_at"]), {str(note): str(found) for note, found in told["notes"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
