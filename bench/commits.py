"""Vaults with a history: a first commit of all notes, and then commits of a day's work on a few of them.

The mix: each commit touches one to five notes; of the changes 70 % edit a value, 15 % edit prose alone, 6 % rename a
note, 3 % remove one and 6 % add one. Commits are nineteen hours apart. The same numbers give the same commits anywhere.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import notes

FIRST = 1_609_491_600
STEP = 19 * 3600

VALUE, PROSE, RENAME, REMOVE = 0.70, 0.85, 0.91, 0.94
"""Upper bounds of the share of each kind of change, one upon the other; the rest adds a note."""

Change = tuple[str, str | None]
"""A path and what the file becomes, None where it goes."""


def write(vault: Path, count: int, commits: int) -> None:
    """Make a vault that is a repository, checked out, of so many notes and commits."""
    vault.mkdir(parents=True)
    _git(vault, "init", "--quiet", "--initial-branch=main")
    _git(vault, "fast-import", "--quiet", given=b"".join(_stream(count, commits)))
    _git(vault, "reset", "--quiet", "--hard", "main")


def changes(count: int, commits: int) -> Iterator[list[Change]]:
    """Give what each commit changes."""
    yield list(notes.notes(count))
    work = _Work(count)
    for _ in range(1, commits):
        yield work.day()


class _Work:
    """The notes as they stand: of each its path, and which version of it was written last."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._random = Random(notes.SEED)
        self._paths = {number: notes.path_of(number) for number in range(count)}
        self._versions = dict.fromkeys(range(count), 0)
        self._edits = 0

    def day(self) -> list[Change]:
        """Change a few notes."""
        touched = {int(self._random.random() * self._count) for _ in range(1 + int(self._random.random() * 5))}
        return [change for number in sorted(touched) for change in self._change(number)]

    def _change(self, number: int) -> Iterator[Change]:
        kind = self._random.random()
        self._edits += 1
        if number not in self._paths or kind >= REMOVE:
            number = number if number not in self._paths else len(self._versions)
            self._paths[number] = notes.path_of(number)
            self._versions.setdefault(number, 0)
            yield self._paths[number], self._text(number)
        elif kind < VALUE:
            self._versions[number] += 1
            yield self._paths[number], self._text(number)
        elif kind < PROSE:
            yield self._paths[number], f"{self._text(number)}\nWritten again, time {self._edits}.\n"
        elif kind < RENAME:
            yield self._paths[number], None
            self._paths[number] = f"archive/{self._edits}/{notes.name_of(number)}.md"
            yield self._paths[number], self._text(number)
        else:
            yield self._paths.pop(number), None

    def _text(self, number: int) -> str:
        return notes.text_of(number, self._count, self._versions[number])


def _stream(count: int, commits: int) -> Iterator[bytes]:
    for number, changed in enumerate(changes(count, commits)):
        yield b"commit refs/heads/main\ncommitter Priya <priya@example.org> "
        yield f"{FIRST + number * STEP} +0000\ndata 4\nWork\n".encode()
        for path, text in changed:
            if text is None:
                yield f'D "{path}"\n'.encode()
            else:
                content = text.encode()
                yield f'M 100644 inline "{path}"\ndata {len(content)}\n'.encode() + content + b"\n"


def _git(vault: Path, *words: str, given: bytes | None = None) -> None:
    subprocess.run(["git", "-C", str(vault), *words], input=given, check=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
