"""The stamps of the few files right in ``lore/`` that are read, looked at before every answer of a server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from loreweave.vault.root import CONFIG
from loreweave.vault.walk import Stamp, is_markdown, stamp_of

Marks = Mapping[str, Stamp]
"""Stamps by path relative to the vault."""


def other_marks(root: Path) -> dict[str, Stamp]:
    """Give the stamps of the settings, and of the Markdown files that stand beside them: the inboxes."""
    try:
        names = sorted(os.listdir(root / "lore"))
    except OSError:
        return {}
    paths = [path for name in names if is_markdown(path := f"lore/{name}") or path == CONFIG]
    return {path: stamp for path in paths if (stamp := stamp_of(root / path)) is not None}
