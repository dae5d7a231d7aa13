"""A conflict copy is known by the name a sync tool gives it, and only beside the note it belongs to."""

from __future__ import annotations

import pytest

from loreweave.vault.conflicts import conflict_copies

COPIES = [
    "ledger.sync-conflict-20260112-003022-ABCDEF7.md",
    "ledger.sync-conflict-20150101-120000.md",
    "ledger (conflicted copy 2026-01-12).md",
    "ledger (conflicted copy 2026-01-12 093022).md",
    "ledger (Priya's conflicted copy 2026-01-12).md",
    "ledger (Priya's conflicted copy 2026-01-12) (1).md",
    "ledger (Conflicted copy Priya's laptop 202601120930).md",
    "ledger_conflict-20260112-093022.md",
    "ledger (SFConflict priya@example.com 2026-01-12-09-30-22).md",
]
NOTES = [
    "Conflict resolution.md",
    "ledger conflict.md",
    "ledger (conflicted copy).md",
    "ledger (on conflicted copy handling).md",
    "ledger sync-conflict-20260112.md",
    "ledger.sync-conflict-notes.md",
    "ledger (conflicted copy 2026-01-12) discussed.md",
    "ledger 2.md",
    "ledger (1).md",
    "conflicted copy 2026-01-12.md",
    " (conflicted copy 2026-01-12).md",
]


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_belongs_to_the_note_beside_it(copy: str) -> None:
    assert conflict_copies({copy, "ledger.md"}) == {copy: "ledger.md"}
    assert conflict_copies({f"in/{copy}", "in/ledger.md"}) == {f"in/{copy}": "in/ledger.md"}
    ending = copy.replace(".md", ".MD")
    assert conflict_copies({ending, "ledger.MD"}) == {ending: "ledger.MD"}


@pytest.mark.parametrize("copy", COPIES)
def test_without_its_note_beside_it_the_name_is_that_of_a_note(copy: str) -> None:
    assert conflict_copies({copy, "in/ledger.md", "Ledger.md", "ledger.MD", "ledger"}) == {}


@pytest.mark.parametrize("name", NOTES)
def test_a_name_that_merely_holds_the_word_is_that_of_a_note(name: str) -> None:
    assert conflict_copies({name, "ledger.md", ".md", "conflicted.md"}) == {}


def test_a_copy_of_a_copy_belongs_to_the_note() -> None:
    first, second = COPIES[2], "ledger (conflicted copy 2026-01-12) (conflicted copy 2026-01-13).md"
    assert conflict_copies({first, second, "ledger.md"}) == {first: "ledger.md", second: "ledger.md"}
    assert conflict_copies({second, "ledger.md"}) == {second: "ledger.md"}
    assert conflict_copies({first, second}) == {second: first}


@pytest.mark.parametrize(
    "piece", [" (", "(", " ", "a", " (conflicted copy ", "2026", " (a conflicted copy 2", ".md", "\n"]
)
def test_a_long_name_holds_nobody(piece: str) -> None:
    name = f"conflict{piece * (4000 // len(piece))}"
    assert conflict_copies({f"{name}.md", f"{name})"}) == {}
