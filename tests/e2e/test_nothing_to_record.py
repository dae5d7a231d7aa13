"""Runs that have nothing to record, and what must not stand in their way: a bad clock, bytes, lines let go before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import loreweave
from loreweave.errors import Refused
from repositories import Repository
from walks import lines, walk

AHEAD = "- [fact] Vendor :: status :: late {recorded_at=2027-01-01T08:00:00Z}\n"
NOTE = "# Atlas\n\nstatus:: draft\n"


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", "2026-03-01T08:00:00Z")


def test_a_record_time_ahead_is_in_the_way_of_a_value_and_not_of_prose(tmp_path: Path) -> None:
    note, journal = tmp_path / "Atlas.md", tmp_path / "lore/journal/2027-01-01.md"
    note.write_text(NOTE, "utf-8")
    with loreweave.open(tmp_path) as lore:
        lore.index()
        journal.parent.mkdir(parents=True)
        journal.write_text(AHEAD, "utf-8")
        note.write_text(f"{NOTE}\nSome words.\n", "utf-8")
        made = lore.index()
        assert (made.path, made.notes.changed) == (None, 1)
        note.write_text(NOTE.replace("draft", "final"), "utf-8")
        with pytest.raises(Refused, match="more than a day ahead of now"):
            lore.index()


def test_a_note_that_was_no_text_when_it_was_committed_said_nothing_new_then(tmp_path: Path) -> None:
    repository = Repository.new(tmp_path / "vault")
    repository.commit({"atlas.md": NOTE, "blank.md": b"status:: forged\n" + bytes(4096)}, at="2024-01-10T09:00:00Z")
    repository.commit({"atlas.md": b"status:: forged\n" + bytes(4096)}, at="2024-01-11T09:00:00Z")

    made = walk(repository.folder)

    assert (made["observed"], made["withdrawn"]) == (1, 0)
    assert "status :: draft" in lines(repository.folder, "observed")[0]


def test_committed_lines_that_were_let_go_stay_so_when_the_index_is_built_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository.new(tmp_path / "vault")
    repository.put({"atlas.md": NOTE})
    with loreweave.open(repository.folder) as lore:
        lore.index()
        repository.commit({})
        shutil.rmtree(repository.folder / "lore")
        monkeypatch.setenv("LORE_NOW", "2026-03-02T08:00:00Z")
        with pytest.raises(Refused, match="lost lines"):
            lore.index()
        assert lore.index(start_over=True).observed == 1
        assert lore.index(full=True).path is None
