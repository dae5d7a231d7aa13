"""SQL of others: what is answered, and what is refused, each time with a sentence and a hint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import stored
from loreweave.errors import BadRequest
from loreweave.store.session import Session

HAPPENED = stored.journal(
    ("fact Vendor :: status :: good", {"valid_from": "2024-01-01", "recorded_at": "2024-01-05"}),
    ("fact Atlas :: owner :: Ana", {"valid_from": "2024-01-01", "recorded_at": "2024-01-05", "scope": "lab"}),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("guarded")


@pytest.fixture(scope="module", params=[None, "lab"], ids=["whole", "scoped"])
def session(folder: Path, request: pytest.FixtureRequest) -> Iterator[Session]:
    path = folder / f"{request.param}.duckdb"
    (folder / "secret.csv").write_text("a,b\n1,2\n", "utf-8")
    with Session(stored.index(path, HAPPENED), scope=request.param) as opened:
        yield opened


def rows(session: Session, sql: str, **parameters: object) -> list[tuple[object, ...]]:
    with session.ask_guarded(sql, parameters or None, seconds=20) as answer:
        return list(answer.rows())


@pytest.mark.parametrize(
    "sql",
    [
        "select 1",
        "select 1;",
        "  -- a note; with a semicolon\n select 'a;b' /* ; drop table events */ ;  ",
        "from events",
        "table events",
        "values (1), (2)",
        "(select 1) union all (select 2)",
        "select count(*) from main.events",
        'select count(*) from "Events" as e join "index".main.beliefs as b using (event_id)',
        "select * from belief_at('2024-02-01', null)",
        "select * from spells_at(null) as s, lateral belief_at(s.valid_from, null)",
        "select * from changes_between(null, null), supersessions, contradictions",
        "with recursive t(n) as (select 1 union all select n + 1 from t where n < 5) select sum(n) from t",
        'with "a b" as (select 1), events as (select 2) select * from "a b", events',
        "with held as materialized (from beliefs) from held limit 1",
        "select * from range(3), generate_series(1, 2), unnest([1, 2])",
        "select * from (pivot (select kind, 1 as one from events) on kind in ('FactAsserted') using sum(one))",
        "from beliefs unpivot (value for name in (subject, predicate))",
        "select list_transform([1, 2], lambda x: x + 1), columns(*) from events",
        "select row_number() over (partition by subject order by recorded_at) from events qualify true",
        "select table_name, column_name from information_schema.columns",
        "select getvariable('as_of'), current_date, typeof(instant('2024-01-01'))",
        "explain select * from events",
        "/* why */ EXPLAIN -- slow?\n ANALYZE /* really */ select * from events",
        "explain from belief_at('2024-02-01', null)",
        "\ufeffselect 1",
        "\ufeff explain select 1",
        "pivot events on kind in ('FactAsserted')",
    ],
)
def test_a_select_is_answered(session: Session, sql: str) -> None:
    rows(session, sql)


def test_parameters_are_bound_by_name(session: Session) -> None:
    assert rows(session, "select $a || $b", a="x", b="'; drop table events; --") == [("x'; drop table events; --",)]


WRITES = """
    insert into events by name select * from events | delete from events | update events set kind = 'x'
    create table t as select 1 | create view v as select 1 | create temp view beliefs as select 1
    create or replace macro belief_at(a, b) as table select 1 | create temp table events(a int) | drop view facts
    alter table events add column x int | truncate events | comment on table events is 'x' | vacuum | checkpoint
    merge into events using events as e on true when matched then delete | analyze | prepare p as select 1 | execute p
    explain delete from events | explain analyze delete from events | explain analyze create table t(a int)
    explain analyze insert into events by name from events | explain explain select 1 | explain (format json) select 1
    begin transaction | commit | rollback | deallocate p | create sequence s | create type mood as enum ('a')
    with gone as (delete from events returning event_id) select * from gone
    with made as (insert into events by name from events returning event_id) from made
    with changed as (update events set kind = 'x' returning event_id) select count(*) from changed
    select * from (with gone as (delete from events returning event_id) select * from gone)
    explain analyze with gone as (delete from events returning event_id) select * from gone
"""
SETTINGS = """
    set memory_limit = '100GB' | reset memory_limit | pragma memory_limit='1GB' | set variable as_of = '2024-01-01'
    set TimeZone = 'Asia/Tokyo' | set enable_external_access = true | set lock_configuration = false | pragma version
    pragma database_list | set session schema = 'main' | use memory | set search_path = 'memory' | call pragma_version()
    select * from pragma_version() | select current_setting('memory_limit') | select CURRENT_SETTING('threads')
    select "current_setting"('threads') | select main.current_setting('threads') | select getenv('HOME')
    select write_log('x') | from duckdb_settings() | from duckdb_secrets() | from duckdb_logs | load icu
    install httpfs | force install httpfs | update extensions | create secret s (type s3) | from which_secret('a', 's3')
    from enable_logging() | from checkpoint() | from force_checkpoint() | call checkpoint() | from test_all_types()
"""
CATALOGUE = """
    from duckdb_tables | from duckdb_tables() | from main.duckdb_views | from system.main.duckdb_columns
    from "DuckDB_Tables" | from pragma_database_list | from pragma_table_info('events') | from sqlite_master
    from sqlite_schema | from pg_catalog.pg_tables | from pg_tables | from information_schema.schemata
    from system.information_schema.tables | from memory.main.events | from temp.main.events | from whole.main.events
    from other.events | from "index".information_schema.schemata | describe events | show tables | summarize events
    show all tables | show databases | from (describe events) | from (summarize events) | from (show tables)
    explain describe events | explain analyze summarize events | desc select 1
    with duckdb_tables as (select 1) from duckdb_tables | from table_info('events') | from pragma_storage_info('events')
    from seq_scan('events') | from duckdb_memory() | from duckdb_temporary_files() | from pragma_show('events')
"""
FILES = """
    from 'secret.csv' | from "secret.csv" | from secret.csv | from '/etc/passwd' | from 's3://bucket/a.parquet'
    from read_csv('secret.csv') | from read_text('/etc/passwd') | from read_blob('{folder}/*') | from glob('*')
    from read_text('{folder}/secret.csv') | from parquet_scan('a') | from read_parquet(['a']) | from read_json('a')
    from sniff_csv('{folder}/secret.csv') | from read_duckdb('{folder}/None.duckdb') | from '{folder}/lab.duckdb'
    copy events to 'out.csv' | copy (select 1) to '{folder}/out.parquet' | copy events from 'secret.csv'
    export database '{folder}/None.duckdb.tmp' | import database '{folder}' | attach '{folder}/None.duckdb' as other
    attach ':memory:' as m | detach "index" | copy from database "index" to memory | from parquet_metadata('a')
    with t as (from '{folder}/secret.csv') from t | select (select count(*) from '{folder}/secret.csv')
    select * from events where exists (from 'secret.csv') | from events union all by name from 'secret.csv'
    with "secret.csv" as (select 1) from "secret.csv", main."secret.csv" | from read_csv_auto($f) | from '-'
    select * from (with "{folder}/None.duckdb" as (select 1) select 1) a, "{folder}/None.duckdb" b
    select (with "secret.csv" as (select 1) select 1) from "secret.csv" | with "a.b" as (select 1) from "a.b"
    with a as (from "secret.csv"), "secret.csv" as (select 1) from a | with "C:x" as (select 1) from "C:x"
"""
TEXTS = """
    from query('select 1') | from query('delete from events') | from Query('select 1') | from "query"('select 1')
    select query('select 1') | select * from events where query('select 1') = 1 | from query_table('events')
    from query_table(['events', 'beliefs']) | from main.query_table('events') | from system.main.query('select 1')
    from json_execute_serialized_sql(json_serialize_sql('select 1')) | pragma json_execute_serialized_sql('x')
    select (select max(a) from query('select 1 as a')) | from events, lateral query('select 1')
    with q as (from query('select 1')) from q | explain select * from query('select 1')
    select * from events order by (select 1 from query('select 1')) | select query_table('events') over ()
    select list_transform([1], lambda x: query('select 1')) | from (values (query('select 1')))
    select 1; select 2 | select 1; delete from events | ; | select 1 /* */; /* */ drop table events
    from getvariable('as_of') | from json_each('[1]') | from repeat('a', 2) | from arrow_scan(1, 2, 3)
    from pandas_scan(1) | from python_map_function(1) | from histogram('events', 'kind')
"""


def each(text: str) -> list[str]:
    return [sql.strip() for line in text.splitlines() for sql in line.split(" | ") if sql.strip()]


@pytest.mark.parametrize("sql", [*each(WRITES), *each(SETTINGS), *each(CATALOGUE), *each(FILES), *each(TEXTS)])
def test_everything_else_is_refused(session: Session, folder: Path, sql: str) -> None:
    before = sorted(folder.iterdir())
    with pytest.raises(BadRequest) as refused:
        rows(session, sql.format(folder=folder))
    assert refused.value.message
    assert rows(session, "select count(*) > 0 from events") == [(True,)]
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("text", [WRITES, SETTINGS, CATALOGUE, FILES, TEXTS])
def test_the_guard_alone_refuses_what_can_be_parsed(session: Session, folder: Path, text: str) -> None:
    passed = [sql for sql in each(text) if not _refused_with_a_hint(session, sql.format(folder=folder))]
    assert passed == []


def _refused_with_a_hint(session: Session, sql: str) -> bool:
    try:
        rows(session, sql)
    except BadRequest as refused:
        return bool(refused.hint) or "Parser Error" in refused.message
    return False


def test_a_scope_is_all_there_is(session: Session) -> None:
    seen = {scope for (scope,) in rows(session, "select distinct scope_key from events")}
    assert seen in ({"default", "lab"}, {"lab"})
    if seen == {"lab"}:
        assert rows(session, "select subject from belief_at('2024-02-01', null)") == [("Atlas",)]
        assert rows(session, "select count(*) from information_schema.tables where table_catalog = 'whole'") == [(0,)]


def test_messages_say_what_to_do(session: Session) -> None:
    with pytest.raises(BadRequest, match="statement of kind DELETE; only a SELECT, or EXPLAIN of one") as refused:
        rows(session, "delete from events")
    assert "write one SELECT" in refused.value.hint
    with pytest.raises(BadRequest, match="holds 2 statements; exactly one is answered"):
        rows(session, "select 1; select 2")
    with pytest.raises(BadRequest, match=r'"a\.csv" names a file; only the index is read'):
        rows(session, "from 'a.csv'")
    with pytest.raises(BadRequest, match="A PIVOT without a list of values is two statements"):
        rows(session, "pivot events on kind")
    with pytest.raises(BadRequest, match="The query is not UTF-8"):
        rows(session, "select '\udcff'")


def test_an_error_of_sql_keeps_its_message_and_position(session: Session) -> None:
    with pytest.raises(BadRequest) as misspelt:
        rows(session, "select objekt from beliefs")
    assert '"objekt" not found' in misspelt.value.message
    assert "LINE 1: select objekt from beliefs" in misspelt.value.message
    with pytest.raises(BadRequest, match="Parser Error"):
        rows(session, "select from where")


DEEP = {
    "brackets": "select " + "(" * 5_000 + "1" + ")" * 5_000,
    "sum": "select " + "1 + " * 20_000 + "1",
    "lists": "select " + "[" * 2_000 + "]" * 2_000,
    "queries": "select * from (" * 500 + "select 1" + ")" * 500,
    "negations": "select " + "not " * 3_000 + "true",
}


@pytest.mark.parametrize("sql", DEEP.values(), ids=DEEP)
def test_deep_nesting_ends_in_an_answer_or_a_refusal(session: Session, sql: str) -> None:
    with suppress(BadRequest):
        assert len(rows(session, sql)) == 1
    assert rows(session, "select 1") == [(1,)]
