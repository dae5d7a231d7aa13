"""Refreshing what changed gives the index that reading everything gives, table by table."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loreweave.engine import Engine
from loreweave.engine.plan import compare
from loreweave.engine.replay import replay_all
from loreweave.store.digest import digest
from loreweave.vault.config import Config

TABLES = ("events", "beliefs", "agreements", "conflicts", "findings", "repeats")
FILES = (
    "lore/journal/2024-01-10.md",
    "lore/journal/2024-02-20.md",
    "lore/journal/notes.md",
    "lore/ledger/2024-03-01-0001.md",
)
LINES = (
    "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}",
    "- [fact] Vendor :: reliability :: poor {valid_from=2024-02-01, recorded_at=2024-02-10T09:00:00Z}",
    "- [fact] Vendor :: reliability :: fair {valid_from=2024-02-01, recorded_at=2024-02-10T09:00:00Z}",
    "- [invalidate] Vendor :: reliability {valid_until=2024-01-20, recorded_at=2024-03-10T09:00:00Z}",
    "- [invalidate] Atlas :: owner {valid_until=2024-01-20}",
    "- [fact] Atlas :: owner :: Priya",
    "- [fact] Atlas :: owner :: Priya",
    "- [retract] Atlas :: owner :: Priya {recorded_at=2024-05-01}",
    "- [fact] Atlas :: member :: Ana {recorded_at=2024-01-11, many}",
    "- [fact] Atlas :: member :: Ana {valid_from=2024-01-05, valid_until=2024-02-05, recorded_at=2024-01-12}",
    "- [observed] Atlas :: owner :: Bo {note=atlas.md, recorded_at=2024-03-01}",
    "- [withdrawn] Atlas :: owner {note=atlas.md, recorded_at=2024-04-01}",
    "- [session] weekly {recorded_at=2024-04-02}",
    "- [fact] Atlas :: owner",
    "- [Fact] Atlas :: owner :: Bo",
    "- [fact] Atlas :: budget :: 10 {valid_from=2024-02-30}",
    "```",
    "%%",
    "ordinary prose",
)

edits = st.one_of(
    st.tuples(st.just("append"), st.sampled_from(FILES), st.lists(st.sampled_from(LINES), min_size=1, max_size=3)),
    st.tuples(st.just("write"), st.sampled_from(FILES), st.lists(st.sampled_from(LINES), max_size=5)),
    st.tuples(st.just("remove"), st.sampled_from(FILES), st.just([])),
    st.tuples(st.just("touch"), st.sampled_from(FILES), st.just([])),
    st.tuples(st.just("open end"), st.sampled_from(FILES), st.lists(st.sampled_from(LINES), min_size=1, max_size=1)),
)


def edit(root: Path, kind: str, path: str, lines: list[str]) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"{line}\n" for line in lines)
    if kind == "append":
        with file.open("a", encoding="utf-8") as opened:
            opened.write(text)
    elif kind == "write":
        file.write_text(text, "utf-8")
    elif kind == "open end":
        file.write_text(text.rstrip("\n"), "utf-8")
    elif file.exists():
        file.unlink() if kind == "remove" else os.utime(file, ns=(1, 1))


def rows(engine: Engine) -> dict[str, list[tuple[object, ...]]]:
    with engine.session() as session:
        return {name: sorted(session.ask(f"select * from {name}").fetchall(), key=repr) for name in TABLES}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=settings.default.max_examples // 4)
@given(st.lists(edits, min_size=1, max_size=8))
def test_any_sequence_of_edits_refreshed_equals_a_clean_replay(
    tmp_path: Path, changes: list[tuple[str, str, list[str]]]
) -> None:
    root = tmp_path / "vault"
    shutil.rmtree(root, ignore_errors=True)
    (root / "lore").mkdir(parents=True)
    engine = Engine(root)
    engine.refresh()
    for change in changes:
        edit(root, *change)
        engine.refresh()
        assert engine.refresh().read == 0
    refreshed = rows(engine)
    engine.refresh(whole=True)
    assert refreshed == rows(engine)


@pytest.mark.parametrize("few", [0, 10_000])
def test_a_change_gives_the_same_on_plain_rows_and_on_arrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    root = tmp_path / "vault"
    edit(root, "write", FILES[0], list(LINES[:9]))
    engine = Engine(root)
    engine.refresh()
    monkeypatch.setattr("loreweave.engine.replay.FEW", few)
    edit(root, "write", FILES[1], list(LINES[2:8]))
    engine.refresh()
    refreshed = rows(engine)
    engine.refresh(whole=True)
    assert refreshed == rows(engine)


def test_one_process_and_two_read_the_same(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    for path in FILES:
        edit(root, "write", path, list(LINES))
    engine = Engine(root)
    engine.refresh()
    digests = []
    for processes in (1, 2):
        replay_all(engine.root, engine.index, compare(engine.root, Config()), processes)
        with engine.session() as session:
            digests.append(digest(session))
    assert digests[0] == digests[1]


def test_a_vault_in_which_nothing_can_be_written_is_answered_from_a_temporary_index(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    edit(root, "write", FILES[0], list(LINES[:4]))
    (root / ".lore").write_text("a file where the folder would be", "utf-8")
    engine = Engine(root)
    assert engine.refresh().read == 1
    with engine.session() as session:
        assert session.ask("select count(*) from events").fetchall() == [(4,)]
    assert sorted(os.listdir(root)) == [".lore", "lore"]
