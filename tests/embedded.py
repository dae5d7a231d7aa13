"""A small vault with a provider of vectors: how it is set up, indexed and searched in tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from embedding_server import Server
from typed import answer, typed, vault

NOTES = {
    "boats.md": "# Boats\n\nThe ship leaves at noon.\n\n## Harbour\n\nNobody is there.\n",
    "tower.md": "# Tower\n\nA lighthouse far out.\n",
    "vendor.md": "# Vendor\n\nThe supplier delivers every day.\n",
    "empty.md": "# Empty\n",
}
ALONE = "Ranked by words alone. "


def told(root: Path, server: Server, **settings: object) -> Path:
    """Write the settings that name the server."""
    lines = {"provider": "ollama", "url": server.url, "model": "m", **settings}
    text = "".join(f"{name} = {json.dumps(value)}\n" for name, value in lines.items())
    return vault(root, {"lore/config.toml": f"[embedding]\n{text}"})


def searched(root: Path, *words: str) -> Any:
    return answer(root, "search", *words)


def paths(found: Any) -> list[str]:
    return [result["path"] for result in found["results"]]


def said(root: Path) -> tuple[list[str], list[str]]:
    """Run ``lore index``; give the lines of its answer about vectors, and what it said beside."""
    result = typed(root, "index")
    assert result.exit_code == 0
    return [line for line in result.stdout.splitlines() if line.startswith("embedded")], result.stderr.splitlines()
