"""The one way a line is written: the exact inverse of reading it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from loreweave.events.escapes import write_field, write_value
from loreweave.events.grammar import ATTRIBUTES
from loreweave.events.model import Line
from loreweave.times import show_day, show_instant


def render(line: Line) -> str:
    """Write a line, without its end: always one physical line, with nothing escaped that need not be.

    ``parse_line(render(line)).line == as_read(line)``, without a finding, for every line whose fields are not blank and
    whose attributes its kind knows. Valid times are written as days where they are midnights.
    """
    fields = [field for field in (line.subject, line.predicate, line.object) if field is not None]
    *others, last = fields
    written = [write_field(field, splits=True) for field in others]
    written.append(write_field(last, splits=line.object is None, ends=True))
    block = ", ".join(_attributes(line))
    return f"- [{line.kind}] {' :: '.join(written)}" + (f" {{{block}}}" if block else "")


def as_read(line: Line) -> Line:
    """Give the line as it comes back from its file: blanks round fields trimmed, empty texts none, -0.0 as 0.0."""
    return line._replace(
        subject=line.subject and line.subject.strip(" \t"),
        predicate=line.predicate and line.predicate.strip(" \t"),
        object=line.object and line.object.strip(" \t"),
        confidence=line.confidence if line.confidence is None else _as_float(line.confidence),
        source=line.source or None,
        by=line.by or None,
        because=line.because or None,
        episode=line.episode or None,
        note=line.note or None,
        hash=line.hash or None,
        proposal=line.proposal or None,
    )


def _attributes(line: Line) -> Iterator[str]:
    for name in ATTRIBUTES:
        value = line.proposed if name == "kind" else getattr(line, name)
        if value is not None and value is not False:
            written = _WRITERS.get(name, _text)(value)
            if written is not None:
                yield "many" if name == "many" else f"{name}={written}"


def _text(value: str) -> str | None:
    return write_value(value) if value else None


def _number(number: float) -> str:
    return repr(_as_float(number)).removesuffix(".0")


def _as_float(number: float) -> float:
    """Give a number as a float, -0.0 as 0.0, and a whole one that is larger than any as infinite."""
    try:
        return float(number) + 0.0
    except OverflowError:
        return math.inf if number > 0 else -math.inf


_WRITERS: dict[str, Callable[[Any], str | None]] = {
    "valid_from": show_day,
    "valid_until": show_day,
    "recorded_at": show_instant,
    "confidence": _number,
    "scope": write_value,
    "many": str,
}
