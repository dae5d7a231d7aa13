"""A session of a spec: commands typed into the scenario's vault, one after another, without a shell.

Whatever a command does, it changes no file of the vault that is there, but for lines added below ``lore/`` and to the
note that ``--to`` names.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

READER = "auditor"
"""The user that sessions run as, where a spec does not export LORE_BY."""


class NoSuchCommand(Exception):
    """A session types something other than the commands it may."""


class FileChanged(Exception):
    """A command changed a file that it may not change."""


class NeedsClock(Exception):
    """A command asked the machine for the time, which a spec never shows: export LORE_NOW."""


class _NoClock:
    @staticmethod
    def now(zone: object) -> object:
        raise NeedsClock("this command needs a clock: export LORE_NOW first")


class Terminal:
    """A folder, the names exported so far, and what the screen shows."""

    def __init__(self, vault: Path) -> None:
        self.vault = vault
        self.exported: dict[str, str] = {}

    def type(self, command: str) -> list[str]:
        """Run one command and give the screen: standard output, standard error, ``[exit N]`` unless 0."""
        words = _words(command)
        if words[0] == "lore":
            return self._lore(words[1:])
        if words[0] == "export" and len(words) == 2 and "=" in words[1]:
            name, _, value = words[1].partition("=")
            self.exported[name] = value
            return []
        if words[0] == "cat" and len(words) == 2:
            return _screen(self._inside(words[1]).read_bytes().decode("utf-8", "replace"))
        if words == ["rm", "-r", ".lore"]:
            shutil.rmtree(self.vault / ".lore")
            return []
        if words[0] == "rm" and len(words) == 2:
            self._inside(words[1]).unlink()
            return []
        if words[0] == "mv" and len(words) == 3:
            return self._move(self._inside(words[1]), words[2])
        raise NoSuchCommand(
            f"a session knows lore, export NAME=value, cat FILE, rm FILE, mv FILE FILE and rm -r .lore, not: {command}"
        )

    def _move(self, source: Path, name: str) -> list[str]:
        target = self.vault / name
        if target.exists() or not target.resolve().is_relative_to(self.vault.resolve()):
            raise NoSuchCommand(f'"{name}" is no new place in the vault')
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
        return []

    def _lore(self, words: list[str]) -> list[str]:
        from loreweave import clock
        from loreweave.cli import main

        before = self._contents()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.vault)
            patch.setattr(clock, "datetime", _NoClock)
            for name in [name for name in os.environ if name.startswith(("LORE_", "COLUMNS"))]:
                patch.delenv(name)
            environment = {"LOGNAME": READER, "USER": READER, **self.exported}
            result = CliRunner().invoke(main, words, prog_name="lore", env=environment)
        if isinstance(result.exception, NeedsClock):
            raise NoSuchCommand(str(result.exception))
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        self._hold_untouched(before, words[words.index("--to") + 1] if "--to" in words else None)
        ending = [f"[exit {result.exit_code}]"] if result.exit_code else []
        return _screen(result.stdout) + _screen(result.stderr) + ending

    def _contents(self) -> dict[str, bytes]:
        """Give the bytes of every file of the vault, links too, but for what the engine may throw away."""
        paths = (path for path in self.vault.rglob("*") if path.is_file())
        named = ((path.relative_to(self.vault).as_posix(), path) for path in paths)
        return {name: path.read_bytes() for name, path in named if not name.startswith(".lore/")}

    def _hold_untouched(self, before: dict[str, bytes], named: str | None) -> None:
        after = self._contents()
        for name, content in before.items():
            grows = name.startswith("lore/") or name == named
            if not (after.get(name, b"").startswith(content) if grows else after.get(name) == content):
                raise FileChanged(f'a command changed "{name}"')

    def _inside(self, name: str) -> Path:
        path = (self.vault / name).resolve()
        if not path.is_relative_to(self.vault.resolve()) or not path.is_file():
            raise NoSuchCommand(f'no file "{name}" in the vault')
        return path


def _words(command: str) -> list[str]:
    """Split a command as a shell would; refuse what only a shell could do."""
    marks = shlex.shlex(command, posix=False, punctuation_chars=True)
    marks.whitespace_split = True
    if any(set(word) <= set("();<>|&") for word in marks):
        raise NoSuchCommand(f"a session has no shell: {command}")
    return shlex.split(command) or [""]


def _screen(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
