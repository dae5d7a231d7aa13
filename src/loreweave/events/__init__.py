"""Lines, what they say happened, and lines again."""

from __future__ import annotations

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
from loreweave.events.read import JOURNAL, Record, read_record

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


def parse(text: str, path: str = JOURNAL + "lines.md") -> list[Event | Finding]:
    """Read the lines of a file of the record: events and findings in line order, an event before what is said of it.

    ``path`` decides which kinds count and, by the day its name begins with, the record time of lines that write none.
    """
    record = read_record(path, text)
    found: list[Event | Finding] = [*map(event_of, record.rows), *record.findings]
    return sorted(found, key=lambda item: item.line)
