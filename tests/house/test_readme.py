"""What the README shows is what a user sees: its sessions are run, and print exactly that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from house.tree import ROOT
from spec_session import Terminal

SECTIONS = dict(
    re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", (ROOT / "README.md").read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
)
FILES = re.compile(r"^`(lore/[^`\n]+)`\n\n```markdown\n(.*?)```", re.DOTALL | re.MULTILINE)
SESSIONS = re.compile(r"^```console\n(.*?)```", re.DOTALL | re.MULTILINE)
WRITER = {"LORE_NOW": "2026-08-01T09:30:00Z", "LORE_BY": "ana"}


@pytest.mark.parametrize("title", ["Two times", "A vault of your own"])
def test_a_session_in_the_readme_prints_what_it_shows(title: str, tmp_path: Path) -> None:
    for name, text in FILES.findall(SECTIONS[title]):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    terminal = Terminal(tmp_path)
    terminal.exported |= WRITER
    shown = "".join(SESSIONS.findall(SECTIONS[title]))
    commands = [line.removeprefix("$ ") for line in shown.splitlines() if line.startswith("$ ")]
    assert shown == "".join(f"{line}\n" for command in commands for line in [f"$ {command}", *terminal.type(command)])
