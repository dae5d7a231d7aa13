"""Laws about how events arrive: in any order, twice, in batches, with or without other slots."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import attrs
from hypothesis import given
from hypothesis import strategies as st

from answers import Answers, Row, Tables, rows, slot_in
from histories import Placed, events_of, histories
from loreweave.errors import Finding
from loreweave.events.model import Event
from loreweave.projections import project
from loreweave.projections.refold import Refold, refold
from oracle import Slot, slot_of

DERIVED = ("events", "beliefs", "conflicts", "agreements", "findings")


def assert_same(found: Tables, expected: Tables) -> None:
    for name in DERIVED:
        assert found[name].schema == expected[name].schema
        assert rows(found[name]) == rows(expected[name])


@given(histories(), st.randoms(use_true_random=False))
def test_law_03_reading_order(history: list[Placed], chance: st.DataObject) -> None:
    events = events_of(history)
    shuffled = chance.sample(events, len(events))
    assert_same(project(shuffled), project(events))


@given(histories(), st.data())
def test_law_04_idempotence(history: list[Placed], data: st.DataObject) -> None:
    events = events_of(history)
    once = project(events)
    repeats = data.draw(st.lists(st.sampled_from(events), max_size=4))
    doubled = [attrs.evolve(event, path="lore/journal/2024-12-31.md", line=999) for event in repeats]
    doubled = [e for e, first in zip(doubled, repeats, strict=True) if first.path < e.path]
    assert_same(project(events), once)
    assert_same(project(events + repeats), once)
    assert_same(project(doubled + events), once)


@given(histories(), st.data())
def test_law_08_incremental_equals_full(history: list[Placed], data: st.DataObject) -> None:
    events = events_of(history)
    arriving = data.draw(st.permutations(events))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(events)), max_size=4)))
    seen: list[Event] = []
    partitions: dict[Slot, Refold] = {}
    for start, end in pairwise([0, *cuts, len(events)]):
        seen += arriving[start:end]
        for slot in {slot_of(event) for event in arriving[start:end]}:
            partitions[slot] = refold(attrs.astuple(event) for event in seen if slot_of(event) == slot)
    assert gathered(partitions.values()) == content(project(events))


def content(tables: Tables) -> dict[str, list[str]]:
    """The rows of every table as plain tuples, in an order of their own."""
    return {name: sorted(repr(tuple(row.values())) for row in rows(tables[name])) for name in DERIVED}


def gathered(partitions: Iterable[Refold]) -> dict[str, list[str]]:
    parts = [part._asdict() for part in partitions]
    for part in parts:
        part["findings"] = [_as_row(finding) for finding in part["findings"]]
    return {name: sorted(repr(tuple(row)) for part in parts for row in part[name]) for name in DERIVED}


def _as_row(finding: Finding) -> tuple[object, ...]:
    names = "code severity message hint path line column scope_key".split()
    return tuple(getattr(finding, name) for name in names)


@given(histories())
def test_law_09_slot_independence(history: list[Placed]) -> None:
    events = events_of(history)
    together = Answers(events)
    for slot in {slot_of(event) for event in events}:
        alone = Answers(event for event in events if slot_of(event) == slot)
        assert alone.beliefs == [row for row in together.beliefs if slot_in(row) == slot]
    assert scoped(together.tables, "lab") == scoped(project(e for e in events if e.scope_key == "lab"), "lab")


def scoped(tables: Tables, scope: str) -> dict[str, list[Row]]:
    return {name: [row for row in rows(tables[name]) if row["scope_key"] == scope] for name in DERIVED}
