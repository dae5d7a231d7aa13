"""SciFact in the form of BEIR: claims, and the abstracts that support or refute them.

An abstract is a note of its own: its title is the heading, its text the one paragraph below. A claim is one wording,
asked as it stands. What is ranked are notes; every judgement of the set is 1. The claims of ``train`` may be looked at
while constants are chosen, those of ``test`` are only reported.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from metrics import Wanted
from trials import Question, Trial, Vault, by_path

SPLITS = ("train", "test")
FIGURES = (("nDCG", 10), ("R", 10))


def trial(folder: Path) -> Trial:
    """Read the set from a folder with ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/``."""
    return Trial("SciFact", lambda: _vaults(folder), FIGURES)


def _vaults(folder: Path) -> Iterator[Vault]:
    notes = {path_of(one["_id"]): note(one["title"], one["text"]) for one in _lines(folder / "corpus.jsonl")}
    claims = {one["_id"]: one["text"] for one in _lines(folder / "queries.jsonl")}
    asked = [
        Question(name, split, "", (claims[name],), found)
        for split in SPLITS
        if (path := folder / "qrels" / f"{split}.tsv").exists()
        for name, found in judged(path).items()
    ]
    yield Vault(notes, tuple(asked), by_path)


def judged(path: Path) -> dict[str, tuple[Wanted, ...]]:
    """Read which abstracts are wanted for each claim."""
    wanted: dict[str, list[Wanted]] = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                wanted.setdefault(row["query-id"], []).append(frozenset({path_of(row["corpus-id"])}))
    return {claim: tuple(found) for claim, found in wanted.items()}


def path_of(name: str) -> str:
    """Name the note of an abstract."""
    return f"{name}.md"


def note(title: str, text: str) -> str:
    """Write an abstract as a note."""
    return f"# {title}\n\n{text}\n"


def _lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
