"""Each question over a few lines of a journal, and the macros against the belief lookup on histories of any kind."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import Any

import duckdb
import pytest
from hypothesis import given

import stored
from answers import Answers, covers, slot_in
from histories import GRID, events_of, histories
from loreweave.errors import Finding
from loreweave.events.model import Event
from loreweave.store.schema import TABLES
from loreweave.store.views import views
from loreweave.times import to_datetime

INF = float("inf")


@cache
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    stored.make(connection)
    return connection


def connect(happened: Iterable[Event | Finding]) -> duckdb.DuckDBPyConnection:
    """An index of these events; one at a time, for making tables and views is slow."""
    stored.put(database(), happened)
    return database().cursor()


def ask(connection: duckdb.DuckDBPyConnection, sql: str, **parameters: object) -> list[tuple[Any, ...]]:
    return connection.execute(sql, parameters or None).fetchall()


def day(text: str) -> datetime:
    return datetime.fromisoformat(text)


VENDOR = stored.journal(
    ("fact Vendor :: reliability :: good", {"valid_from": "2024-01-01", "recorded_at": "2024-01-05"}),
    ("fact Vendor :: reliability :: poor", {"valid_from": "2024-03-01", "recorded_at": "2024-03-02"}),
    ("invalidate Vendor :: reliability", {"valid_until": "2024-06-01", "recorded_at": "2025-03-05"}),
    ("invalidate Vendor :: reliability", {"valid_until": "2024-08-01", "recorded_at": "2025-04-01"}),
)


# One by one ----------------------------------------------------------------------------------------------


def test_a_late_close_leaves_the_earlier_answer() -> None:
    index = connect(VENDOR)
    plane = """
        select k, v, object
        from (values ('2024-01-04'), ('2024-02-01'), ('2024-12-01'), ('2025-03-05'), (null)) as known(k),
             (values ('2023-12-31'), ('2024-02-01'), ('2024-09-01')) as asked(v)
        left join lateral (from belief_at(v, k)) on true
        order by k nulls last, v
    """
    answers: dict[str | None, list[str | None]] = {}
    for k, _, found in ask(index, plane):
        answers.setdefault(k, []).append(found)
    assert answers == {
        "2024-01-04": [None, None, None],
        "2024-02-01": [None, "good", "good"],
        "2024-12-01": [None, "good", "poor"],
        "2025-03-05": [None, "good", None],
        None: [None, "good", None],
    }


@pytest.mark.parametrize("macro", ["belief_at", "upcoming_at"])
def test_asking_about_no_instant_is_an_error(macro: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match="as_of is NULL"):
        ask(connect(VENDOR), f"from {macro}(null, null)")


@pytest.mark.parametrize(
    "question",
    ["belief_at('x', null)", "belief_at('2024-01-01', 'x')", "upcoming_at('x', null)", "upcoming_at('2024-01-01', 'x')"]
    + ["spells_at('x')", "changes_between('x', null)", "changes_between(null, 'x')", "future_recorded_at('x')"]
    + [f"beliefs_valid_between({given})" for given in ("'x', null, null", "null, 'x', null", "null, null, 'x'")],
)
def test_every_macro_refuses_what_is_no_time(question: str) -> None:
    with pytest.raises(duckdb.InvalidInputException, match='"x" is not a time'):
        ask(connect(VENDOR), f"from {question}")


def test_facts_is_an_error_until_a_moment_is_set() -> None:
    index = connect(VENDOR)
    with pytest.raises(duckdb.InvalidInputException, match="no moment is set; give --as-of"):
        ask(index, "select count(*) from facts")
    index.execute("set variable as_of = '2024-09-01'")
    assert ask(index, "select object from facts") == []
    index.execute("set variable as_known_at = '2024-12-01'")
    assert ask(index, "select object from facts") == [("poor",)]
    index.execute("set variable as_of = 'soon'")
    with pytest.raises(duckdb.InvalidInputException, match='"soon" is not a time'):
        ask(index, "select object from facts")


def test_changes_name_the_event_that_made_them() -> None:
    index = connect(VENDOR)
    good, poor, closed, _ = (event.event_id for event in VENDOR)
    made = """
        select change, object, changed_by, valid_until from changes_between($a, $b) order by recorded_at, change, object
    """
    assert ask(index, made, a=None, b="2024-01-05") == [("began", "good", good, None)]
    assert ask(index, made, a="2024-01-05", b="2024-03-02") == [
        ("began", "good", poor, day("2024-03-01")),
        ("began", "poor", poor, None),
        ("ended", "good", poor, None),
    ]
    assert ask(index, made, a="2024-03-02", b=None) == [
        ("began", "poor", closed, day("2024-06-01")),
        ("ended", "poor", closed, None),
    ]


def test_a_change_in_one_sub_slot_is_not_laid_on_another() -> None:
    happened = stored.journal(
        ("fact Team :: member :: Ana", {"recorded_at": "2024-01-01", "many": True}),
        ("fact Team :: member :: Bo", {"recorded_at": "2024-01-01", "many": True}),
        ("invalidate Team :: member :: Bo", {"recorded_at": "2024-02-01"}),
        ("invalidate Team :: member :: Ana", {"recorded_at": "2024-02-01"}),
    )
    ended = ask(
        connect(happened), "select object, changed_by from changes_between('2024-01-01', null) where change = 'ended'"
    )
    assert dict(ended) == {"Ana": happened[3].event_id, "Bo": happened[2].event_id}


def test_upcoming_starts_later() -> None:
    happened = stored.journal(
        ("fact Rate :: percent :: 3", {"valid_from": "2024-01-01", "recorded_at": "2024-01-01"}),
        ("fact Rate :: percent :: 4", {"valid_from": "2024-07-01", "recorded_at": "2024-02-01"}),
    )
    index = connect(happened)
    coming = "select object from upcoming_at($v, $k)"
    assert ask(index, coming, v="2024-03-01", k=None) == [("4",)]
    assert ask(index, coming, v="2024-07-01", k=None) == []
    assert ask(index, coming, v="2024-03-01", k="2024-01-15") == []


def test_durations_are_clipped_to_the_window() -> None:
    clipped = "select object, valid_from, valid_until from beliefs_valid_between($a, $b, $k) order by valid_from"
    index = connect(VENDOR)
    assert ask(index, clipped, a="2024-02-01", b="2024-05-01", k=None) == [
        ("good", day("2024-02-01"), day("2024-03-01")),
        ("poor", day("2024-03-01"), day("2024-05-01")),
    ]
    assert ask(index, clipped, a="2024-05-01", b=None, k="2024-12-01") == [("poor", day("2024-05-01"), None)]


def test_spells_join_equal_values_and_show_the_latest_spelling() -> None:
    happened = stored.journal(
        ("fact Atlas :: owner :: Priya", {"valid_from": "2024-01-01", "recorded_at": "2024-01-01"}),
        ("fact Atlas :: owner :: PRIYA", {"valid_from": "2024-03-01", "recorded_at": "2024-02-01"}),
        ("fact Atlas :: owner :: Bo", {"valid_from": "2024-05-01", "recorded_at": "2024-04-01"}),
        ("fact Atlas :: owner :: priya", {"valid_from": "2024-06-01", "recorded_at": "2024-06-01"}),
    )
    index = connect(happened)
    spells = "select object, valid_from, valid_until, line from spells_at($k) order by valid_from"
    assert ask(index, spells, k=None) == [
        ("PRIYA", day("2024-01-01"), day("2024-05-01"), 2),
        ("Bo", day("2024-05-01"), day("2024-06-01"), 3),
        ("priya", day("2024-06-01"), None, 4),
    ]
    assert ask(index, spells, k="2024-01-15") == [("Priya", day("2024-01-01"), None, 1)]


def test_supersessions_tell_updates_from_extensions() -> None:
    happened = stored.journal(
        ("fact Atlas :: status :: draft", {"valid_from": "2024-01-01", "recorded_at": "2024-01-01"}),
        ("fact Atlas :: status :: Draft", {"valid_from": "2024-02-01", "recorded_at": "2024-02-01"}),
        ("fact Atlas :: status :: final", {"valid_from": "2024-03-01", "recorded_at": "2024-03-01"}),
        ("invalidate Atlas :: status", {"valid_until": "2024-04-01", "recorded_at": "2024-04-01"}),
    )
    ids = [event.event_id for event in happened]
    found = ask(
        connect(happened), "select event_id, next_event_id, kind, recorded_at from supersessions order by recorded_at"
    )
    assert found == [(ids[0], ids[1], "extends", day("2024-02-01")), (ids[1], ids[2], "updates", day("2024-03-01"))]


def test_contradictions_name_their_slot() -> None:
    happened = stored.journal(
        (
            "fact Atlas :: status :: draft",
            {"valid_from": "2024-01-01", "valid_until": "2024-06-01", "recorded_at": "2024-01-01"},
        ),
        ("fact Atlas :: status :: final", {"valid_from": "2024-03-01", "recorded_at": "2024-02-01"}),
    )
    columns = "kind, subject, predicate_key, event_id, other_event_id, valid_from, valid_until"
    overridden = ("interval-overridden", "Atlas", "status", happened[0].event_id, happened[1].event_id)
    assert ask(connect(happened), f"select {columns} from contradictions") == [
        (*overridden, day("2024-03-01"), day("2024-06-01"))
    ]


def test_what_had_no_effect_is_listed_with_its_reason() -> None:
    rows = ask(connect(VENDOR), "select kind, line, reason from ineffective")
    assert [row[:2] for row in rows] == [("FactInvalidated", 4)]
    assert "ends nothing" in rows[0][2]


def test_quarantine_lists_lines_with_errors_only() -> None:
    broken = Finding("empty-key", 'The subject "__" comes out empty.', "name it", "lore/journal/a.md", 3, 8)
    odd = Finding("near-miss", "This is almost a line.", "", "lore/journal/a.md", 4, 1, "warning")
    whole = Finding("unreadable-file", "This file cannot be read.", "", "lore/journal/b.md")
    found = ask(connect([broken, odd, whole]), "select path, line, column_number, code, reason, hint from quarantine")
    assert found == [("lore/journal/a.md", 3, 8, "empty-key", 'The subject "__" comes out empty.', "name it")]


def test_late_arrivals_are_out_of_order_or_in_another_days_file() -> None:
    happened = stored.journal(
        ("fact A :: p :: 1", {"recorded_at": "2024-01-01T10:00"}),
        ("fact B :: p :: 1", {"recorded_at": "2024-01-01T09:00"}),
        ("fact C :: p :: 1", {"recorded_at": "2024-01-01T10:00"}),
        ("fact D :: p :: 1", {"recorded_at": "2024-01-03"}),
    )
    undated = stored.journal(("fact E :: p :: 1", {"recorded_at": "2023-01-01"}), path="lore/journal/from-finance.md")
    numbered = stored.journal(
        ("observed F :: p :: 1", {"recorded_at": "2024-01-01"}), path="lore/ledger/2024-01-01-0001.md"
    )
    found = ask(connect([*happened, *undated, *numbered]), "select subject, reason from late_arrivals order by subject")
    assert found == [
        ("B", "recorded at 2024-01-01T09:00:00.000000Z, before 2024-01-01T10:00:00.000000Z written above it"),
        ("D", "recorded on 2024-01-03, written in the file of 2024-01-01"),
    ]


def test_the_future_is_what_was_recorded_after_now() -> None:
    future = "select line from future_recorded_at($now) order by line"
    index = connect(VENDOR)
    assert ask(index, future, now="2025-03-04") == [(3,), (4,)]
    assert ask(index, future, now="2025-04-01") == []
    with pytest.raises(duckdb.InvalidInputException, match="now is NULL"):
        ask(index, future, now=None)


# Comments ------------------------------------------------------------------------------------------------


def test_everything_is_commented() -> None:
    index = connect([])
    assert ask(index, "select table_name from duckdb_tables() where comment is null") == []
    assert ask(index, "select view_name from duckdb_views() where not internal and comment is null") == []
    assert (
        ask(index, "select table_name, column_name from duckdb_columns() where not internal and comment is null") == []
    )
    macros = "select function_name, comment from duckdb_functions() where not internal"
    assert dict(ask(index, macros)) == {view.name: view.comment for view in views() if view.kind != "view"}


def test_a_comment_is_a_sentence() -> None:
    said = [table.comment for table in TABLES] + [view.comment for view in views()]
    assert [text for text in said if not (text[0].isupper() and text.endswith((".", "?")))] == []


def test_a_macro_of_beliefs_has_the_columns_of_beliefs() -> None:
    index = connect([])
    beliefs = ask(index, "select column_name, column_type from (describe beliefs)")
    at = "describe select * from "
    for question in (
        "belief_at(null, null)",
        "upcoming_at(null, null)",
        "beliefs_valid_between(null, null, null)",
        "facts",
    ):
        assert [row[:2] for row in ask(index, at + question)] == beliefs
    changes = [row[:2] for row in ask(index, at + "changes_between(null, null)")]
    assert changes[:3] == [("change", "VARCHAR"), ("recorded_at", "TIMESTAMP"), ("changed_by", "VARCHAR")]
    assert changes[3:] == beliefs


# On any history ------------------------------------------------------------------------------------------


def micros(connection: duckdb.DuckDBPyConnection, sql: str, **parameters: object) -> list[dict[str, Any]]:
    """Rows as the belief lookup has them: instants as whole microseconds."""
    cursor = connection.execute(sql, parameters or None)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, map(_plain, row), strict=True)) for row in cursor.fetchall()]


def _plain(value: object) -> object:
    return stored.at(value.isoformat()) if isinstance(value, datetime) else value


def ids(instants: Iterable[float]) -> list[datetime | None]:
    return [None if instant == INF else to_datetime(int(instant)).replace(tzinfo=None) for instant in instants]


@given(history=histories())
def test_belief_at_is_the_belief_lookup(history: list[Any]) -> None:
    answers, index = Answers(events_of(history)), connect(events_of(history))
    points = [(v, k) for v in GRID[::2] for k in (*GRID[::2], INF)]
    index.execute("create temp table points (n integer, v timestamp, k timestamp)")
    index.executemany("insert into points values (?, ?, ?)", [[n, *ids(point)] for n, point in enumerate(points)])
    found: dict[int, set[str]] = {}
    for n, event_id in ask(index, "select n, event_id from points, lateral belief_at(v, k)"):
        assert event_id not in found.setdefault(n, set())
        found[n].add(event_id)
    slots = {slot_in(row) for row in answers.beliefs}
    for n, (v, k) in enumerate(points):
        assert found.get(n, set()) == set().union(*(answers.shown(slot, v, k) for slot in slots))


@given(history=histories())
def test_spells_are_joined_and_answer_as_beliefs_do(history: list[Any]) -> None:
    answers, index = Answers(events_of(history)), connect(events_of(history))
    for k in (GRID[7], INF):
        spells = micros(index, "from spells_at($k)", k=ids([k])[0])
        known = [row for row in answers.beliefs if covers(row | {"valid_from": 0, "valid_until": None}, 0, k)]
        for v in GRID:
            assert _said(spells, v) == _said(known, v)
        for one in spells:
            touching = [
                row for row in spells if row["valid_from"] == one["valid_until"] and _valued(row) == _valued(one)
            ]
            assert touching == []


def _valued(row: dict[str, Any]) -> tuple[object, ...]:
    return (*slot_in(row), row["object_key"])


def _said(rows: list[dict[str, Any]], v: int) -> set[tuple[object, ...]]:
    return {
        _valued(row)
        for row in rows
        if row["valid_from"] <= v and (row["valid_until"] is None or v < row["valid_until"])
    }


@given(history=histories())
def test_a_window_shows_each_instant_of_an_object_once(history: list[Any]) -> None:
    answers, index = Answers(events_of(history)), connect(events_of(history))
    a, b = GRID[4], GRID[13]
    slots = {slot_in(row) for row in answers.beliefs}
    for k in (GRID[7], INF):
        pieces = micros(index, "from beliefs_valid_between($a, $b, $k)", a=ids([a])[0], b=ids([b])[0], k=ids([k])[0])
        assert all(a <= row["valid_from"] < row["valid_until"] <= b for row in pieces)
        for v in GRID[4:13]:
            shown = sorted(row["event_id"] for row in pieces if row["valid_from"] <= v < row["valid_until"])
            assert shown == sorted(set().union(*(answers.shown(slot, v, k) for slot in slots)))


@given(history=histories())
def test_changes_lead_from_what_was_believed_to_what_is(history: list[Any]) -> None:
    index = connect(events_of(history))
    earlier, later = GRID[4], GRID[13]
    changes = micros(index, "from changes_between($a, $b)", a=ids([earlier])[0], b=ids([later])[0])
    recorded = {event.event_id: event.recorded_at for event in events_of(history)}
    assert all(recorded[row["changed_by"]] == row["recorded_at"] for row in changes)
    known = "from beliefs where known_from <= $k and (known_until is null or $k < known_until)"
    before, after = (_planes(micros(index, known, k=ids([k])[0])) for k in (earlier, later))
    began, ended = (_planes([row for row in changes if row["change"] == change]) for change in ("began", "ended"))
    assert (before | began) - ended == after


def _planes(rows: list[dict[str, Any]]) -> set[tuple[object, ...]]:
    return {tuple(row[name] for name in ("event_id", "valid_from", "valid_until", "known_from")) for row in rows}
