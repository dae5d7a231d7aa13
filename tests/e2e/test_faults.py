"""What can go wrong outside: kills, crowds, broken indexes, full disks. No acknowledged line is ever lost.

`FAULTS=full` kills at more points and crowds more programs.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import loreweave
from house.tree import PACKAGE, ROOT
from killing import COMMANDS, TODAY
from loreweave.engine import Engine
from loreweave.errors import LoreError, Refused, StoreError
from loreweave.library import Lore
from loreweave.store.digest import Digest, digest

FULL = os.environ.get("FAULTS") == "full"
KILLS = 60 if FULL else 12
WRITERS, READERS = (40, 10) if FULL else (8, 3)
NOW = "2025-03-05T14:00:00Z"
GOOD = "- [fact] Vendor :: reliability :: good {valid_from=2024-01-01, recorded_at=2024-01-10T09:00:00Z}\n"
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "PYTHONPATH": f"{PACKAGE.parent}:{ROOT / 'tests'}",
    "LORE_NOW": NOW,
    "LORE_BY": "tests",
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LORE_NOW", NOW)
    (tmp_path / "lore" / "journal").mkdir(parents=True)
    (tmp_path / "lore" / "journal" / "2024-01-10.md").write_text(GOOD, "utf-8")
    Engine(tmp_path).refresh()
    return tmp_path


def program(text: str, *words: str, **streams: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", text, *words], env=ENVIRONMENT, text=True, **streams)


def done(text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", text, *words], env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=60
    )


def lines(vault: Path) -> list[str]:
    path = vault / TODAY
    return path.read_text("utf-8").splitlines() if path.exists() else []


def whole(vault: Path) -> Digest:
    """The digest of an index built anew from the files."""
    Engine(vault).refresh(whole=True)
    return standing(vault)


def standing(vault: Path) -> Digest:
    with Engine(vault).session() as session:
        return digest(session)


# ------------------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize("command", list(COMMANDS))
def test_a_kill_at_any_point_loses_nothing(command: str, tmp_path: Path) -> None:
    words = [sys.executable, str(ROOT / "tests" / "killing.py"), command, str(tmp_path / "vault"), str(KILLS)]
    run = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600)
    assert run.returncode == 0, run.stderr
    left = [json.loads(line) for line in run.stdout.splitlines()]
    writes = COMMANDS[command][1]
    assert len(left) >= KILLS
    for kill in left:
        assert kill["whole"], kill
        assert kill["works"], kill
        assert kill["drafts"] == 0, kill
        assert kill["added"] in ({writes} if kill["told"] else {0, writes}), kill
    assert {True, False} == {kill["told"] for kill in left}
    assert {kill["added"] for kill in left} == {0, writes}


@pytest.mark.parametrize("written", [0, 1, 40, -1, None])
def test_what_a_killed_writer_left_half_written_is_cut_off(vault: Path, written: int | None) -> None:
    Lore(vault).assert_fact("Atlas", "owner", "Priya")
    content = "- [fact] A :: b :: c {recorded_at=2025-03-05T15:00:00Z}\n- [fact] A :: b :: d\n"
    size = (vault / TODAY).stat().st_size
    note = json.dumps({"path": TODAY, "size": size})
    (vault / ".lore" / "append").write_text(f"{note}\n{content}", "utf-8")
    with (vault / TODAY).open("a", encoding="utf-8") as file:
        file.write(content[:written])
    Lore(vault).assert_fact("Atlas", "status", "draft")
    kept = content.splitlines() if written is None else []
    assert [line for line in lines(vault) if " A :: b" in line] == kept
    assert len(lines(vault)) == 2 + len(kept)
    assert not (vault / ".lore" / "append").exists()


def test_what_was_written_after_a_kill_is_never_cut_off(vault: Path) -> None:
    Lore(vault).assert_fact("Atlas", "owner", "Priya")
    size = (vault / TODAY).stat().st_size
    (vault / ".lore" / "append").write_text(
        json.dumps({"path": TODAY, "size": size}) + "\n- [fact] A :: b :: c\n", "utf-8"
    )
    with (vault / TODAY).open("a", encoding="utf-8") as file:
        file.write("- [fact] By :: hand :: later\n")
    Lore(vault).assert_fact("Atlas", "status", "draft")
    assert "- [fact] By :: hand :: later" in lines(vault)


@pytest.mark.parametrize("note", ["", "{}", '{"path": "../x", "size": 0}\nx', '{"path": 3, "size": "x"}\n', "\x00"])
def test_a_note_that_means_nothing_is_dropped(vault: Path, note: str) -> None:
    (vault / ".lore" / "append").write_text(note, "utf-8")
    assert Lore(vault).assert_fact("Atlas", "status", "draft").written
    assert not (vault / ".lore" / "append").exists()


# ------------------------------------------------------------------------------------------------- crowds

WRITE = """
import sys
from loreweave.library import Lore
lore = Lore(sys.argv[1])
for number in range(3):
    made = lore.assert_fact(f"Desk {sys.argv[2]}", f"row {number}", "x", by=sys.argv[2])
    print(made.lines[0], flush=True)
"""
READ = """
import sys
from loreweave.library import Lore
lore = Lore(sys.argv[1])
seen = []
while len(seen) < int(sys.argv[2]):
    seen.append(len(lore.facts(limit=1000)))
assert seen[0] >= 1 and seen == sorted(seen), seen
"""


def test_a_crowd_of_writers_and_readers(vault: Path) -> None:
    writers = [program(WRITE, str(vault), str(number), stdout=subprocess.PIPE) for number in range(WRITERS)]
    readers = [program(READ, str(vault), "12", stderr=subprocess.PIPE) for _ in range(READERS)]
    told = [line for writer in writers for line in writer.communicate(timeout=300)[0].splitlines()]
    complaints = [reader.communicate(timeout=300)[1] for reader in readers]
    assert [process.returncode for process in (*writers, *readers)] == [0] * (WRITERS + READERS), complaints
    assert len(told) == 3 * WRITERS
    assert sorted(lines(vault)) == sorted(told)
    assert standing(vault) == whole(vault)


# ------------------------------------------------------------------------------------------------- broken indexes


def _emptied(index: Path) -> None:
    index.write_bytes(b"")


def _noise(index: Path) -> None:
    index.write_bytes(random.Random(1).randbytes(100_000))


def _cut(index: Path) -> None:
    os.truncate(index, index.stat().st_size // 2)


def _scratched(index: Path) -> None:
    content = bytearray(index.read_bytes())
    for place in range(12_288, len(content), 1_000):
        content[place] ^= 0xFF
    index.write_bytes(content)


def _gone(index: Path) -> None:
    index.unlink()


def _with_a_log(index: Path) -> None:
    Path(f"{index}.wal").write_bytes(random.Random(2).randbytes(5_000))


def _older(index: Path) -> None:
    with duckdb.connect(str(index)) as connection:
        connection.execute("update meta set value = '0' where key = 'schema_version'")


def _foreign(index: Path) -> None:
    index.unlink()
    with duckdb.connect(str(index)) as connection:
        connection.execute("create table t (a integer)")


BREAKS = (_emptied, _noise, _scratched, _with_a_log, _older, _foreign, _cut, _gone)


@pytest.mark.parametrize(
    ("broken", "first"), [(broken, "read") for broken in BREAKS] + [(broken, "write") for broken in BREAKS[:5]]
)
def test_a_broken_index_is_built_anew(vault: Path, broken: Any, first: str) -> None:
    Lore(vault).assert_fact("Atlas", "owner", "Priya", valid_from="2024-01-01")
    broken(Engine(vault).index)
    with Lore(vault) as lore:
        if first == "read":
            assert [fact.object for fact in lore.facts(subject="Vendor")] == ["good"]
        assert lore.assert_fact("Atlas", "owner", "Tom", valid_from="2025-01-01").written
        assert [fact.object for fact in lore.facts(subject="Atlas")] == ["Tom"]
    assert len(lines(vault)) == 2
    assert standing(vault) == whole(vault)


@pytest.mark.parametrize("block", range(5))
def test_a_broken_block_costs_one_question_at_most(vault: Path, block: int) -> None:
    index = Engine(vault).index
    content = bytearray(index.read_bytes())
    blocks = -(-(len(content) - 12_288) // 262_144)
    begins = 12_288 + block % blocks * 262_144
    for place in range(begins + 100, min(begins + 262_144, len(content)), 500):
        content[place] ^= 0xFF
    index.write_bytes(content)
    with Lore(vault) as lore:
        try:
            said = lore.facts(subject="Vendor")
        except StoreError:
            said = lore.facts(subject="Vendor")
        assert [fact.object for fact in said] == ["good"]
        assert lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-06-01").written
        assert [fact.object for fact in lore.facts(subject="Vendor")] == ["fair"]
    assert standing(vault) == whole(vault)


def test_an_index_of_a_newer_program_is_refused_by_name(vault: Path) -> None:
    index = Engine(vault).index
    with duckdb.connect(str(index)) as connection:
        connection.execute("update meta set value = '999' where key = 'schema_version'")
    before = index.read_bytes()
    for ask in (
        lambda lore: lore.facts(),
        lambda lore: lore.assert_fact("Atlas", "owner", "Tom"),
        lambda lore: lore.replay(cold=True),
    ):
        with pytest.raises(StoreError, match="999 and was written by a newer loreweave"):
            ask(Lore(vault))
    assert (index.read_bytes(), lines(vault)) == (before, [])


def test_drafts_of_processes_that_are_gone_are_swept(vault: Path) -> None:
    ended = program("pass")
    ended.wait(timeout=60)
    index = Engine(vault).index
    left = [Path(f"{index}.{ended.pid}.1.tmp"), Path(f"{index}.{ended.pid}.1.tmp.wal")]
    mine = Path(f"{index}.{os.getpid()}.1.tmp")
    for path in (*left, mine):
        path.write_bytes(b"x")
    Lore(vault).assert_fact("Atlas", "owner", "Tom")
    assert [path.exists() for path in (*left, mine)] == [False, False, True]


HOLD = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(vault: Path) -> Iterator[subprocess.Popen[str]]:
    held = program(HOLD, str(Engine(vault).index), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert held.stdout is not None
    assert held.stdout.readline() == "held\n"
    yield held
    held.communicate("", timeout=60)


def test_an_index_that_another_program_holds_is_read_and_replaced(vault: Path, holder: subprocess.Popen[str]) -> None:
    with Lore(vault) as lore:
        assert [fact.object for fact in lore.facts(subject="Vendor")] == ["good"]
        assert lore.assert_fact("Vendor", "reliability", "fair", valid_from="2024-06-01").written
        assert [fact.object for fact in lore.facts(subject="Vendor")] == ["fair"]
    assert holder.poll() is None


# ------------------------------------------------------------------------------------------------- full disks

LIMITED = """
import resource, signal, sys
from loreweave.cli import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
main()
"""
PROSE = "Prose of the day.\n" * 200_000


def test_a_disk_too_full_for_the_index_takes_no_line(vault: Path) -> None:
    run = done(LIMITED, "100000", "--vault", str(vault), "assert", "Atlas", "owner", "Tom")
    assert (run.returncode, run.stdout, run.stderr.count("error:")) == (2, "", 1), run.stderr
    assert lines(vault) == []
    assert standing(vault) == whole(vault)


def test_a_disk_that_fills_within_a_line_takes_none_of_it(vault: Path) -> None:
    (vault / TODAY).write_text(PROSE, "utf-8")
    Engine(vault).refresh()
    run = done(LIMITED, str(len(PROSE) + 20), "--vault", str(vault), "assert", "Atlas", "owner", "Tom")
    assert run.returncode == 2
    assert run.stderr.startswith(f'error: "{TODAY}" took no more: File too large. Nothing was written.')
    assert (vault / TODAY).read_text("utf-8") == PROSE
    assert Lore(vault).assert_fact("Atlas", "owner", "Tom").written


def test_lines_stand_where_the_disk_fills_after_them(vault: Path) -> None:
    index = Engine(vault).index
    rows = vault / "rows.jsonl"
    count = 4_000
    texts = (json.dumps({"subject": f"Row {n}", "predicate": "text", "object": f"{n} " * 40}) for n in range(count))
    rows.write_text("\n".join(texts), "utf-8")
    limit = index.stat().st_size + 100_000
    run = done(LIMITED, str(limit), "--vault", str(vault), "import", str(rows))
    assert run.returncode == 2, run.stdout
    assert run.stderr.startswith(f'error: The lines stand in "{TODAY}", but the index could not be brought up to date.')
    assert len(lines(vault)) == count
    Engine(vault).refresh()
    assert standing(vault) == whole(vault)
    assert Lore(vault).import_facts([{"subject": "Row 1", "predicate": "text", "object": "x"}]).written == 1


# ------------------------------------------------------------------------------------------------- folders


def test_a_vault_without_a_folder_to_write_is_refused_in_one_sentence(vault: Path) -> None:
    shutil.rmtree(vault / ".lore")
    (vault / ".lore").write_text("", "utf-8")
    with pytest.raises(LoreError, match=r"\.lore"):
        Lore(vault).assert_fact("Atlas", "owner", "Tom")
    assert lines(vault) == []


def test_a_read_only_vault_is_refused_in_one_sentence(vault: Path) -> None:
    vault.chmod(0o555)
    shutil.rmtree(vault / ".lore")
    try:
        with pytest.raises(Refused, match="is read-only, so nothing was written"):
            loreweave.open(vault).assert_fact("Atlas", "owner", "Tom")
    finally:
        vault.chmod(0o755)
    assert lines(vault) == []
