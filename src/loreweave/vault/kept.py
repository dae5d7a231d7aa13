"""What is kept for the next time a session is resumed: a small file for each name, in ``.lore/``.

It may be lost with the rest of ``.lore/``: then it is unknown which notes changed and which lines came late, and
nothing else. So of each scope it is kept for the sessions resumed last: an agent that makes up names fills no disk.
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

KEPT = 50
"""Of how many sessions of a scope something is kept: of so many of people, and so many of agents."""


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
        _let_go(folder, _name(scope_key, name))
    except OSError:
        with suppress(OSError):
            os.unlink(beside)


def _let_go(folder: Path, own: str) -> None:
    """Leave what was kept last of sessions like this one, its own too; the names of their files begin alike."""
    beginning = own[: own.rindex("-") + 1]
    others = [path for path in folder.glob(f"{beginning}*.json") if path.name != own]
    if len(others) >= KEPT:
        for path in sorted(others, key=lambda path: (path.stat().st_mtime_ns, path.name))[: 1 - KEPT]:
            path.unlink()


def kept_of(root: Path, scope_key: str, name: str | None) -> tuple[Kept, ...]:
    """Give what was kept for a session; where nothing was, or none is named, what was for each of the scope."""
    own = None if name is None else _read(root, f"{SESSIONS}/{_name(scope_key, name)}", scope_key)
    if own is not None:
        return (own,)
    try:
        names = sorted(os.listdir(root / SESSIONS))
    except OSError:
        return ()
    beginning = _beginning(scope_key)
    found = (_read(root, f"{SESSIONS}/{file}", scope_key) for file in names if file.startswith(beginning))
    return tuple(filter(None, found))


def _name(scope_key: str, name: str) -> str:
    """Give the name of a session's file; a session of an agent has its agent after NUL."""
    whose = "agent" if "\0" in name else "person"
    return f"{_beginning(scope_key)}{whose}-{_digits(scope_key, name)[:20]}.json"


def _beginning(scope_key: str) -> str:
    return f"{_digits(scope_key)[:12]}-"


def _digits(*names: str) -> str:
    return hashlib.sha256("\0".join(names).encode()).hexdigest()


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
