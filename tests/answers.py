"""What the tables of the fold answer, as plain Python: the belief lookup that the laws compare with the oracle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from loreweave.events.model import Event
from loreweave.projections import project
from oracle import OPEN, Slot, SubSlot
from oracle_planes import Belief

Row = dict[str, Any]
Tables = dict[str, pa.Table]


def rows(table: pa.Table) -> list[Row]:
    """The rows of a table with instants as whole microseconds."""
    columns = {name: _plain(table[name]) for name in table.column_names}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _plain(column: pa.ChunkedArray) -> list[Any]:
    return (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()


def slot_in(row: Row) -> Slot:
    return (row["scope_key"], row["subject_key"], row["predicate_key"])


def covers(row: Row, v: float, k: float) -> bool:
    """The four comparisons of every bitemporal question."""
    valid = row["valid_from"] <= v and (row["valid_until"] is None or v < row["valid_until"])
    known = row["known_from"] <= k and (row["known_until"] is None or k < row["known_until"])
    return valid and known


class Answers:
    """The beliefs of a list of events, asked at points."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.tables = project(events)
        self.beliefs = rows(self.tables["beliefs"])
        self.agreements = rows(self.tables["agreements"])
        self._of: dict[Slot, list[Row]] = {}
        for row in self.beliefs:
            self._of.setdefault(slot_in(row), []).append(row)

    @property
    def slots(self) -> list[Slot]:
        """The slots in which anything was ever believed."""
        return list(self._of)

    def winners(self, slot: Slot, v: float, k: float) -> dict[SubSlot, str]:
        """The event believed in each sub-slot."""
        return {row["object_key"] if row["many"] else None: row["event_id"] for row in self._held(slot, v, k)}

    def shown(self, slot: Slot, v: float, k: float) -> set[str]:
        """The events whose beliefs belief_at shows."""
        hidden = {row["event_id"] for row in self.agreements if row["scope_key"] == slot[0] and covers(row, v, k)}
        return {row["event_id"] for row in self._held(slot, v, k)} - hidden

    def objects(self, slot: Slot, v: float, k: float) -> set[str]:
        """The objects believed, as keys."""
        return {row["object_key"] for row in self._held(slot, v, k)}

    def texts(self, slot: Slot, v: float, k: float) -> set[str]:
        """The objects that belief_at shows, as written."""
        ids = self.shown(slot, v, k)
        return {row["object"] for row in self._held(slot, v, k) if row["event_id"] in ids}

    def plane(self, slot: Slot) -> list[Belief]:
        """Every belief of the slot."""
        names = ("event_id", "valid_from", "valid_until", "known_from", "known_until", "ended_by", "many")
        return [Belief(*(row[name] for name in names)) for row in self._of.get(slot, [])]

    def _held(self, slot: Slot, v: float, k: float) -> list[Row]:
        return [row for row in self._of.get(slot, []) if covers(row, v, k)]


def ineffective(tables: Tables) -> set[tuple[str, int]]:
    """The origins of the lines that the fold lists as ineffective."""
    return {(row["path"], row["line"]) for row in rows(tables["findings"]) if row["code"] == "ineffective"}


def known_instants(events: Iterable[Event]) -> list[float]:
    """Every record instant, one microsecond either side, and as best known: between them nothing changes."""
    recorded = {event.recorded_at for event in events}
    return [*sorted({k + step for k in recorded for step in (-1, 0, 1)}), OPEN]
