"""Files that a user names: what is replaced, what is written through, and what is never touched."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from loreweave.errors import BadRequest, Refused
from loreweave.vault.output import output_file, output_folder


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for folder in ("rec/journal", "own", "kept", "arch"):
        (root / folder).mkdir(parents=True)
    for link, target in (("lore", "rec"), (".lore", "own")):
        (root / link).symlink_to(target)
    for name in ("rec/journal/a.md", "rec/config.toml", "own/index.duckdb", "kept/b.md", "arch/c.md"):
        (root / name).write_text("mine", "utf-8")
    (root / "lore" / "journal" / "b.md").symlink_to(root / "kept" / "b.md")
    (root / "lore" / "journal" / "arch").symlink_to(root / "arch")
    return root


def written(root: Path, path: Path | str) -> None:
    with output_file(root, str(path), force=True) as file:
        file.write(b"new")


ALIASES = ("lore/journal/a.md", "rec/journal/a.md", "rec/new.csv", "own/index.duckdb", ".lore/x", "rec/config.toml")


@pytest.mark.parametrize("path", [*ALIASES, "kept/b.md", "arch/c.md", "arch/new.csv", "lore/../rec/journal/a.md"])
def test_the_record_is_no_place_for_an_answer_by_whatever_name(vault: Path, path: str) -> None:
    before = (vault / path).read_bytes() if (vault / path).exists() else None
    with pytest.raises(Refused):
        written(vault, vault / path)
    assert ((vault / path).read_bytes() if (vault / path).exists() else None) == before


def test_a_folder_of_an_export_is_no_way_into_the_record(vault: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "events.csv").symlink_to(vault / "rec" / "journal" / "a.md")
    with pytest.raises(Refused), output_folder(vault, str(out), force=True) as folder, folder.file("events.csv"):
        pass
    for place in ("rec", "arch", "rec/journal/new", "own"):
        with pytest.raises(Refused), output_folder(vault, str(vault / place), force=True):
            pass
    assert (vault / "rec" / "journal" / "a.md").read_text("utf-8") == "mine"


def test_what_is_beside_the_record_may_be_written(vault: Path) -> None:
    written(vault, vault / "kept" / "rows.csv")
    assert (vault / "kept" / "rows.csv").read_bytes() == b"new"


def test_a_link_stays_and_its_file_is_replaced_and_keeps_its_mode(vault: Path, tmp_path: Path) -> None:
    file, link = tmp_path / "rows.csv", tmp_path / "link.csv"
    file.write_text("old", "utf-8")
    file.chmod(0o600)
    link.symlink_to(file)
    with pytest.raises(Refused, match="exists already"), output_file(vault, str(link)):
        pass
    written(vault, link)
    assert (link.is_symlink(), file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (True, b"new", 0o600)


def test_a_pipe_is_written_to_and_stays_one(vault: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    written(vault, pipe)
    reader.join()
    assert (read, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"new"], True)


def test_a_device_stays_one_and_a_folder_is_named(vault: Path) -> None:
    written(vault, os.devnull)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    with pytest.raises(BadRequest, match="is a folder"):
        written(vault, vault)
