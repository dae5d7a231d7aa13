"""What is tried: sets of vaults, questions, and what must be found; read from public data or from our own.

How a result is named, so that it can be compared with what is wanted, is the set's own affair: ``name`` gives the keys
of a result, see `metrics`. A set that ranks notes names each passage by its note, so that a note counts once.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from metrics import Keys, Wanted

Place = tuple[str, str, int]
"""A result: the path of its note, the heading it stands under, its first line."""


Figures = tuple[tuple[str, int], ...]
"""Figures by the names that `metrics` defines, each with its depth."""


class Question(NamedTuple):
    """One question; figures are told by its part and its kind. ``given`` is what else is said in the call."""

    id: str
    part: str
    kind: str
    wordings: tuple[str, ...]
    wanted: tuple[Wanted, ...]
    given: Mapping[str, object] = {}


class Vault(NamedTuple):
    """Notes by path, or a folder that holds them, and what is asked of them."""

    notes: Mapping[str, str] | Path
    questions: tuple[Question, ...]
    name: Callable[[Place], Keys]

    def put(self, folder: Path) -> None:
        """Write the notes into a folder."""
        if isinstance(self.notes, Path):
            shutil.copytree(self.notes, folder, dirs_exist_ok=True, copy_function=shutil.copyfile)
            return
        for path, text in self.notes.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())


class Trial(NamedTuple):
    """A set: its vaults as they are read, and the figures that are told of it, each with its depth.

    ``of_kinds`` are those told of every kind of question; ``limit`` is how many passages are asked for.
    """

    set: str
    vaults: Callable[[], Iterator[Vault]]
    told: Figures
    of_kinds: Figures = ()
    limit: int = 20


def by_path(place: Place) -> Keys:
    """Name a result by its note."""
    return (place[0],)
