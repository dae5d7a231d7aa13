"""``lore stats``: what a vault holds, in numbers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import loreweave
from typed import NOW, answer, screen, typed, vault

NOTES = {
    "lore/journal/2024-01-10.md": (
        "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
        "- [fact] Vendor :: reliability :: fair {valid_from=2026-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
        "- [fact] Harbour :: depth :: 12 m {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
        "- [fact] Finding :: status :: open {scope=audit, recorded_at=2024-01-10T09:00:00Z}\n"
    ),
    "vendor.md": "# Vendor\n\nThe Vendor delivers the rates. #supplier\n",
    "atlas.md": "# Atlas\n\nReads the rates of the [[Vendor]] and of [[nobody]].\n",
    "log/2024-05-14.md": "# Talk\n\nThe Vendor came to see us.\n",
}


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("notes"), NOTES)


def test_everything_is_counted_on_the_screen(notes: Path) -> None:
    assert screen(notes, "stats") == [
        "notes: 3, 3 spans (1 dated), 24 words (16 different)",
        "links: 2 (1 broken), 1 tag",
        "record: 3 events, 3 beliefs of 2 slots and 2 subjects; now 2 facts",
        "entities, by how many spans of other notes speak of them, and how many slots they have:",
        "     2      1  Vendor",
        "     1      0  nobody",
        "     1      0  #supplier",
        "     0      1  Harbour",
        "     0      0  Atlas",
        "     0      0  Talk",
        "other scopes: audit",
        "as of 2025-12-01T00:00:00Z, as best known",
    ]


def test_a_scope_is_counted_by_itself_and_an_empty_one_is_nothing(notes: Path) -> None:
    lines = screen(notes, "--scope", "Audit", "stats")
    assert lines[0].startswith("notes: 0, 0 spans")
    assert lines[2] == "record: 1 event, 1 belief of 1 slot and 1 subject; now 1 fact"
    assert lines[-2] == "other scopes: default"
    assert "entities" not in "\n".join(screen(notes, "--scope", "elsewhere", "stats"))


def test_the_numbers_are_those_of_the_tables(notes: Path) -> None:
    told = answer(notes, "stats")
    with loreweave.open(notes) as lore:
        words, terms, facts = (
            lore.sql(f"select {what} as found from {relation} where scope_key = 'default'").column(0)[0].as_py()
            for what, relation in (
                ("sum(words)", "spans"),
                ("count(distinct term)", "postings"),
                ("count(*)", f"belief_at('{NOW}', null)"),
            )
        )
    counts = told["counts"]
    assert (counts["words"], counts["terms"], counts["facts"]) == (words, terms, facts)
    assert (told["shown"], told["of"], told["scopes"]) == (6, 6, ["audit", "default"])
    assert told["entities"][0] == {"name": "Vendor", "kind": "note", "spans": 2, "slots": 1}


def test_sizes_are_those_of_the_files(notes: Path) -> None:
    told = answer(notes, "stats")["bytes"]
    assert told["notes"] == sum(len(text) for path, text in NOTES.items() if not path.startswith("lore/"))
    assert told["record"] == len(NOTES["lore/journal/2024-01-10.md"])
    assert told["index"] == (notes / ".lore" / "index.duckdb").stat().st_size
    assert "vectors" not in told


def test_the_weight_of_vectors_is_told_where_there_are_any(notes: Path, tmp_path: Path) -> None:
    at = Path(shutil.copytree(notes, tmp_path / "vault"))
    (at / ".lore" / "vectors.duckdb").write_bytes(b"x" * 12)
    assert answer(at, "stats")["bytes"]["vectors"] == 12


def test_ten_entities_are_named_and_the_number_of_all_is_told(tmp_path: Path) -> None:
    at = vault(tmp_path, {f"{number}.md": f"# Depot {number}\n\nPaper.\n" for number in range(14)})
    assert "showing 10 of 14 entities" in screen(at, "stats")


def test_a_name_of_several_notes_is_that_of_none(tmp_path: Path) -> None:
    at = vault(
        tmp_path, {"a/x.md": "# Overview\n\nOne.\n", "b/y.md": "# Overview\n\nTwo.\n", "c.md": "# C\n\nSee Overview.\n"}
    )
    assert all(entity["spans"] == 0 for entity in answer(at, "stats")["entities"])


def test_an_empty_vault_has_nothing_to_count(tmp_path: Path) -> None:
    told = typed(vault(tmp_path, {}), "stats")
    assert (told.exit_code, told.stdout.splitlines()[0]) == (0, "notes: 0, 0 spans (0 dated), 0 words (0 different)")
