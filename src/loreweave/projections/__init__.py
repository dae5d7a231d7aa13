"""Pure functions from events to Arrow tables, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
import pyarrow as pa

from loreweave.errors import Finding
from loreweave.events.model import Event
from loreweave.projections import beliefs, events, findings

ORDER = ("events", "beliefs", "agreements", "conflicts", "findings")
"""The projections, in the order in which they are made."""


def project(happened: Iterable[Event | Finding]) -> dict[str, pa.Table]:
    """Fold events into the tables named in ``ORDER``; findings among them go to ``findings``.

    The order in which events are given has no effect. Instants become ``timestamp[us]`` in UTC.
    """
    rows, found = [], []
    for item in happened:
        if isinstance(item, Finding):
            found.append(item)
        else:
            rows.append(attrs.astuple(item, recurse=False))
    return project_lines(events.batch(rows), found)


def project_lines(lines: pa.Table, found: Iterable[Finding]) -> dict[str, pa.Table]:
    """Fold event rows, in the columns of ``events`` and in any order, into the tables named in ``ORDER``."""
    happened, _ = events.arrange(lines)
    fold = beliefs.fold(happened)
    found = [*found, *findings.of_fold(fold)]
    made = (happened, fold.beliefs, fold.agreements, fold.conflicts, findings.table(found))
    return dict(zip(ORDER, made, strict=True))
