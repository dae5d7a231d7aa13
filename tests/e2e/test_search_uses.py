"""What was used comes first where it answers as well; a vault without uses is searched as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from loreweave.library import Lore
from loreweave.search import memory
from typed import typed, vault

NOTES = {
    "one.md": "# One\n\nThe tariffs are settled by noon.\n",
    "two.md": "# Two\n\nThe tariffs are agreed by noon.\n",
    "strong.md": "# Tariffs by noon\n\nTariffs by noon: tariffs, tariffs, and noon.\n",
    "weak.md": "# Weak\n\nNoon is when all of us eat, one after the other, whatever else there may be to do\n",
    "clients/other.md": "# Other\n\nThe tariffs are set by noon.\n",
    "lore/config.toml": '[scopes]\nclients = "alice"\n',
}
QUESTION = "tariffs by noon"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return vault(tmp_path, NOTES)


def _search(at: Path, *words: str, when: str = "2025-12-01") -> Any:
    return json.loads(typed(at, "search", QUESTION, "--json", *words, LORE_NOW=when).stdout)


def _paths(at: Path, when: str = "2025-12-01") -> list[str]:
    return [each["path"] for each in _search(at, when=when)["results"]]


def _use(at: Path, address: str, *words: str, when: str = "2025-12-01") -> None:
    typed(at, "mark-used", address, *words, LORE_NOW=when)


def test_of_two_that_answer_alike_the_one_that_was_used_comes_first_and_says_so(notes: Path) -> None:
    assert _paths(notes) == ["strong.md", "one.md", "two.md", "weak.md"]
    _use(notes, "two.md")
    found = _search(notes)["results"]
    assert [each["path"] for each in found] == ["strong.md", "two.md", "one.md", "weak.md"]
    assert found[1]["why"][-1] == "used 1 time, last on 2025-12-01"
    assert not any("used" in why for each in (found[0], *found[2:]) for why in each["why"])


def test_a_use_lifts_nothing_above_what_answers_much_better(notes: Path) -> None:
    for day in range(1, 10):
        _use(notes, "weak.md", when=f"2025-12-0{day}")
    assert _paths(notes, "2025-12-09") == ["strong.md", "one.md", "two.md", "weak.md"]


def test_what_was_used_of_late_comes_before_what_has_faded(notes: Path) -> None:
    _use(notes, "one.md", when="2024-01-01")
    assert _paths(notes, "2024-01-02")[1] == "one.md"
    _use(notes, "two.md")
    assert _paths(notes)[1:3] == ["two.md", "one.md"]


def test_the_instant_of_the_question_decides_and_the_answer_is_the_same_each_time(notes: Path) -> None:
    _use(notes, "two.md", when="2025-12-01")
    assert _paths(notes, "2025-11-01")[1] == "one.md"
    with Lore(notes) as lore:
        answers = [repr(lore.search(QUESTION)) for _ in range(3)]
    assert len(set(answers)) == 1


def test_a_use_in_one_scope_lifts_nothing_in_another(notes: Path) -> None:
    before = _search(notes)
    _use(notes, "clients/other.md", "--scope", "alice")
    assert _search(notes) == before


def test_a_vault_without_uses_asks_for_them_once_and_reads_none(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _search(notes)
    monkeypatch.setattr(memory, "known", None)
    monkeypatch.setattr(memory, "_read", None)
    assert _search(notes) == before


def test_a_use_of_what_is_gone_changes_nothing(notes: Path) -> None:
    before = _search(notes)
    vault(notes, {"lore/ledger/2025-11-01-0001.md": "- [used] gone.md {recorded_at=2025-11-01T00:00:00Z, hash=0123}\n"})
    assert _search(notes) == before


def test_the_more_a_note_matters_the_more_its_use_counts(notes: Path) -> None:
    vault(notes, {"two.md": "---\npriority: 10\n---\n" + NOTES["two.md"]})
    for path in ("one.md", "two.md"):
        _use(notes, path)
    assert _paths(notes)[1:3] == ["two.md", "one.md"]
