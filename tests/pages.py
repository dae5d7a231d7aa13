"""Sessions on pages for users: what a console block shows is typed again in a vault, and compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from spec_blocks import Command
from spec_checks import Edit
from spec_session import Terminal

_GIVEN = re.compile(r"^`([^`\n]+\.md)`\n\n```markdown\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, language: str) -> list[tuple[int, list[str]]]:
    """Give the fences of a language: the number of the first line inside, and the lines."""
    return [
        (text.count("\n", 0, block.start(2)) + 1, block[2].splitlines())
        for block in _BLOCK.finditer(text)
        if block[1] == language
    ]


def sessions(text: str) -> list[list[Command]]:
    """Give the console blocks of a page as commands with what is shown below them."""
    return [list(_commands(number, lines)) for number, lines in blocks(text, "console")]


def given(text: str) -> dict[str, str]:
    """Give the notes that a page shows in full, each below its path."""
    return {note[1]: note[2] for note in _GIVEN.finditer(text)}


def outdated(text: str, vault_for: Callable[[list[Command]], Path]) -> list[Edit]:
    """Type every session of a page in the vault that is made for it; give what no longer comes out as shown."""
    edits = []
    for session in sessions(text):
        terminal = Terminal(vault_for(session))
        for command in session:
            came = tuple(terminal.type(command.text))
            if came != command.output:
                first = command.line + 1
                edits.append(Edit(first, first + len(command.output), came))
    return edits


def _commands(number: int, lines: list[str]) -> Iterator[Command]:
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    for at, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield Command(number + at, lines[at][2:], tuple(lines[at + 1 : end]))
