"""Whatever happens to a vault of notes, the index brought up to date is the index built anew, table by table."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from random import Random

import pytest

import loreweave
from loreweave.store.schema import TABLES
from note_histories import step

SEQUENCES = int(os.environ.get("LORE_TEST_SEQUENCES", "3"))
STEPS = 60
REFRESHED, COMPARED = 0.4, 0.1
"""How often an edit is followed by a reading, and how often by a comparison."""

INTERNAL = ("repeats", "statements", "names", "anchors", "departed", "listed")
QUESTIONS = (
    "select * exclude (known_from, known_until) from belief_at('2026-06-15', null) order by all",
    "select * from belief_at('2026-03-01', '2026-06-01T12:00:00Z') order by all",
    "from spells_at(null) order by all",
    "from contradictions order by all",
)


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_after_any_edits_an_index_brought_up_to_date_is_one_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance, root = Random(seed), tmp_path / "vault"
    root.mkdir()
    done = []
    for number in range(STEPS):
        done.append(step(root, chance, number))
        monkeypatch.setenv("LORE_NOW", f"2026-07-01T00:{number:02}:00Z")
        notes = _notes(root)
        with loreweave.open(root) as lore:
            if done[-1] == "index":
                lore.index()
            elif chance.random() < REFRESHED:
                lore.refresh()
        assert _notes(root) == notes
        if chance.random() < COMPARED or number == STEPS - 1:
            anew = tmp_path / f"anew{number}"
            shutil.copytree(root, anew, ignore=shutil.ignore_patterns(".lore"))
            assert _held(root) == _held(anew), (seed, number, done)


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_indexing_again_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance, root = Random(1_000 + seed), tmp_path / "vault"
    root.mkdir()
    for number in range(STEPS):
        step(root, chance, number)
        if number % 6 == 5:
            monkeypatch.setenv("LORE_NOW", f"2026-07-01T00:{number:02}:00Z")
            with loreweave.open(root) as lore:
                lore.index()
                before = _files(root)
                again = lore.index()
            assert (again.observed, again.withdrawn, again.path) == (0, 0, None)
            assert _files(root) == before


def _held(root: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every table, and the answers to some questions, of the index of a vault brought up to date."""
    with loreweave.open(root) as lore:
        lore.refresh()
        with lore.engine.session() as session:
            asked = [*(f"from {table} order by all" for table in (*(t.name for t in TABLES), *INTERNAL)), *QUESTIONS]
            return {sql: session.ask(sql).fetchall() for sql in asked}


def _notes(root: Path) -> dict[str, bytes]:
    return {path: text for path, text in _files(root).items() if not path.startswith("lore/")}


def _files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".lore" not in path.relative_to(root).parts
    }
