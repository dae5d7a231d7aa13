"""A bound on what this process may take, for the time of one query: one huge text is not counted by the database."""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager

from loreweave.errors import BadRequest

MARGIN = 1 << 29
"""Bytes beside those of the query, for what prints its answer."""

ARROW = 3 << 29
"""Bytes of address space that Arrow sets aside for itself."""

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?(?:([KMGT])(i?))?B", re.IGNORECASE).fullmatch


@contextmanager
def bounded(memory: str, *, with_arrow: bool = False) -> Iterator[None]:
    """Let the process take no more than ``memory`` and a margin on top of what it has; raise BadRequest where it would.

    Only where the system tells how much it has, as Linux does; elsewhere nothing is bounded.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _taken() + _bytes(memory) + MARGIN + (ARROW if with_arrow else 0)
    bounds = _taken() and wanted < min(_amount(soft), _amount(hard))
    try:
        if bounds:
            resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
        yield
    except MemoryError:
        told = "The query needs more memory than it may have."
        raise BadRequest(told, "ask for less, or give it more: --memory-limit") from None
    finally:
        if bounds:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _taken() -> int:
    """Give the bytes of address space that this process has; 0 where that is not told."""
    try:
        with open("/proc/self/statm", encoding="ascii") as told:
            return int(told.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def _bytes(memory: str) -> int:
    found = _SIZE(memory)
    if found is None:
        return 0
    unit = 1024 if found[3] else 1000
    return int(float(found[1]) * unit ** " KMGT".index((found[2] or " ").upper()))


def _amount(limit: int) -> int:
    return 1 << 62 if limit == resource.RLIM_INFINITY else limit
