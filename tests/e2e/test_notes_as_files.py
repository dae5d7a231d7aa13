"""What lies in a vault as a file comes to be a note or a finding, from the disk to the answer, and is never changed."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
from pathlib import Path

import pytest

from program import digests, lore
from typed import vault

DRAFT = "---\nstatus: draft\n---\n# Ledger\n"
FINAL = "---\nstatus: final\n---\n# Ledger\n"
SECRET = "---\nkey: hunter2\n---\n# Secret\nhunter2\n"


def rows(at: Path, sql: str) -> list[tuple[str, ...]]:
    """Record what the notes state, and ask the index."""
    lore(at, "--quiet", "index")
    return [tuple(row.values()) for row in json.loads(lore(at, "--quiet", "--json", "query", sql))]


def notes(at: Path) -> list[str]:
    return [path for (path,) in rows(at, "select path from notes order by path")]


def findings(at: Path) -> list[tuple[str, ...]]:
    return rows(at, "select path, code from findings order by all")


def contents(folder: Path) -> dict[str, str]:
    """Give the sha256 of every file and link outside the engine's own folders."""
    paths = [path for path in folder.rglob("*") if path.relative_to(folder).parts[0] not in ("lore", ".lore")]
    found = {
        path: os.readlink(path).encode() if path.is_symlink() else path.read_bytes() for path in paths if _lies(path)
    }
    return {str(path.relative_to(folder)): hashlib.sha256(content).hexdigest() for path, content in found.items()}


def _lies(path: Path) -> bool:
    return path.is_symlink() or path.is_file()


@pytest.fixture
def unchanged(tmp_path: Path) -> Path:
    """A folder for a vault and what lies beside it."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def test_nothing_outside_is_read_through_a_link(unchanged: Path) -> None:
    outside = unchanged.parent / "outside"
    vault(outside, {"secret.md": SECRET})
    vault(unchanged, {"real.md": FINAL})
    (unchanged / "leak.md").symlink_to(outside / "secret.md")
    (unchanged / "dir").symlink_to(outside)
    (unchanged / "inside.md").symlink_to("real.md")
    before = contents(unchanged), contents(outside)
    assert notes(unchanged) == ["real.md"]
    assert findings(unchanged) == [("dir", "outside-vault"), ("leak.md", "outside-vault")]
    assert rows(unchanged, "select object from beliefs") == [("final",)]
    assert "hunter2" not in lore(unchanged, "--json", "query", "select * from spans, findings")
    assert b"hunter2" not in (unchanged / ".lore" / "index.duckdb").read_bytes()
    assert (contents(unchanged), contents(outside)) == before
    vault(unchanged, {"lore/config.toml": "[vault]\nfollow_external_symlinks = true\n"})
    assert (notes(unchanged), findings(unchanged)) == (["dir/secret.md", "real.md"], [])
    assert (contents(unchanged), contents(outside)) == before


def test_links_that_lead_nowhere_or_back_are_findings(unchanged: Path) -> None:
    vault(unchanged, {"sub/n.md": FINAL})
    (unchanged / "sub" / "up").symlink_to("..")
    (unchanged / "dangling.md").symlink_to("nowhere.md")
    (unchanged / "selfie.md").symlink_to("selfie.md")
    assert notes(unchanged) == ["sub/n.md"]
    told = [("dangling.md", "unreadable-file"), ("selfie.md", "circular-link"), ("sub/up", "circular-link")]
    assert findings(unchanged) == told
    (unchanged / "selfie.md").unlink()
    assert findings(unchanged) == [told[0], told[2]]


def test_a_conflict_copy_states_nothing(unchanged: Path) -> None:
    copies = ["ledger.sync-conflict-20260112-003022-ABCDEF7.md", "ledger (conflicted copy 2026-01-12).md"]
    vault(unchanged, {"ledger.md": FINAL, **dict.fromkeys(copies, DRAFT), "Conflict resolution.md": "# Peace\n"})
    assert notes(unchanged) == ["Conflict resolution.md", "ledger.md"]
    assert findings(unchanged) == [(path, "conflict-copy") for path in sorted(copies)]
    assert rows(unchanged, "select subject, object from beliefs") == [("Ledger", "final")]
    (unchanged / "ledger.md").unlink()
    assert [path for path in notes(unchanged) if "onflict" in path] == ["Conflict resolution.md", *sorted(copies)]


def test_a_rename_by_case_alone_leaves_one_note(unchanged: Path) -> None:
    vault(unchanged, {"config.md": "# Config\nhome:: Kyoto\n", "src.md": "[[config]] [[CONFIG]]\n"})
    assert notes(unchanged) == ["config.md", "src.md"]
    (unchanged / "config.md").rename(unchanged / "Config.md")
    assert notes(unchanged) == ["Config.md", "src.md"]
    assert rows(unchanged, "select distinct target_path from links") == [("Config.md",)]
    assert rows(unchanged, "select object from beliefs where known_until is null") == [("Kyoto",)]
    assert digests(unchanged) == digests(unchanged, "all", "--cold")


def test_two_names_that_differ_in_case_are_two_notes_with_a_finding(unchanged: Path) -> None:
    vault(unchanged, {"Config.md": "# One\n", "config.md": "# Two\n"})
    if len(os.listdir(unchanged)) < 2:
        pytest.skip("the disk takes the two names for one")
    assert notes(unchanged) == ["Config.md", "config.md"]
    assert findings(unchanged) == [("config.md", "case-twin")]


def test_bytes_of_every_encoding_are_read_or_told_of(unchanged: Path) -> None:
    written = {
        "bad.md": b"# Bad\n\xff\xfe garbled caf\xe9 marmot\n",
        "bom.md": codecs.BOM_UTF8 + b"---\nstatus: final\n---\n# Bom\n",
        "good.md": b"# Good\n",
        "nul.md": b"# Nul\nowner:: Pri\0ya\n",
        "picture.md": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
        "utf16.md": "# Wide\nstatus:: marked\n".encode("utf-16"),
        "wide.md": "# Unmarked\nstatus:: bare\n".encode("utf-16-le"),
    }
    for path, content in written.items():
        (unchanged / path).write_bytes(content)
    before = contents(unchanged)
    told = [
        ("bad.md", "encoding"),
        ("picture.md", "unreadable-file"),
        ("utf16.md", "encoding"),
        ("wide.md", "encoding"),
    ]
    assert findings(unchanged) == told
    titles = rows(unchanged, "select title from notes order by path")
    assert titles == [("Bad",), ("Bom",), ("Good",), ("Nul",), ("Wide",), ("Unmarked",)]
    values = rows(unchanged, "select object from beliefs order by object")
    assert values == [("Pri\0ya",), ("bare",), ("final",), ("marked",)]
    examined = lore(unchanged, "doctor", exits=1)
    assert "at byte 6;" in examined
    assert "has changed" not in examined
    assert "+0 ~0 -0 =7" in lore(unchanged, "index")
    assert contents(unchanged) == before


def test_names_of_any_sort_go_through_to_the_answer(unchanged: Path) -> None:
    names = [
        "new\nline.md",
        "quo\"te's.md",
        "🚀.md",
        "שלום.md",
        "a::b {c}.md",
        "[[x]]#y.md",
        "- a.md",
        " .md",
        "%41.md",
    ]
    vault(unchanged, {name: f"status:: {number}\n" for number, name in enumerate(names)})
    assert notes(unchanged) == sorted(names)
    assert len(rows(unchanged, "select distinct subject from beliefs")) == len(names)


def test_what_is_no_file_holds_nobody(unchanged: Path) -> None:
    os.mkfifo(unchanged / "pipe.md")
    vault(unchanged, {"a.md": FINAL})
    assert notes(unchanged) == ["a.md"]
    assert findings(unchanged) == [("pipe.md", "unreadable-file")]


def test_settings_that_leave_a_note_out_withdraw_what_it_states(unchanged: Path) -> None:
    vault(unchanged, {"private/a.md": FINAL, "b.md": "# B\nowner:: Priya\n"})
    assert rows(unchanged, "select count(*) from beliefs where known_until is null") == [(2,)]
    vault(unchanged, {"lore/config.toml": '[vault]\nignore = ["private/"]\n'})
    assert rows(unchanged, "select object from beliefs where known_until is null") == [("Priya",)]
    assert notes(unchanged) == ["b.md"]
