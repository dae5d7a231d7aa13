"""A vault held open: answers at once, the same as any other program gives, and loses nothing that others write."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from shutil import rmtree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from held import NOTICED, held, objects
from loreweave import Lore
from loreweave.engine.live import LiveEngine
from loreweave.engine.turns import Turns
from loreweave.errors import LoreError
from loreweave.vault.append import vault_lock

NOTE = "# Atlas\n\nThe ledger format of Atlas is final.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "atlas.md").write_text(NOTE, "utf-8")
    return tmp_path


def digest(vault: Path, *, cold: bool) -> object:
    with Lore(vault) as lore:
        return lore.replay(cold=cold, digest="all").digest


def test_what_is_written_is_answered_at_once_and_stands_on_disk_when_it_is_closed(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        assert objects(lore) == ["open"]
        lore.assert_fact("Vendor", "status", "closed")
        assert objects(lore) == ["closed"]
        assert [result.path for result in lore.search("ledger format").results] == ["atlas.md"]
    with Lore(vault, refresh=False) as other:
        assert objects(other) == ["closed"]
    assert list((vault / ".lore").glob("*.tmp*")) == []


def test_what_others_write_is_never_missed(vault: Path) -> None:
    with Lore(vault, live=True) as one, Lore(vault, live=True) as two, Lore(vault) as three:
        for number, writer in enumerate((one, two, three, two, one, three)):
            writer.assert_fact("Vendor", "status", f"state {number}")
            assert [objects(each) for each in (one, two, three)] == [[f"state {number}"]] * 3
        three.retract_fact("Vendor", "status")
        assert [objects(each) for each in (one, two)] == [objects(three)] * 2


@pytest.mark.parametrize("live", [True, False])
def test_who_asks_waits_for_a_writer_rather_than_miss_what_another_has_written(vault: Path, live: bool) -> None:
    begun = threading.Event()

    def write_on() -> None:
        with vault_lock(vault):
            begun.set()
            threading.Event().wait(0.7)

    with Lore(vault, live=live) as reader, Lore(vault, live=True) as writer, ThreadPoolExecutor(1) as other:
        assert objects(reader) == []
        writer.assert_fact("Vendor", "status", "open")
        other.submit(write_on)
        begun.wait(NOTICED)
        assert objects(reader) == ["open"]


def test_what_is_captured_by_another_is_found_at_once(vault: Path) -> None:
    with Lore(vault, live=True) as one, Lore(vault, live=True) as two:
        one.search("pebble")
        two.capture("A pebble lay there")
        assert [result.path for result in one.search("pebble").results] == ["lore/inbox.md"]


def test_a_note_that_changes_is_noticed(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        assert not lore.search("granite").results
        engine = lore.engine
        assert isinstance(engine, LiveEngine)
        (vault / "stone.md").write_text("# Stone\n\nGranite is hard.\n", "utf-8")
        assert engine._noticed.wait(NOTICED)
        assert [result.path for result in lore.search("granite").results] == ["stone.md"]


def test_a_journal_that_lost_a_line_is_followed(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        lore.assert_fact("Atlas", "status", "final")
        (journal,) = (vault / "lore/journal").glob("*.md")
        first, second = journal.read_text("utf-8").splitlines(keepends=True)
        journal.write_text(second, "utf-8")
        assert (objects(lore), objects(lore, "Atlas")) == ([], ["final"])
        journal.unlink()
        assert objects(lore, "Atlas") == []
        journal.write_text(first, "utf-8")
        assert objects(lore) == ["open"]


def test_sql_of_others_sees_what_another_wrote(vault: Path) -> None:
    line = "- [fact] Vendor :: status :: {} {{recorded_at=2026-01-01T00:00:0{}Z}}\n"
    journal = vault / "lore/journal/2026-01-01.md"
    journal.parent.mkdir(parents=True)
    with Lore(vault, live=True) as lore:
        for number in range(3):
            with journal.open("a", encoding="utf-8") as file:
                file.write(line.format(f"s{number}", number))
            assert objects(lore) == [f"s{number}"]
            assert lore.sql("select count(*) as n from events").to_pylist() == [{"n": number + 1}]


def test_sql_of_others_sees_what_was_written_and_reaches_no_file(vault: Path) -> None:
    (vault / "secret.csv").write_text("a\n1\n", "utf-8")
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        assert lore.sql("select object from beliefs").to_pylist() == [{"object": "open"}]
        with pytest.raises(LoreError):
            lore.sql(f"select * from '{vault}/secret.csv'")
        with pytest.raises(LoreError):
            lore.sql("delete from beliefs")


def test_a_scope_sees_its_own_rows_alone(vault: Path) -> None:
    with Lore(vault, live=True) as lore, Lore(vault, scope="alice", live=True) as alice:
        lore.assert_fact("Vendor", "status", "open")
        alice.assert_fact("Vendor", "status", "hers")
        assert (objects(lore), objects(alice)) == (["open"], ["hers"])
        assert alice.sql("select object from beliefs").to_pylist() == [{"object": "hers"}]


def test_a_vault_built_anew_goes_on(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        lore.refresh(whole=True)
        lore.assert_fact("Vendor", "status", "closed")
        assert objects(lore) == ["closed"]
    assert held(vault) == ["closed"]


def test_a_server_goes_on_where_the_folder_of_its_index_is_deleted(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        rmtree(vault / ".lore")
        for status in ("open", "closed"):
            with lore.query("select object from belief_at(now()::timestamp, null) where subject = 'Vendor'") as rows:
                assert [row for batch in rows.batches() for row in batch] == [(status,)]
            assert objects(lore) == [status]
            lore.assert_fact("Vendor", "status", "closed")
    with Lore(vault, refresh=False) as other:
        assert objects(other) == ["closed"]


def test_settings_that_have_no_meaning_are_refused_until_they_have_one(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        settings = vault / "lore/config.toml"
        settings.write_text('[scopes]\nclients = ""\n', "utf-8")
        for _ in range(3):
            with pytest.raises(LoreError, match="scopes"):
                lore.search("ledger format")
        settings.write_text('[scopes]\nclients = "alice"\n', "utf-8")
        assert objects(lore) == ["open"]


def test_a_refused_line_changes_nothing(vault: Path) -> None:
    with Lore(vault, live=True) as lore:
        lore.assert_fact("Vendor", "status", "open")
        with pytest.raises(LoreError):
            lore.assert_fact("Vendor", "status", "closed", valid_from="2026-02-01", valid_until="2026-01-01")
        assert objects(lore) == ["open"]
        lore.assert_fact("Vendor", "status", "closed", dry_run=True)
        assert objects(lore) == ["open"]


def test_many_write_and_ask_at_once_and_nothing_is_lost(vault: Path) -> None:
    with Lore(vault, live=True) as one, Lore(vault, live=True) as two, ThreadPoolExecutor(6) as threads:

        def work(asked: tuple[Lore, int]) -> list[str]:
            lore, number = asked
            lore.assert_fact(f"Vendor {number}", "status", f"state {number}")
            return objects(lore, f"Vendor {number}")

        found = list(threads.map(work, product((one,), range(12)))) + list(
            threads.map(work, product((two,), range(12, 24)))
        )
        assert found == [[f"state {number}"] for number in range(24)]
    assert digest(vault, cold=False) == digest(vault, cold=True)
    assert [held(vault, f"Vendor {number}") for number in range(24)] == found


STEPS = st.lists(
    st.tuples(st.sampled_from(["assert", "close", "note", "line", "other"]), st.integers(0, 2), st.integers(0, 3)),
    max_size=8,
)


@settings(max_examples=5)
@given(steps=STEPS)
def test_any_history_of_a_held_vault_leaves_the_index_that_a_replay_makes(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]]
) -> None:
    vault = tmp_path_factory.mktemp("held")
    (vault / "atlas.md").write_text(NOTE, "utf-8")
    with Lore(vault, live=True) as lore, Lore(vault) as other:
        for kind, thing, value in steps:
            _step(vault, lore, other, (kind, thing, value))
            for name in ("Thing 0", "Thing 1", "Thing 2"):
                assert objects(lore, name) == objects(other, name)
        lore.engine.refresh(whole=False)
    assert digest(vault, cold=False) == digest(vault, cold=True)


def _step(vault: Path, lore: Lore, other: Lore, step: tuple[str, int, int]) -> None:
    kind, thing, value = step
    if kind == "note":
        (vault / f"note {thing}.md").write_text(f"# Note {thing}\n\nIt says {value}.\n", "utf-8")
    elif kind == "line":
        path = vault / "lore/journal/2020-01-01.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"- [fact] Thing {thing} :: state :: s{value} {{recorded_at=2020-01-01T00:00:0{value}Z}}\n")
    elif kind == "close" and objects(other, f"Thing {thing}"):
        lore.invalidate_fact(f"Thing {thing}", "state")
    elif kind != "close":
        (lore if kind == "assert" else other).assert_fact(f"Thing {thing}", "state", f"s{value}")


def test_a_writer_waits_for_readers_and_is_let_in_before_new_ones() -> None:
    turns, seen, entered = Turns(), list[str](), threading.Event()
    with ThreadPoolExecutor(2) as threads:
        with turns.reading():
            with turns.reading():
                pass

            def write() -> None:
                entered.set()
                with turns.writing(), turns.writing():
                    seen.append("written")

            writing = threads.submit(write)
            assert entered.wait(NOTICED)
            assert seen == []
        writing.result(NOTICED)
        with turns.reading():
            assert seen == ["written"]


def test_who_reads_cannot_write() -> None:
    turns = Turns()
    with turns.reading(), pytest.raises(RuntimeError), turns.writing():
        pass


def test_what_is_kept_of_notes_outlasts_a_fact_and_no_note(vault: Path) -> None:
    with Lore(vault, live=True) as lore, Lore(vault) as other:
        for number in range(3):
            for _ in range(3):
                assert lore.search("granite", "ledger format") == other.search("granite", "ledger format")
            lore.assert_fact("Vendor", "status", f"state {number}")
            (vault / "stone.md").write_text(f"# Stone\n\nGranite is hard, {number} say.\n", "utf-8")
            assert isinstance(lore.engine, LiveEngine)
            assert lore.engine._noticed.wait(NOTICED)
