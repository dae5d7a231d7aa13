"""The digest depends on what the index says and on nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import attrs
import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stored
from histories import events_of, histories
from loreweave.errors import Finding
from loreweave.events.model import Event
from loreweave.store.digest import ALL, ANSWERS, Digest, digest
from loreweave.store.layout import lay_out
from loreweave.store.session import Session

HAPPENED = [
    *stored.journal(
        ("fact Vendor :: status :: good", {"valid_from": "2024-01-01", "recorded_at": "2024-01-05", "confidence": 0.1}),
        ("fact Vendor :: status :: poor", {"valid_from": "2024-03-01", "recorded_at": "2024-03-02T10:00:00.000001Z"}),
        ("invalidate Vendor :: status", {"recorded_at": "2024-05-01", "because": 'said "so": 1:2,-'}),
        ("retract Vendor :: colour", {"recorded_at": "2024-05-01"}),
    ),
    Finding("near-miss", "This is almost a line.", "write it so", "lore/journal/2024-01-01.md", 9, 1, "warning"),
]


class Here:
    """A session over tables in memory."""

    def __init__(self, happened: Iterable[Event | Finding]) -> None:
        self.connection = duckdb.connect()
        lay_out(self.connection)
        self.put(happened)

    def put(self, happened: Iterable[Event | Finding]) -> Here:
        stored.put(self.connection, happened)
        return self

    def ask(self, sql: str) -> duckdb.DuckDBPyConnection:
        return self.connection.cursor().execute(sql)

    def digest(self, what: str = ALL) -> Digest:
        return digest(self, what)  # type: ignore[arg-type]

    def run(self, *statements: str) -> Here:
        for sql in statements:
            self.connection.execute(sql)
        return self


@pytest.fixture(scope="module")
def here() -> Here:
    return Here([])


def moved(happened: Iterable[Event | Finding]) -> list[Event | Finding]:
    """The same lines in other places, with the ids they have there."""
    return [attrs.evolve(one, path="lore/journal/2024-01-02.md", line=one.line + 7) for one in happened]


def test_a_digest_is_stable() -> None:
    found = Here(HAPPENED).digest()
    asked = ["events", "beliefs", "unrecorded", "findings"]
    assert list(found.tables) == [*asked, "notes", "spans", "links", "tags", "postings"]
    assert list(Here(HAPPENED).digest(ANSWERS).tables) == asked
    assert {len(value) for value in (found.whole, *found.tables.values())} == {64}
    pinned = "80a55b0b36720144109abc063a2b4a850c099640d6ddbfa9fbd5f938f929a7d6"
    assert Here(HAPPENED).digest(ANSWERS).tables["beliefs"] == pinned


def test_a_file_and_its_sessions_have_the_digest_of_their_rows(tmp_path: Path) -> None:
    path = stored.index(tmp_path / "index.duckdb", HAPPENED)
    with Session(path) as whole, Session(path, scope="default") as scoped:
        assert digest(whole) == Here(HAPPENED).digest()
        assert digest(scoped).tables["beliefs"] == digest(whole).tables["beliefs"]
        assert digest(whole, ANSWERS) == Here(HAPPENED).digest(ANSWERS)


@pytest.mark.parametrize(
    "setting",
    [
        *("threads = 1", "TimeZone = 'Asia/Kathmandu'", "default_order = 'desc'"),
        *("default_null_order = 'nulls_first'", "preserve_insertion_order = false"),
    ],
)
def test_settings_change_no_digest(setting: str) -> None:
    assert Here(HAPPENED).run(f"set global {setting}").digest() == Here(HAPPENED).digest()


@given(history=histories(), turn=st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_digest(here: Here, history: list[object], turn: object) -> None:
    happened = events_of(history)  # type: ignore[arg-type]
    turned = [*happened]
    turn.shuffle(turned)  # type: ignore[attr-defined]
    assert here.put(turned).digest() == here.put(happened).digest()


@pytest.mark.parametrize("table", ["events", "beliefs"])
def test_rows_put_in_backwards_change_no_digest(table: str) -> None:
    backwards = f"create or replace table {table} as from {table} order by path desc, line desc, valid_from desc"
    assert Here(HAPPENED).run(backwards).digest() == Here(HAPPENED).digest()


@pytest.mark.parametrize(
    "change",
    [
        "update events set because = '' where because is null",
        "update events set because = null where because is not null",
        "update events set recorded_at = recorded_at + interval 1 microsecond where line = 2",
        "update events set confidence = 0.1::double + 0.2 - 0.2 where line = 1",
        "update events set many = true where line = 1",
        "update events set subject = predicate, predicate = subject where line = 1",
        "update events set subject = subject || ' ', predicate = predicate where line = 1",
        "update beliefs set valid_until = null",
        "update findings set severity = 'error'",
        "delete from events where line = 4",
        "insert into findings from findings",
        "insert into unrecorded by name select 'Atlas' as subject",
    ],
)
@pytest.mark.parametrize("what", [ALL, ANSWERS])
def test_any_change_of_an_answer_changes_both_digests(change: str, what: str) -> None:
    assert Here(HAPPENED).run(change).digest(what).whole != Here(HAPPENED).digest(what).whole


def test_no_text_passes_for_two() -> None:
    one = Here([]).run("insert into unrecorded by name select 'a' as scope, '1:b' as subject, null as predicate")
    two = Here([]).run("insert into unrecorded by name select 'a1:' as scope, 'b' as subject, null as predicate")
    three = Here([]).run("insert into unrecorded by name select 'a' as scope, null as subject, '1:b' as predicate")
    assert len({each.digest().whole for each in (one, two, three)}) == 3


def test_lines_that_move_change_all_and_no_answers() -> None:
    here, there = Here(HAPPENED), Here(moved(HAPPENED))
    assert here.digest().whole != there.digest().whole
    assert here.digest(ANSWERS) == there.digest(ANSWERS)


def test_ids_are_no_part_of_the_answers() -> None:
    renamed = "update {} set event_id = 'x' || event_id".format
    here = Here(HAPPENED).run(renamed("events"), renamed("beliefs"), "update beliefs set ended_by = 'x'")
    assert here.digest().whole != Here(HAPPENED).digest().whole
    assert here.digest(ANSWERS) == Here(HAPPENED).digest(ANSWERS)


def test_the_kinds_of_digest_differ() -> None:
    assert Here([]).digest(ALL).whole != Here([]).digest(ANSWERS).whole
