"""Which files are the record, and what bars a file from being read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from loreweave.errors import VaultError
from loreweave.vault.root import find, open_root, record_files


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "lore" / "journal" / "2024").mkdir(parents=True)
    (root / "lore" / "journal" / "2024-01-10.md").write_text("x\n", "utf-8")
    return root


def listed(root: Path) -> tuple[list[str], list[tuple[str, str]]]:
    stamps, findings = record_files(root)
    return list(stamps), [(finding.code, finding.path) for finding in findings]


def test_only_markdown_under_journal_and_ledger_counts(vault: Path) -> None:
    for name in ("lore/journal/2024/B.MD", "lore/journal/a.txt", "lore/inbox.md", "note.md", "lore/journal/.hidden.md"):
        (vault / name).write_text("x\n", "utf-8")
    (vault / "lore" / "journal" / ".git").mkdir()
    (vault / "lore" / "journal" / ".git" / "c.md").write_text("x\n", "utf-8")
    assert listed(vault) == (["lore/journal/2024-01-10.md", "lore/journal/2024/B.MD"], [])


def test_a_link_out_of_the_vault_is_named_and_not_read(vault: Path) -> None:
    outside = vault.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("x\n", "utf-8")
    (vault / "lore" / "journal" / "leak.md").symlink_to(outside / "secret.md")
    (vault / "lore" / "journal" / "folder").symlink_to(outside)
    leaks = [("outside-vault", "lore/journal/folder"), ("outside-vault", "lore/journal/leak.md")]
    assert listed(vault) == (["lore/journal/2024-01-10.md"], leaks)


def test_a_link_within_the_record_is_read_once_under_its_real_path(vault: Path) -> None:
    journal = vault / "lore" / "journal"
    (journal / "0.md").symlink_to(journal / "2024-01-10.md")
    (journal / "0").symlink_to(journal / "2024")
    (journal / "2024" / "loop").symlink_to(journal)
    (journal / "2024" / "b.md").write_text("x\n", "utf-8")
    loop = [("circular-link", "lore/journal/2024/loop")]
    assert listed(vault) == (["lore/journal/2024-01-10.md", "lore/journal/2024/b.md"], loop)


def test_a_link_to_elsewhere_in_the_vault_is_followed(vault: Path) -> None:
    (vault / "kept.md").write_text("x\n", "utf-8")
    (vault / "lore" / "journal" / "kept.md").symlink_to(vault / "kept.md")
    assert listed(vault)[0] == ["lore/journal/2024-01-10.md", "lore/journal/kept.md"]


def test_what_is_no_file_is_named(vault: Path) -> None:
    os.mkfifo(vault / "lore" / "journal" / "pipe.md")
    (vault / "lore" / "journal" / "gone.md").symlink_to(vault / "nowhere.md")
    paths = [("unreadable-file", "lore/journal/gone.md"), ("unreadable-file", "lore/journal/pipe.md")]
    assert listed(vault) == (["lore/journal/2024-01-10.md"], paths)


def test_a_name_that_is_not_utf_8_is_named(vault: Path) -> None:
    (vault / "lore" / "journal" / os.fsdecode(b"\xff.md")).write_text("x\n", "utf-8")
    assert listed(vault)[1] == [("unreadable-file", "lore/journal/\ufffd.md")]


def test_the_vault_is_the_nearest_folder_that_has_a_record(vault: Path, tmp_path: Path) -> None:
    inner = vault / "projects" / "atlas"
    inner.mkdir(parents=True)
    assert find(inner) == vault
    assert find(tmp_path) == tmp_path


def test_a_vault_that_is_no_folder_is_refused() -> None:
    with pytest.raises(VaultError, match='The vault "no/such/place" is not a folder'):
        open_root("no/such/place")
