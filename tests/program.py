"""The program run within the process of the test: what it prints, its exit code held to what is expected."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

NO_SETTINGS = {"LORE_NOW": None, "LORE_BY": "tests", "COLUMNS": None}


def lore(vault: Path, *words: str, exits: int = 0, **environment: str) -> str:
    """Run a command in a vault and give its standard output; fail where it leaves with another code."""
    from loreweave.cli import main

    command = ["--vault", str(vault), *words]
    result = CliRunner().invoke(main, command, prog_name="lore", env={**NO_SETTINGS, **environment})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == exits, f"lore {' '.join(words)}\n{result.stdout}{result.stderr}"
    return result.stdout


def digests(vault: Path, what: str = "all", *words: str) -> str:
    """Replay a vault and give its digest and those of its tables, as printed."""
    return lore(vault, "--quiet", "replay", "--digest", what, *words)
