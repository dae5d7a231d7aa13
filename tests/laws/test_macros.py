"""Laws of the questions in SQL: `belief_at` is the belief lookup, and `spells_at` joins what it may."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import groupby, pairwise
from typing import Any

import duckdb
import pyarrow as pa
from hypothesis import given

import stored
from answers import Answers, Row, covers, known_instants, rows, slot_in
from histories import GRID, Placed, events_of, histories
from loreweave.store.layout import lay_out
from oracle import OPEN

INSTANT = pa.timestamp("us")
SHOWN = ("scope", "subject", "predicate", "object", "source", "confidence", "path", "line")


@cache
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    lay_out(connection)
    return connection


def ask(history: list[Placed], sql: str, **asked: Iterable[float]) -> list[Row]:
    """The rows of a question over the index of a history, where table `asked` holds the instants asked about."""
    stored.put(database(), events_of(history))
    columns = {name: pa.array([None if t == OPEN else t for t in times], INSTANT) for name, times in asked.items()}
    database().register("asked", pa.table(columns))
    return rows(database().sql(sql).to_arrow_table())


@given(histories())
def test_law_05_the_sql_macro_is_the_belief_lookup(history: list[Placed]) -> None:
    answers = Answers(events_of(history))
    points = [(v, k) for v in GRID for k in known_instants(events_of(history))]
    found = ask(
        history,
        "select v, k, event_id from asked, lateral (from belief_at(v, k))",
        v=[v for v, _ in points],
        k=[k for _, k in points],
    )
    shown = [(v, k, event) for v, k in points for slot in answers.slots for event in answers.shown(slot, v, k)]
    assert sorted((row["v"], _known(row), row["event_id"]) for row in found) == sorted(shown)


def _known(row: Row) -> float:
    return OPEN if row["k"] is None else row["k"]


@given(histories())
def test_law_07_spells_are_joined_and_answer_as_beliefs_do(history: list[Placed]) -> None:
    events = {event.event_id: event for event in events_of(history)}
    answers = Answers(events_of(history))
    ks = sorted(set(known_instants(events.values())))
    found = ask(history, "select k, spells.* from asked, lateral (from spells_at(k)) as spells", k=ks)
    for row in found:
        row["known_from"], row["known_until"] = 0, None
    for k in ks:
        spells = [row for row in found if _known(row) == k]
        assert_joined(spells)
        assert all(_latest(row, answers, events, k) for row in spells)
        for v in GRID:
            holding = sorted((*slot_in(row), row["object_key"]) for row in spells if covers(row, v, 0))
            assert holding == sorted((*slot, o) for slot in answers.slots for o in answers.objects(slot, v, k))


def assert_joined(spells: list[Row]) -> None:
    def of_one_object(row: Row) -> tuple[Any, ...]:
        return (*slot_in(row), row["object_key"])

    ordered = sorted(spells, key=lambda row: (of_one_object(row), row["valid_from"]))
    for _, group in groupby(ordered, of_one_object):
        for one, other in pairwise(group):
            assert one["valid_until"] is not None
            assert one["valid_until"] < other["valid_from"]


def _latest(spell: Row, answers: Answers, events: dict[str, Any], k: float) -> bool:
    """Whether a spell shows its latest-recorded, then latest-starting event, as the belief of it is shown."""
    within = [
        row
        for row in answers.beliefs
        if (*slot_in(row), row["object_key"]) == (*slot_in(spell), spell["object_key"])
        and covers(row, row["valid_from"], k)
        and covers(spell, row["valid_from"], 0)
    ]
    saying = [events[row["event_id"]] for row in within]
    said = {event.event_id: (event.recorded_at, event.valid_from) for event in saying}
    shown = [tuple(row[name] for name in SHOWN) for row in within if row["event_id"] == spell["event_id"]]
    return said[spell["event_id"]] == max(said.values()) and tuple(spell[name] for name in SHOWN) in shown
