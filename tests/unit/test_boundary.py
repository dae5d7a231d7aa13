"""The boundary of the vault at every door: nothing outside is read or written, whatever a link says."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import loreweave
from loreweave.engine import Engine
from loreweave.errors import LoreError, Refused, VaultError
from loreweave.library import Lore
from loreweave.vault.append import append_lines, lore_folder
from loreweave.vault.root import open_root, record_files

NOW = "2025-03-05T14:00:00Z"
TODAY = "lore/journal/2025-03-05.md"
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LORE_NOW", NOW)
    root = tmp_path / "vault"
    (root / "lore" / "journal").mkdir(parents=True)
    (root / "lore" / "journal" / "2024-01-10.md").write_text(GOOD, "utf-8")
    return root


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def moved_out(vault: Path, outside: Path, place: str) -> None:
    """Put a part of the vault outside, and a link in its place."""
    (vault / place).rename(outside / "there")
    (vault / place).symlink_to(outside / "there")


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


# Reading -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["lore", "lore/journal"])
def test_a_record_that_stands_outside_is_named_and_not_read(vault: Path, outside: Path, place: str) -> None:
    moved_out(vault, outside, place)
    stamps, findings = record_files(vault)
    assert (stamps, [(finding.code, finding.path) for finding in findings]) == ({}, [("outside-vault", place)])
    if place == "lore":
        with pytest.raises(VaultError, match='"lore" leads out of the vault'), loreweave.open(vault) as lore:
            lore.facts()
        return
    with loreweave.open(vault) as lore:
        assert len(lore.facts()) == 0
        assert [row["path"] for row in lore.sql("select path from findings").to_pylist()] == [place]


def test_settings_that_stand_outside_are_not_read(vault: Path, outside: Path) -> None:
    (outside / "config.toml").write_text("secret = 1\n", "utf-8")
    (vault / "lore" / "config.toml").symlink_to(outside / "config.toml")
    for ask in (lambda lore: lore.replay(), lambda lore: lore.assert_fact("Atlas", "owner", "Priya")):
        with pytest.raises(VaultError, match=r'"lore/config\.toml" leads out of the vault'):
            ask(loreweave.open(vault))
    assert "leads out" in loreweave.open(vault).doctor().settings


def test_settings_that_are_no_file_hold_nobody(vault: Path) -> None:
    os.mkfifo(vault / "lore" / "config.toml")
    with pytest.raises(VaultError, match="it is not a regular file"):
        loreweave.open(vault).replay()


# Writing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["lore", "lore/journal", ".lore"])
def test_nothing_is_written_through_a_link_that_leads_out(vault: Path, outside: Path, place: str) -> None:
    (vault / ".lore").mkdir()
    moved_out(vault, outside, place)
    before = everything(outside)
    with pytest.raises(VaultError, match=f'"{place}" leads out of the vault'):
        loreweave.open(vault).assert_fact("Atlas", "owner", "Priya")
    assert everything(outside) == before


@pytest.mark.parametrize("place", ["lore", ".lore", "lore/config.toml", "lore/.gitattributes"])
def test_founding_makes_nothing_outside(vault: Path, outside: Path, place: str) -> None:
    root = vault.parent / "new"
    (root / place).parent.mkdir(parents=True)
    (root / place).symlink_to(outside)
    with pytest.raises(VaultError, match=f'"{place}" leads out of the vault'):
        loreweave.open(root).init()
    assert everything(outside) == {}


@pytest.mark.parametrize("name", [".gitignore", "lock", "append", "index.duckdb"])
def test_nothing_in_the_engines_own_folder_leads_out(vault: Path, outside: Path, name: str) -> None:
    (vault / ".lore").mkdir()
    (vault / ".lore" / name).symlink_to(outside / name)
    with pytest.raises(VaultError, match=f'"\\.lore/{name}" leads out of the vault'):
        loreweave.open(vault).assert_fact("Atlas", "owner", "Priya")
    assert everything(outside) == {}


def test_a_folder_is_not_made_outside_before_the_path_is_looked_at(vault: Path, outside: Path) -> None:
    (vault / "lore" / "ledger").symlink_to(outside)
    lore_folder(vault)
    with pytest.raises(VaultError, match='"lore/ledger" leads out'):
        append_lines(vault, "lore/ledger/2025/a.md", ["x"])
    assert everything(outside) == {}


def test_a_link_within_the_vault_is_written_through(vault: Path) -> None:
    (vault / "lore").rename(vault / "rec")
    (vault / "lore").symlink_to("rec")
    with loreweave.open(vault) as lore:
        assert lore.assert_fact("Atlas", "owner", "Priya").written
        assert [fact.object for fact in lore.facts()] == ["Priya", "good"]


@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_a_journal_that_is_no_file_is_not_written(vault: Path, kind: str) -> None:
    (os.mkfifo if kind == "pipe" else os.mkdir)(vault / TODAY)
    with pytest.raises(LoreError, match=f'"{TODAY}" cannot be read'):
        loreweave.open(vault).assert_fact("Atlas", "owner", "Priya")
    with pytest.raises(VaultError, match=f'"{TODAY}"'):
        append_lines(vault, TODAY, ["x"])


@pytest.mark.parametrize("place", ["append", "lock", ".gitignore"])
def test_what_is_no_file_in_the_engines_own_folder_holds_nobody(vault: Path, place: str) -> None:
    lore_folder(vault)
    (vault / ".lore" / place).unlink(missing_ok=True)
    (vault / ".lore" / place).mkdir()
    (vault / ".lore" / place / "x").touch()
    with loreweave.open(vault) as lore:
        assert [fact.object for fact in lore.facts()] == ["good"]


def test_an_engines_own_folder_that_is_a_file_is_named(vault: Path) -> None:
    (vault / ".lore").write_text("", "utf-8")
    with loreweave.open(vault) as lore:
        assert [fact.object for fact in lore.facts()] == ["good"]
    for write in (Lore.init, lambda lore: lore.assert_fact("Atlas", "owner", "Priya")):
        with pytest.raises(VaultError, match=r'\.lore" is a file and not a folder'):
            write(loreweave.open(vault))


def test_a_write_that_is_broken_off_leaves_the_note_to_recover_by(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write

    def broken_off(handle: int, content: bytes) -> int:
        write(handle, content[:20])
        raise KeyboardInterrupt

    lore = loreweave.open(vault)
    monkeypatch.setattr("loreweave.vault.append.os.write", broken_off)
    with pytest.raises(KeyboardInterrupt):
        lore.assert_fact("Atlas", "owner", "Priya")
    monkeypatch.setattr("loreweave.vault.append.os.write", write)
    assert json.loads((vault / ".lore" / "append").read_text("utf-8").splitlines()[0])["path"] == TODAY
    assert lore.assert_fact("Atlas", "owner", "Tom").written
    assert [" Tom " in line for line in (vault / TODAY).read_text("utf-8").splitlines()] == [True]


# Names and ends ------------------------------------------------------------------------------------------


def test_a_vault_whose_name_is_not_utf_8_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / os.fsdecode(b"caf\xe9")
    root.mkdir()
    monkeypatch.chdir(root)
    for vault in (root, None):
        with pytest.raises(VaultError, match='caf\ufffd" is not UTF-8'):
            Engine(vault)
    assert list(root.iterdir()) == []


def test_no_name_is_not_the_folder_one_stands_in() -> None:
    with pytest.raises(VaultError, match='The vault "" is not a folder'):
        open_root("")


def test_the_last_instant_there_is_can_be_written_once(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", "9999-12-31T23:59:59.999999Z")
    lore = loreweave.open(vault)
    assert lore.assert_fact("Atlas", "owner", "Priya").written
    with pytest.raises(Refused, match=r"The last record time in this vault \(lore/journal/9999-12-31\.md:1\)"):
        lore.assert_fact("Atlas", "owner", "Tom")


def test_a_line_is_not_refused_for_another_line(vault: Path) -> None:
    (vault / TODAY).write_text("- [fact] bad\n\n<!-- open\n", "utf-8")
    with pytest.raises(Refused, match="ends within a code fence or comment"):
        loreweave.open(vault).assert_fact("Atlas", "owner", "Priya")
