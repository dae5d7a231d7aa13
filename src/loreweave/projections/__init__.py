"""Pure functions from events to tables, in a fixed order; the same fold for everything and for a few slots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from loreweave.errors import Finding
from loreweave.events.model import Event

if TYPE_CHECKING:
    import pyarrow as pa

ORDER = ("events", "beliefs", "agreements", "conflicts", "findings")
"""The projections, in the order in which they are made."""


def project(happened: Iterable[Event | Finding]) -> dict[str, pa.Table]:
    """Fold events into the Arrow tables named in ``ORDER``; findings among them go to ``findings``.

    The order in which events are given has no effect. Instants are ``timestamp[us]`` in UTC.
    """
    from loreweave.projections import events, tables

    found: list[Finding] = []
    rows = []
    for item in happened:
        if isinstance(item, Finding):
            found.append(item)
        else:
            rows.append(attrs.astuple(item, recurse=False))
    made = tables.project_lines(events.batch(rows), found)
    return {name: made[name] for name in ORDER}
