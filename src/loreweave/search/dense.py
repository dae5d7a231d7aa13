"""The spans nearest to a question in meaning: lists of their numbers, for the fusion of ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs


@attrs.frozen
class Among:
    """Which spans may be found: those of a scope, or the ``span_id`` that an SQL SELECT over the index gives."""

    scope_key: str
    sql: str = ""
    parameters: tuple[object, ...] = ()


@attrs.frozen
class Dense:
    """The nearest spans for each wording, the nearest first, and sentences about what could not be compared."""

    lists: tuple[tuple[int, ...], ...] = ()
    degraded: tuple[str, ...] = ()


Ask = Callable[[Sequence[str], Among], Dense]
"""Compares wordings with the spans among those that may be found. It never fails: what went wrong is ``degraded``."""
