"""Commands typed in a test: a vault given as files, the program in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from house.tree import PACKAGE
from loreweave.cli import main

NOW = "2025-12-01T00:00:00Z"
ENVIRONMENT: Mapping[str, str | None] = {"LORE_NOW": NOW, "LORE_BY": "priya", "COLUMNS": None}


def vault(folder: Path, files: Mapping[str, str]) -> Path:
    """Make a vault of files."""
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def typed(at: Path, *words: str, given: str | None = None, **environment: str | None) -> Result:
    """Run a command in this process; only what leaves the program by itself is an exception here."""
    result = CliRunner().invoke(main, ["--vault", str(at), *words], input=given, env={**ENVIRONMENT, **environment})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def screen(at: Path, *words: str, given: str | None = None) -> list[str]:
    """Give the lines of an answer that nothing is to be said of."""
    result = typed(at, *words, given=given)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()


def answer(at: Path, *words: str) -> Any:
    """Give an answer read back from JSON."""
    return json.loads("\n".join(screen(at, *words, "--json")))


def refused(at: Path, *words: str) -> tuple[int, list[str]]:
    """Give exit code and what was said of a command that printed no answer."""
    result = typed(at, *words)
    assert result.stdout == ""
    return result.exit_code, result.stderr.splitlines()


def process(at: Path, *words: str, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(PACKAGE.parent), "LORE_NOW": NOW}
    command = [sys.executable, "-m", "loreweave", "--vault", str(at), *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(command, env=environment, text=True, **pipes)
