"""The one door to time: ``LORE_NOW`` if it is set, else the machine's clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from loreweave.errors import BadRequest
from loreweave.times import HINT, Instant, from_datetime, read_instant


def now() -> Instant:
    """Give the present instant; raise BadRequest where ``LORE_NOW`` cannot be read."""
    said = os.environ.get("LORE_NOW")
    if not said:
        return from_datetime(datetime.now(UTC))
    try:
        return read_instant(said)
    except ValueError as unreadable:
        raise BadRequest(f"LORE_NOW: {unreadable}.", HINT) from None
