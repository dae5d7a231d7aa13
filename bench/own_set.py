"""Our own questions: what public sets lack, over invented notes, the example vault and, where at hand, public vaults.

``tests/data/retrieval/README.md`` says what a question holds. A note is found by its path, a passage by its anchor.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from metrics import Keys, Wanted
from trials import Place, Question, Trial, Vault

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "tests" / "data" / "retrieval"
KEPT = {"own": HERE / "vault", "examples": ROOT / "examples" / "vault"}
FIGURES = (("Hit", 1), ("R", 5), ("R", 10), ("MRR", 10))
GIVEN = ("tags", "folder", "since", "until", "now")


def trial() -> Trial:
    """Read the questions over vaults that are kept here."""
    return Trial("own set", lambda: _vaults(HERE / "questions.jsonl", KEPT), FIGURES, FIGURES[:2])


def public(vaults: Path) -> Trial:
    """Read the questions over public vaults, each a folder of this one; those that are not there are left out."""
    at_hand = {path.name: path for path in vaults.iterdir() if path.is_dir()}
    return Trial(
        "own set, public vaults", lambda: _vaults(HERE / "questions_public.jsonl", at_hand), FIGURES, FIGURES[:2]
    )


def _vaults(questions: Path, folders: Mapping[str, Path]) -> Iterator[Vault]:
    rows = [json.loads(line) for line in questions.read_text("utf-8").splitlines()]
    for name in dict.fromkeys(row["vault"] for row in rows):
        if name in folders:
            asked = tuple([_question(row) for row in rows if row["vault"] == name])
            yield Vault(folders[name], asked, by_every_name)


def _question(row: Mapping[str, Any]) -> Question:
    given = {name: row[name] for name in GIVEN if name in row}
    wanted = tuple(map(_wanted, row["relevant"]))
    return Question(row["id"], row["split"], row["kind"], tuple(row["wordings"]), wanted, given)


def _wanted(entry: Mapping[str, Any]) -> Wanted:
    anchor = f"#{entry['anchor']}" if "anchor" in entry else ""
    return frozenset(path + anchor for path in (entry["path"], *entry.get("or", ())))


def by_every_name(place: Place) -> Keys:
    """Name a passage by its place, its note, and its heading."""
    path, anchor, line = place
    return f"{path}:{line}", path, f"{path}#{anchor}"
