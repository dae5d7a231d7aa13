"""The macros against the belief lookup, on histories of any kind."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import duckdb
from hypothesis import given

import stored
from answers import Answers, covers, slot_in
from histories import GRID, Placed, events_of, histories
from loreweave.events.model import Event, FactInvalidated, FactRetracted, ValueObserved, ValueWithdrawn
from loreweave.times import to_datetime
from stored import connect

INF = float("inf")
LEDGER = (ValueObserved, ValueWithdrawn)


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
def test_belief_at_is_the_belief_lookup(history: list[Placed]) -> None:
    answers, index = Answers(events_of(history)), connect(events_of(history))
    points = [(v, k) for v in GRID[::2] for k in (*GRID[::2], INF)]
    index.execute("create temp table points (n integer, v timestamp, k timestamp)")
    index.executemany("insert into points values (?, ?, ?)", [[n, *ids(point)] for n, point in enumerate(points)])
    found: dict[int, set[str]] = {}
    for n, event_id in index.execute("select n, event_id from points, lateral belief_at(v, k)").fetchall():
        assert event_id not in found.setdefault(n, set())
        found[n].add(event_id)
    slots = {slot_in(row) for row in answers.beliefs}
    for n, (v, k) in enumerate(points):
        assert found.get(n, set()) == set().union(*(answers.shown(slot, v, k) for slot in slots))


@given(history=histories())
def test_spells_are_joined_and_answer_as_beliefs_do(history: list[Placed]) -> None:
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
def test_a_window_shows_each_instant_of_an_object_once(history: list[Placed]) -> None:
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
def test_what_is_upcoming_is_shown_at_its_start(history: list[Placed]) -> None:
    answers, index = Answers(events_of(history)), connect(events_of(history))
    v = GRID[4]
    for k in (GRID[7], INF):
        coming = index.execute(
            "select event_id, valid_from from upcoming_at($v, $k)", {"v": ids([v])[0], "k": ids([k])[0]}
        )
        expected = [
            (row["event_id"], *ids([row["valid_from"]]))
            for row in answers.beliefs
            if v < row["valid_from"]
            and row["event_id"] in answers.shown(slot_in(row), row["valid_from"], k)
            and covers(row, row["valid_from"], k)
        ]
        assert sorted(coming.fetchall()) == sorted(expected)


@given(history=histories())
def test_changes_lead_from_what_was_believed_to_what_is(history: list[Placed]) -> None:
    index = connect(events_of(history))
    earlier, later = GRID[4], GRID[13]
    changes = micros(index, "from changes_between($a, $b)", a=ids([earlier])[0], b=ids([later])[0])
    known = "from beliefs where known_from <= $k and (known_until is null or $k < known_until)"
    before, after = (_planes(micros(index, known, k=ids([k])[0])) for k in (earlier, later))
    began, ended = (_planes([row for row in changes if row["change"] == change]) for change in ("began", "ended"))
    assert (before | began) - ended == after


@given(history=histories())
def test_a_change_is_made_by_a_line_that_can_bear_on_it(history: list[Placed]) -> None:
    causes = {event.event_id: event for event in events_of(history)}
    changes = micros(connect(events_of(history)), "from changes_between(null, null)")
    assert [row for row in changes if not _can_make(causes[row["changed_by"]], row)] == []


def _can_make(cause: Event, change: dict[str, Any]) -> bool:
    """Whether an event recorded then can bear on a belief: its own, the one that ends it, or one that reaches it."""
    if cause.recorded_at != change["recorded_at"]:
        return False
    if cause.event_id in (change["event_id"], change["ended_by"]):
        return True
    if change["source"] != "extracted" and (isinstance(cause, LEDGER) or cause.source == "extracted"):
        return False
    if isinstance(cause, (FactInvalidated, FactRetracted)):
        return not change["many"] or cause.object_key in (None, change["object_key"])
    return cause.many == change["many"] and (not cause.many or cause.object_key == change["object_key"])


def _planes(rows: list[dict[str, Any]]) -> set[tuple[object, ...]]:
    return {tuple(row[name] for name in ("event_id", "valid_from", "valid_until", "known_from")) for row in rows}
