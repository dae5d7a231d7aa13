"""Each question over a few lines of a journal, and what everything is commented with."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
import duckdb
import pytest

import stored
from loreweave.errors import Finding
from loreweave.store.schema import TABLES
from loreweave.store.session import Session
from loreweave.store.views import views
from stored import connect


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


def test_a_change_is_not_laid_on_a_line_that_stands_above_what_made_it() -> None:
    later = "2024-01-02T10:00:00Z"
    many = stored.journal(
        ("fact Bo :: member :: Ana", {"recorded_at": "2024-01-01T10:00:00Z", "many": True}),
        ("fact Bo :: member :: Cy", {"recorded_at": later, "many": True}),
        ("invalidate Bo :: member", {"recorded_at": later, "valid_until": "2024-01-02"}),
    )
    single = stored.journal(
        ("fact Bo :: desk :: east", {"recorded_at": "2024-01-01T10:00:00Z"}),
        ("fact Bo :: desk :: west", {"recorded_at": later, "valid_from": "2024-06-01"}),
        ("invalidate Bo :: desk", {"recorded_at": later, "valid_until": "2024-02-01"}),
        ("observed Bo :: desk :: south", {"recorded_at": later, "valid_from": "2024-01-01", "note": "bo.md"}),
    )
    ended = "select object, changed_by from changes_between('2024-01-02', null) where change = 'ended'"
    assert ask(connect(many), ended) == [("Ana", many[2].event_id)]
    assert ask(connect(single), ended) == [("east", single[2].event_id)]


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


def test_a_spell_shows_what_was_recorded_last_even_if_it_starts_first() -> None:
    happened = stored.journal(
        ("fact Atlas :: owner :: Priya", {"valid_from": "2024-03-01", "recorded_at": "2024-01-01"}),
        ("fact Atlas :: owner :: PRIYA", {"valid_from": "2024-01-01", "recorded_at": "2024-02-01"}),
    )
    spells = "select object, valid_from, valid_until, line from spells_at(null)"
    assert ask(connect(happened), spells) == [("PRIYA", day("2024-01-01"), None, 2)]


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


def test_a_line_that_says_again_what_another_file_says_can_be_late_too() -> None:
    first = stored.journal(
        ("fact A :: p :: 1", {"recorded_at": "2024-01-01T10:00"}), ("fact B :: p :: 1", {"recorded_at": "2024-01-02"})
    )
    right = stored.journal(
        ("fact C :: p :: 1", {"recorded_at": "2024-01-02T12:00"}),
        ("fact A :: p :: 1", {"recorded_at": "2024-01-01T10:00"}),
        ("fact B :: p :: 1", {"recorded_at": "2024-01-02"}),
        ("fact D :: p :: 1", {"recorded_at": "2024-01-02T11:00"}),
        path="lore/journal/2024-01-02.md",
    )
    found = ask(connect([*first, *right]), "select path, line, subject from late_arrivals order by path, line")
    assert found == [
        ("lore/journal/2024-01-01.md", 2, "B"),
        ("lore/journal/2024-01-02.md", 2, "A"),
        ("lore/journal/2024-01-02.md", 3, "B"),
        ("lore/journal/2024-01-02.md", 4, "D"),
    ]
    above = [*stored.journal(("fact D :: p :: 1", {"recorded_at": "2024-01-02T11:00"})), *right[-1:]]
    after = stored.journal(("fact E :: p :: 1", {"recorded_at": "2024-01-02T10:00"}), path=right[0].path)
    moved = attrs.evolve(after[0], line=5)
    found = ask(connect([*above, moved]), "select path, line, subject from late_arrivals order by path, line")
    assert found == [("lore/journal/2024-01-01.md", 1, "D"), ("lore/journal/2024-01-02.md", 5, "E")]


def test_a_scope_of_its_own_lists_its_lines_that_say_again(tmp_path: Path) -> None:
    said = ("fact A :: p :: 1", {"recorded_at": "2024-01-01", "scope": "lab"})
    again = stored.journal(said, path="lore/journal/2024-01-02.md")
    path = stored.index(tmp_path / "index.duckdb", [*stored.journal(said), *again])
    with Session(path, scope="lab") as lab, Session(path, scope="default") as other:
        assert lab.ask("select path from late_arrivals").fetchall() == [("lore/journal/2024-01-02.md",)]
        assert other.ask("select path from late_arrivals").fetchall() == []


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
