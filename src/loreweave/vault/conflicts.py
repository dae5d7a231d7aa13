"""Conflict copies: what a sync tool leaves beside a note that changed in two places, known by how the tool names it.

A name alone makes no copy: the note it belongs to must stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from loreweave.errors import WARNING, Finding

_WORD = "onflict"
_NAMED = (
    r"\.sync-conflict-[0-9]{8}-[0-9]{6}(?:-[0-9A-Z]{7})?",  # Syncthing
    r" \((?:[^()/]{0,200} )?[Cc]onflicted copy [^()/]{0,200}[0-9]{4}[^()/]{0,20}\)(?: ?\([0-9]{1,3}\))?",  # below
    r"_conflict-[0-9]{8}-[0-9]{6}",  # ownCloud, and Nextcloud before 2019
    r" \(SFConflict [^()/]{1,200}[0-9]{4}(?:-[0-9]{2}){5}\)(?:-[0-9]{1,3})?",  # Seafile
)
"""What is added before the ending; the second is that of Obsidian Sync, Dropbox, Nextcloud and Box, with a date."""

_copy = re.compile(rf"(.*[^/])(?:{'|'.join(_NAMED)})(\.[Mm][Dd])", re.DOTALL).fullmatch


def conflict_copies(paths: Collection[str]) -> dict[str, str]:
    """Give for every conflict copy among these paths the note it belongs to; ``paths`` is asked what it holds."""
    found: dict[str, str] = {}
    for path in sorted((path for path in paths if _WORD in path), key=len):
        base = _base(path)
        while base is not None and base not in paths:
            base = _base(base)
        if base is not None:
            found[path] = found.get(base, base)
    return found


def conflict_copy(path: str, note: str) -> Finding:
    """Make the finding for a conflict copy."""
    message = f'"{path}" is a conflict copy of "{note}" and is not read.'
    hint = "bring what is missing into the note, and remove the copy"
    return Finding("conflict-copy", message, hint, path, severity=WARNING)


def _base(path: str) -> str | None:
    match = _copy(path)
    return match[1] + match[2] if match else None
