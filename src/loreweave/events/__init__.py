"""Lines, what they say happened, and lines again. The reader is imported when it is first needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from loreweave.errors import Finding
from loreweave.events.model import (
    COLUMNS,
    KINDS,
    CommitWalked,
    Event,
    EventRow,
    FactAsserted,
    FactInvalidated,
    FactProposed,
    FactRetracted,
    Line,
    ProposalRejected,
    SessionMarked,
    SpanUsed,
    ValueObserved,
    ValueWithdrawn,
    event_of,
)

if TYPE_CHECKING:
    from loreweave.events.read import Record, read_record

__all__ = [
    "COLUMNS",
    "KINDS",
    "CommitWalked",
    "Event",
    "EventRow",
    "FactAsserted",
    "FactInvalidated",
    "FactProposed",
    "FactRetracted",
    "Finding",
    "Line",
    "ProposalRejected",
    "Record",
    "SessionMarked",
    "SpanUsed",
    "ValueObserved",
    "ValueWithdrawn",
    "event_of",
    "parse",
    "read_record",
]


def parse(text: str, path: str = "lore/journal/lines.md") -> list[Event | Finding]:
    """Read the lines of a file of the record: events and findings in line order, an event before what is said of it.

    ``path`` decides which kinds count and, by the day its name begins with, the record time of lines that write none.
    """
    from loreweave.events.read import read_record

    record = read_record(path, text)
    found: list[Event | Finding] = [*map(event_of, record.rows), *record.findings]
    return sorted(found, key=lambda item: item.line)


def __getattr__(name: str) -> object:
    if name in ("Record", "read_record"):
        return getattr(import_module("loreweave.events.read"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
