"""Sessions: what they show, what they cannot reach, what stops them, and what they make of a file that is not right."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import stored
from loreweave.errors import BadRequest, StoreError
from loreweave.store.layout import HIDDEN
from loreweave.store.opening import MissingIndex, NewerIndex, UnusableIndex, bytes_of
from loreweave.store.schema import SCHEMA_VERSION
from loreweave.store.session import NO_MOMENT, Session
from loreweave.times import Moment

GOOD = stored.journal(
    ("fact Vendor :: status :: good", {"valid_from": "2024-01-01", "recorded_at": "2024-01-05"}),
    ("fact Vendor :: status :: poor", {"valid_from": "2024-03-01", "recorded_at": "2024-03-02"}),
    ("fact Atlas :: owner :: Ana", {"valid_from": "2024-01-01", "recorded_at": "2024-01-05", "scope": "lab"}),
)
OTHER = stored.journal(("fact Vendor :: status :: closed", {"recorded_at": "2024-01-05"}))
NEWER = SCHEMA_VERSION + 1
STATUS = "select object from belief_at('2024-02-01', null) where subject_key = 'vendor'"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return stored.index(tmp_path / "index.duckdb", GOOD)


@pytest.fixture
def session(path: Path) -> Iterator[Session]:
    with Session(path) as opened:
        yield opened


def rows(session: Session, sql: str, *, moment: Moment = NO_MOMENT, seconds: float = 20) -> list[tuple[object, ...]]:
    with session.ask_guarded(sql, moment=moment, seconds=seconds) as answer:
        return list(answer.rows())


# The moment ----------------------------------------------------------------------------------------------


def test_facts_are_those_of_the_moment(session: Session) -> None:
    moment = Moment(as_of=stored.at("2024-04-01"), as_known_at=stored.at("2024-02-01"))
    assert rows(session, "select object from facts where subject = 'Vendor'", moment=moment) == [("good",)]
    moment = Moment(as_of=stored.at("2024-04-01"))
    assert rows(session, "select object from facts where subject = 'Vendor'", moment=moment) == [("poor",)]


def test_without_a_moment_facts_are_refused(session: Session) -> None:
    rows(session, "from facts", moment=Moment(as_of=stored.at("2024-04-01")))
    for moment in (Moment(), Moment(as_known_at=stored.at("2024-04-01"))):
        with pytest.raises(BadRequest, match="no moment is set; give --as-of"):
            rows(session, "from facts", moment=moment)


def test_an_instant_is_refused_as_a_request(session: Session) -> None:
    with pytest.raises(BadRequest, match='"soon" is not a time'):
        rows(session, "from belief_at('soon', null)")


# Answers -------------------------------------------------------------------------------------------------


def test_an_answer_tells_its_columns_before_its_rows(session: Session) -> None:
    with session.ask_guarded("select object, valid_from, many from beliefs where false") as answer:
        assert answer.columns == (("object", "VARCHAR"), ("valid_from", "TIMESTAMP"), ("many", "BOOLEAN"))
        assert list(answer.batches()) == []


def test_rows_come_as_they_are_read(session: Session) -> None:
    with session.ask_guarded("select range from range(1_000_000_000_000)") as answer:
        batches = answer.batches(size=1_000)
        assert [len(next(batches)) for _ in range(3)] == [1_000, 1_000, 1_000]


def test_arrow_comes_as_it_is_read(session: Session) -> None:
    reader = session.ask_arrow("select range as n, $text as said from range(1_000_000_000_000)", {"text": "x"})
    assert reader.schema.names == ["n", "said"]
    assert next(iter(reader)).num_rows > 0
    reader.close()


def test_arrow_holds_the_same_rows(session: Session) -> None:
    moment = Moment(as_of=stored.at("2024-02-01"))
    table = session.ask_arrow("select subject, object, valid_until from facts order by all", moment=moment).read_all()
    assert [tuple(row.values()) for row in table.to_pylist()] == rows(
        session, "select subject, object, valid_until from facts order by all", moment=moment
    )


def test_an_error_in_a_late_row_is_a_bad_request(session: Session) -> None:
    late = "select case when range = 500_000 then error('row ' || range) else range end from range(1_000_000)"
    with pytest.raises(BadRequest, match="row 500000"):
        rows(session, late)
    with pytest.raises(BadRequest, match="row 500000"):
        session.ask_arrow(late).read_all()


def test_several_threads_ask_at_once(session: Session) -> None:
    found: list[object] = []
    asks = [threading.Thread(target=lambda: found.append(session.ask(STATUS).fetchall())) for _ in range(8)]
    for thread in asks:
        thread.start()
    for thread in asks:
        thread.join()
    assert found == [[("good",)]] * 8


def test_the_engine_is_told_of_a_wrong_question(session: Session) -> None:
    with pytest.raises(StoreError, match="The index cannot answer"):
        session.ask("select nothing from nowhere")


# Limits --------------------------------------------------------------------------------------------------

ENDLESS = [
    "with recursive t(n) as (select 1 union all select n from t) select count(*) from t",
    "select sum(a.range * b.range) from range(10_000_000) as a, range(10_000_000) as b",
    "select count(*) from beliefs as a, beliefs as b, range(1_000_000_000_000) where a.subject || range = b.object",
]


@pytest.mark.parametrize("sql", ENDLESS)
def test_a_query_without_end_is_stopped(session: Session, sql: str) -> None:
    with pytest.raises(BadRequest, match=r"took longer than 0\.2 s and was stopped") as stopped:
        rows(session, sql, seconds=0.2)
    assert "--timeout" in stopped.value.hint
    with pytest.raises(BadRequest, match=r"took longer than 0\.2 s and was stopped"):
        session.ask_arrow(sql, seconds=0.2).read_all()
    assert session.ask(STATUS).fetchall() == [("good",)]


def test_reading_without_end_is_stopped_too(session: Session) -> None:
    with pytest.raises(BadRequest, match="was stopped"):
        sum(1 for _ in session.ask_guarded("from range(1_000_000_000_000)", seconds=0.2).rows())


@pytest.mark.parametrize("ask", ["rows", "arrow"])
def test_what_cannot_be_stopped_is_left_behind(path: Path, ask: str) -> None:
    program = """
import sys, time
from pathlib import Path
from loreweave.errors import BadRequest
from loreweave.store.session import Session
stuck = "select length(lpad('x', 800000000, 'y'))"
with Session(Path(sys.argv[1])) as session:
    began = time.monotonic()
    try:
        if sys.argv[2] == "rows":
            list(session.ask_guarded(stuck, seconds=0.2).rows())
        else:
            session.ask_arrow(stuck, seconds=0.2).read_all()
    except BadRequest as told:
        print(told.message, time.monotonic() - began < 6)
    print(session.ask("select count(*) from events").fetchall())
"""
    done = subprocess.run([sys.executable, "-c", program, str(path), ask], capture_output=True, text=True, check=True)
    assert done.stdout == "The query took longer than 0.2 s and was stopped. True\n[(3,)]\n"
    assert done.stderr == ""


def test_a_query_that_needs_too_much_memory_is_refused(path: Path) -> None:
    with Session(path, memory="60MB") as session:
        with pytest.raises(BadRequest, match="needs more memory than the 60MB that it may have") as refused:
            rows(session, "select count(*) from (select distinct range, range::varchar from range(20_000_000))")
        assert "--memory-limit" in refused.value.hint
        assert session.ask(STATUS).fetchall() == [("good",)]


def test_texts_that_the_database_does_not_count_are_bounded_too(path: Path) -> None:
    with (
        Session(path, memory="30MB") as session,
        pytest.raises(BadRequest, match="needs more memory than the 30MB"),
    ):
        rows(session, "select max(length(repeat('x', 50_000) || range)) from range(100_000)")


@pytest.mark.parametrize(
    ("memory", "count"), [("512MB", 512_000_000), ("2GiB", 2 << 30), ("1.5 kb", 1_500), ("7B", 7), ("much", 0)]
)
def test_an_amount_of_memory_is_read_as_the_database_reads_it(memory: str, count: int) -> None:
    assert bytes_of(memory) == count


# Scope ---------------------------------------------------------------------------------------------------


def test_a_scope_holds_its_rows_and_no_others(path: Path) -> None:
    with Session(path, scope="lab") as lab:
        assert lab.ask("select distinct scope_key, subject from events").fetchall() == [("lab", "Atlas")]
        assert lab.ask("select object from belief_at('2024-02-01', null)").fetchall() == [("Ana",)]
        databases = lab.ask("select database_name, path from duckdb_databases() where not internal").fetchall()
        assert sorted(databases) == [("index", None), ("memory", None)]
        with pytest.raises(StoreError):
            lab.ask(f"attach '{path}' as whole")
    with Session(path, scope="nobody") as nobody:
        assert nobody.ask("select count(*) from events").fetchall() == [(0,)]


def test_an_index_of_the_default_scope_alone_is_opened_as_it_is_and_any_other_copied(path: Path) -> None:
    alone = stored.index(path.with_name("alone"), OTHER)
    where = "select path from duckdb_databases() where database_name = 'index'"
    for file, scope, place in ((alone, "default", str(alone)), (path, "default", None), (alone, "lab", None)):
        with Session(file, scope=scope, memory="60MB") as session:
            assert session.ask(where).fetchall() == [(place,)]
            assert session.ask("select count(*) from events where scope_key <> $1", [scope]).fetchall() == [(0,)]


def test_who_asks_of_one_scope_cannot_tell_whether_there_are_others(path: Path) -> None:
    alone = stored.index(path.with_name("alone"), OTHER)
    mixed = stored.index(path.with_name("mixed"), OTHER)
    with duckdb.connect(str(mixed)) as index:
        index.execute("insert into findings (code, path) values ('secret', 'secret.md')")
    listed = "from information_schema.columns order by all", "from information_schema.tables order by all"
    told = []
    for file in (alone, path, mixed):
        with Session(file, scope="default") as session:
            told.append([rows(session, sql) for sql in listed])
            assert rows(session, "select code from findings where code = 'secret'") == []
            for name in HIDDEN:
                for asked in (name, f"main.{name.upper()}", f"index.main.{name}"):
                    with pytest.raises(BadRequest, match="is not a table or view of the index"):
                        rows(session, f"select count(*) from {asked}")
            assert rows(session, "with lost as (select 1 as n) select n from lost") == [(1,)]
    assert told == told[:1] * 3


def test_a_session_is_shut_even_without_a_guard(session: Session, path: Path) -> None:
    for sql in (
        f"copy (select 1) to '{path.parent / 'out.csv'}'",
        f"attach '{path}' as again",
        "set threads = 1",
        "set enable_external_access = true",
        "delete from events",
        "create view mine as select 1",
    ):
        with pytest.raises(StoreError):
            session.ask(sql)
    assert [file.name for file in path.parent.iterdir()] == ["index.duckdb"]


def test_the_session_is_in_utc(session: Session) -> None:
    assert session.ask("select '2024-06-01T09:30+02'::timestamptz::varchar").fetchall() == [("2024-06-01 07:30:00+00",)]


# Files ---------------------------------------------------------------------------------------------------


def test_a_new_index_is_seen_by_a_new_session_while_the_old_one_is_read(path: Path) -> None:
    old = Session(path)
    assert not old.stale
    stored.index(path.with_name("next"), OTHER).replace(path)
    assert old.stale
    with Session(path) as new:
        assert new.ask(STATUS).fetchall() == [("closed",)]
        assert old.ask(STATUS).fetchall() == [("good",)]
        assert not new.stale
    old.close()


def broken(path: Path) -> Iterator[bytes]:
    whole = path.read_bytes()
    yield from (b"", b"no index at all", b"\0" * len(whole))
    yield from (whole[: len(whole) * part // 4] for part in (1, 2, 3))
    yield whole[:4096] + bytes(4096) + whole[8192:]


def test_a_broken_file_is_corrupt_and_never_a_crash(path: Path) -> None:
    for content in list(broken(path)):
        path.write_bytes(content)
        with pytest.raises(UnusableIndex, match=r"cannot be read|is corrupt") as raised:
            Session(path)
        assert "lore replay" in raised.value.hint


def test_a_database_of_something_else_is_corrupt(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "index.duckdb")) as connection:
        connection.execute("create table meta as select 'schema_version' as key, 'first' as value")
    with pytest.raises(UnusableIndex, match="is corrupt"):
        Session(tmp_path / "index.duckdb")


def test_a_missing_an_older_and_a_newer_index_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(MissingIndex, match="There is no index"):
        Session(tmp_path / "index.duckdb")
    with pytest.raises(UnusableIndex, match="is older"):
        Session(stored.index(tmp_path / "older", GOOD, schema=0))
    with pytest.raises(NewerIndex, match=f"has schema {NEWER} and was written by a newer loreweave"):
        Session(stored.index(tmp_path / "newer", GOOD, schema=NEWER))


def test_an_older_index_may_be_opened_to_be_asked_what_it_held(tmp_path: Path) -> None:
    with Session(stored.index(tmp_path / "older", GOOD, schema=0), earlier=True) as older:
        assert older.ask("select count(*) from events").fetchall() == [(3,)]
    with pytest.raises(NewerIndex):
        Session(stored.index(tmp_path / "newer", GOOD, schema=NEWER), earlier=True)


def test_who_holds_an_index_that_cannot_be_copied_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "[(3,)]\n"
        monkeypatch.setattr("loreweave.store.opening.tempfile.mkstemp", full)
        with pytest.raises(StoreError, match=rf"PID {holder.pid}\) holds the index, and it cannot be copied: No space"):
            Session(path)
        holder.communicate("")


HOLD = """
import duckdb, sys
with duckdb.connect(sys.argv[1]) as held:
    print(held.execute("select count(*) from events").fetchall(), flush=True)
    sys.stdin.read()
"""


def test_an_index_that_another_program_holds_is_read_from_a_copy(path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "[(3,)]\n"
        with pytest.raises(duckdb.IOException, match="lock"):
            duckdb.connect(str(path), read_only=True)
        with Session(path) as session, Session(path, scope="lab") as lab:
            assert session.ask(STATUS).fetchall() == [("good",)]
            assert lab.ask("select count(*) from events").fetchall() == [(1,)]
            assert [file.name for file in path.parent.iterdir()] == ["index.duckdb"]
        assert holder.poll() is None
        holder.communicate("")


def test_asking_imports_no_arrow(path: Path) -> None:
    program = """
import sys
from pathlib import Path
from loreweave.store.session import NO_MOMENT, Session
with Session(Path(sys.argv[1])) as session:
    assert session.ask("from belief_at('2024-02-01', null)").fetchall()
    with session.ask_guarded("select * from events") as answer:
        assert list(answer.rows())
print([name for name in ("pyarrow", "numpy", "pandas", "lark", "yaml") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
