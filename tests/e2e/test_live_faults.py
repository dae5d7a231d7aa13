"""What can happen to a vault held open: closed, taken away, busy, full, written by others; it answers on, rightly."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import rmtree

import duckdb
import pytest

from held import NOTICED, held, objects
from loreweave import Lore
from loreweave.engine import Engine
from loreweave.errors import LoreError, Refused, StoreError
from loreweave.vault.append import BusyVault

NOTE = "# Atlas\n\nThe ledger format of Atlas is final.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "atlas.md").write_text(NOTE, "utf-8")
    return tmp_path


def test_a_copy_that_finds_no_room_leaves_nothing_behind(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Engine(vault).refresh()

    def torn(source: Path, copy: Path) -> None:
        Path(copy).write_bytes(source.read_bytes()[:1000])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("loreweave.store.live.shutil.copyfile", torn)
    with Lore(vault, live=True) as lore, pytest.raises(StoreError, match="cannot be copied: No space left"):
        lore.facts()
    assert list((vault / ".lore").glob("*.tmp*")) == []


def test_a_vault_that_is_closed_and_asked_again_follows_as_before(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        assert objects(lore) == []
        lore.close()
        assert not lore.search("granite").results
        (vault / "stone.md").write_text("# Stone\n\nGranite is hard.\n", "utf-8")
        assert lore.engine._noticed.wait(NOTICED)
        assert [result.path for result in lore.search("granite").results] == ["stone.md"]
        lore.assert_fact("Vendor", "status", "open")
    assert held(vault) == ["open"]


def test_a_folder_put_in_the_place_of_the_vault_is_watched(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        assert objects(lore) == []
        rmtree(vault)
        with pytest.raises(LoreError):
            lore.facts()
        vault.mkdir()
        (vault / "stone.md").write_text("# Stone\n", "utf-8")
        assert lore.engine._noticed.wait(NOTICED)
        assert [row["path"] for row in lore.sql("select path from notes").to_pylist()] == ["stone.md"]
        with ExitStack() as until:
            until.callback(lore.close)
            while not lore.search("granite").results:
                (vault / "stone.md").write_text("# Stone\n\nGranite is hard.\n", "utf-8")
                assert lore.engine._noticed.wait(NOTICED)


def test_what_was_captured_to_a_note_is_found_at_once(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.search("pebble")
        lore.capture("A pebble lay there", to="atlas.md")
        assert [result.path for result in lore.search("pebble").results] == ["atlas.md"]


def test_what_was_found_at_all_files_is_followed_though_nobody_told_of_it(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("loreweave.engine.live.notice", lambda *_: None)
    with Lore(vault, live=True) as lore:
        assert not lore.search("granite").results
        (vault / "stone.md").write_text("# Stone\n\nGranite is hard.\n\nOwner:: Priya\n", "utf-8")
        assert not lore.search("granite").results
        assert lore.index().observed == 1
        assert [result.path for result in lore.search("granite").results] == ["stone.md"]


def test_lines_that_another_let_go_are_let_go(vault: Path) -> None:
    (vault / "vendor.md").write_text("# Vendor\n\nOwner:: Priya\n\nStatus:: open\n", "utf-8")
    with Lore(vault, live=True) as lore:
        assert lore.index().observed == 2
        (ledger,) = (vault / "lore/ledger").glob("*.md")
        ledger.write_text(ledger.read_text("utf-8").splitlines(keepends=True)[0], "utf-8")
        with pytest.raises(Refused, match="The ledger has lost lines"):
            lore.index()
        with Lore(vault) as other:
            other.index(start_over=True)
        assert lore.index().observed == 0
        lore.assert_fact("Atlas", "status", "final")
    with Lore(vault) as other:
        assert other.index().observed == 0


def test_an_index_of_a_newer_version_is_left_alone(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        lore.engine.publish()
        with duckdb.connect(str(vault / ".lore/index.duckdb")) as index:
            index.execute("update meta set value = '999' where key = 'schema_version'")
        with pytest.raises(StoreError, match="written by a newer loreweave"):
            lore.assert_fact("Vendor", "status", "closed")
    with duckdb.connect(str(vault / ".lore/index.duckdb"), read_only=True) as index:
        assert index.execute("select value from meta where key = 'schema_version'").fetchall() == [("999",)]
    assert "closed" not in "".join(path.read_text("utf-8") for path in (vault / "lore/journal").glob("*.md"))


def test_what_is_refused_or_only_foreseen_makes_nobody_copy_the_index(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        lore.sql("select 1")
        before = (vault / ".lore/index.duckdb").stat()
        lore.assert_fact("Vendor", "status", "closed", dry_run=True)
        with pytest.raises(Refused):
            lore.retract_fact("Vendor", "colour")
        lore.sql("select 1")
        assert (vault / ".lore/index.duckdb").stat() == before


def test_who_waits_for_another_program_keeps_nobody_else_waiting(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loreweave.engine.live.READER_SECONDS", 0.5)
    tried: list[float] = []

    @contextmanager
    def busy(root: Path, seconds: float) -> Iterator[None]:
        tried.append(seconds)
        threading.Event().wait(seconds)
        raise BusyVault("busy", "")
        yield

    with Lore(vault, live=True) as lore:
        assert objects(lore) == []
        (vault / "lore/journal").mkdir(parents=True)
        (vault / "lore/journal/2025-01-01.md").write_text("- [fact] Vendor :: status :: open\n", "utf-8")
        with monkeypatch.context() as patched, ThreadPoolExecutor(4) as pool:
            patched.setattr("loreweave.engine.live.vault_lock", busy)
            assert list(pool.map(lambda _: objects(lore), range(4))) == [[]] * 4
        assert sum(tried) < 2 * 0.5
        assert objects(lore) == ["open"]


def test_nothing_is_written_while_an_answer_is_given(vault: Path) -> None:
    with Lore(vault, live=True) as lore, lore.settled(), pytest.raises(Refused, match="while an answer is being given"):
        lore.assert_fact("Vendor", "status", "open")


def test_copies_of_killed_servers_are_swept_and_those_that_are_held_are_not(vault: Path) -> None:
    Engine(vault).refresh()
    left = vault / ".lore/index.duckdb.999999999.left.tmp"
    left.write_bytes(b"left")
    kept = vault / ".lore/index.duckdb.999999998.held.tmp"
    hold = f"import duckdb; c = duckdb.connect({str(kept)!r}); print(1, flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        with Lore(vault, live=True) as lore:
            assert objects(lore) == []
        assert (left.exists(), kept.exists()) == (False, True)
        other.communicate(b"\n")


def test_what_is_shared_with_an_agent_is_closed_with_it_and_opened_anew(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        agent = lore.for_agent("scout")
        agent.sql("select 1")
        lore.close()
        assert agent.sql("select count(*) as notes from notes").to_pylist() == [{"notes": 1}]


def test_where_the_index_cannot_be_written_there_is_one_other_place_for_it(vault: Path) -> None:
    (vault / ".lore").write_text("in the way", "utf-8")
    with Lore(vault, live=True) as lore:
        assert objects(lore) == []
        place = lore.engine.index
        for title in ("One", "Two"):
            (vault / "stone.md").write_text(f"# {title}\n", "utf-8")
            lore.engine.touched()
            assert lore.sql("select title from notes where path = 'stone.md'").to_pylist() == [{"title": title}]
            assert lore.engine.index == place


def test_settings_that_have_no_meaning_are_what_a_doctor_tells_of(vault: Path) -> None:
    (vault / "lore").mkdir()
    (vault / "lore/config.toml").write_text("[vault]\nignore = 3\n", "utf-8")
    with Lore(vault, live=True) as lore:
        assert lore.doctor().settings


def test_a_link_that_leads_out_of_the_record_is_found(vault: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "a.md"
    outside.write_text("- [fact] Vendor :: status :: open\n", "utf-8")
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "closed")
        (vault / "lore/journal/2025-01-01.md").symlink_to(outside)
        assert objects(lore) == ["closed"]
        assert [row["code"] for row in lore.sql("select code from findings").to_pylist()] == ["outside-vault"]
