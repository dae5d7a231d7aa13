"""What is kept for the next time a session is resumed: a small file for each name, in ``.lore/``.

It may be lost with the rest of ``.lore/``: then it is unknown which notes changed and which lines came late, and
nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from loreweave.projections.changed import Kept
from loreweave.times import read_instant, show_instant
from loreweave.vault.append import SESSIONS, lore_folder
from loreweave.vault.read import read_bytes
from loreweave.vault.root import leads_out


def keep(root: Path, scope_key: str, name: str, kept: Kept) -> None:
    """Keep this for a session in place of what was kept for it; the caller holds the vault's lock.

    Where that cannot be written, what was kept before stands: then more is told the next time, and nothing is lost.
    """
    folder = lore_folder(root) / "sessions"
    told = {
        "scope": scope_key,
        "name": name,
        "recorded_at": show_instant(kept.recorded_at),
        "after": show_instant(kept.after),
        "events": sorted(kept.events),
        "notes": dict(kept.notes),
    }
    beside = ""
    try:
        folder.mkdir(exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=".next-", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(told, file, ensure_ascii=False, separators=(",", ":"))
        os.replace(beside, folder / _name(scope_key, name))
    except OSError:
        with suppress(OSError):
            os.unlink(beside)


def kept_of(root: Path, scope_key: str, name: str | None) -> tuple[Kept, ...]:
    """Give what was kept for a session; where nothing was, or none is named, what was for each of the scope."""
    own = None if name is None else _read(root, f"{SESSIONS}/{_name(scope_key, name)}", scope_key)
    if own is not None:
        return (own,)
    try:
        names = sorted(os.listdir(root / SESSIONS))
    except OSError:
        return ()
    found = (_read(root, f"{SESSIONS}/{file}", scope_key) for file in names if file.endswith(".json"))
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
        notes = {str(note): str(found) for note, found in told["notes"].items()}
        events = frozenset(map(str, told["events"]))
        return Kept(read_instant(told["recorded_at"]), notes, read_instant(told["after"]), events)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
