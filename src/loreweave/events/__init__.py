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
from loreweave.events.parse import parse, parse_line

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
    "parse_line",
    "read_record",
]


def __getattr__(name: str) -> object:
    if name in ("Record", "read_record"):
        return getattr(import_module("loreweave.events.read"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
