"""Notes that change while they are read, forms with dates of their own, and an index that other programs left."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

import loreweave
from loreweave.engine import reading
from loreweave.library import Lore
from loreweave.vault import read
from program import digests, lore
from typed import NOW, vault

DATED = "{valid_from=2025-06-01, valid_until=2025-12-01}"


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LORE_NOW", NOW)


def rows(at: Path, sql: str) -> list[tuple[object, ...]]:
    """Ask the index as it stands."""
    with loreweave.open(at) as opened, opened.engine.session() as session:
        return session.ask(sql).fetchall()


def believed(at: Path) -> list[tuple[object, ...]]:
    return rows(at, "select predicate, object from beliefs where known_until is null order by all")


def index(at: Path) -> tuple[int, int]:
    with loreweave.open(at) as opened:
        made = opened.index()
    return made.observed, made.withdrawn


def test_a_note_edited_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault(tmp_path, {"a.md": "status:: old\n", "b.md": "owner:: Ana\n"})
    read_bytes = reading.read_bytes

    def saved_meanwhile(root: Path, path: str) -> bytes:
        content = read_bytes(root, path)
        vault(root, {"a.md": "status:: new\n"})
        return content

    with monkeypatch.context() as patched:
        patched.setattr(reading, "read_bytes", saved_meanwhile)
        index(tmp_path)
    assert believed(tmp_path) == [("owner", "Ana"), ("status", "old")]
    assert index(tmp_path) == (1, 0)
    assert ("status", "new") in believed(tmp_path)
    assert digests(tmp_path) == digests(tmp_path, "all", "--cold")


def test_a_note_gone_before_it_is_read_keeps_what_it_said_until_that_is_sure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault(tmp_path, {"a.md": "status:: old\n"})
    index(tmp_path)
    vault(tmp_path, {"a.md": "status:: newer\n"})
    read_bytes = reading.read_bytes

    def gone_meanwhile(root: Path, path: str) -> bytes:
        (root / "a.md").unlink()
        return read_bytes(root, path)

    with monkeypatch.context() as patched:
        patched.setattr(reading, "read_bytes", gone_meanwhile)
        assert index(tmp_path) == (0, 0)
    assert rows(tmp_path, "select code, path from findings") == [("unreadable-file", "a.md")]
    assert believed(tmp_path) == [("status", "old")]
    assert index(tmp_path) == (0, 1)
    assert (believed(tmp_path), rows(tmp_path, "from findings")) == ([], [])


def test_a_file_that_grows_while_it_is_read_ends_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = vault(tmp_path, {"a.md": "status:: old\n"}) / "a.md"
    read_some = os.read

    def grown_meanwhile(handle: int, size: int) -> bytes:
        with note.open("a", encoding="utf-8") as file:
            file.write("status:: more\n")
        return read_some(handle, min(size, 5))

    monkeypatch.setattr(read.os, "read", grown_meanwhile)
    assert read.read_bytes(tmp_path, "a.md") == b"status:: old\n"


def test_the_date_of_a_line_goes_before_that_of_its_note_in_every_form(tmp_path: Path) -> None:
    front = f"---\ndate: 2024-01-01\ncreated: 2023-01-01\nproperty: x {DATED}\nlist:\n- x {DATED}\n---\n"
    fields = f"- field:: x {DATED}\nAnd text.\n\nbare:: x {DATED}\ntext [bracket:: x {DATED}] and (round:: x {DATED})\n"
    others = (
        f"- [observation] x {DATED}\n- [fact] Vendor :: fact :: x {DATED}\n- **Bold:** x {DATED}\n- Short: x {DATED}\n"
    )
    settings = '[extract]\nmode = "all"\n'
    vault(tmp_path, {"Atlas.md": front + fields + others + "- plain:: x\n", "lore/config.toml": settings})
    index(tmp_path)
    found = rows(tmp_path, "select predicate, valid_from, valid_until from beliefs")
    said = {predicate: (str(start)[:10], str(end)[:10]) for predicate, start, end in found}
    assert said.pop("plain") == ("2024-01-01", "None")
    assert set(said) == set("list property field bare bracket round observation fact Bold Short".split())
    assert set(said.values()) == {("2025-06-01", "2025-12-01")}


def test_the_members_of_a_list_stand_side_by_side_and_contradict_nobody(tmp_path: Path) -> None:
    vault(tmp_path, {"Atlas.md": "---\nmembers: [Ana, Bo]\n---\n"})
    index(tmp_path)
    assert believed(tmp_path) == [("members", "Ana"), ("members", "Bo")]
    assert rows(tmp_path, "from contradictions") == []


def test_a_note_of_code_alone_that_is_cut_into_passages_holds_no_link(tmp_path: Path) -> None:
    vault(tmp_path, {"a.md": "```\n" + "[[b]] and [x](b.md)\n\n" * 200 + "```\n[[b]]\n", "b.md": "# B\n"})
    index(tmp_path)
    assert rows(tmp_path, "select count(*) > 5, max(end_line) from spans where path = 'a.md'") == [(True, 403)]
    assert rows(tmp_path, "select line, target from links") == [(403, "b")]


@pytest.mark.parametrize(("key", "value"), [("engine_version", "0.1.0"), ("schema_version", "1")])
def test_an_index_that_an_earlier_program_made_is_made_anew(tmp_path: Path, key: str, value: str) -> None:
    vault(tmp_path, {"Atlas.md": "# Atlas\n\nowner:: Ana\n"})
    index(tmp_path)
    recorded = digests(tmp_path)
    with duckdb.connect(str(tmp_path / ".lore" / "index.duckdb")) as connection:
        connection.execute("update meta set value = ? where key = ?", [value, key])
        connection.execute("delete from spans; update beliefs set object = 'Bo'")
    assert "Atlas :: owner :: Ana" in lore(tmp_path, "facts")
    assert digests(tmp_path) == recorded
    with Lore(tmp_path) as opened:
        assert opened.engine.refresh().read == 0
