"""The one way a line is written: the exact inverse of reading it."""

from __future__ import annotations

from collections.abc import Iterator

from loreweave.events.escapes import write_field, write_value
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
    fields = {name: _trimmed(getattr(line, name)) for name in ("subject", "predicate", "object")}
    texts = {name: getattr(line, name) or None for name in ("source", "by", "because", "episode", "note", "hash", "proposal")}
    number = line.confidence if line.confidence is None else float(line.confidence) + 0.0
    return line._replace(**fields, **texts, confidence=number)


def _trimmed(text: str | None) -> str | None:
    return text and text.strip(" \t")


def _attributes(line: Line) -> Iterator[str]:
    if line.note:
        yield f"note={write_value(line.note)}"
    if line.valid_from is not None:
        yield f"valid_from={show_day(line.valid_from)}"
    if line.valid_until is not None:
        yield f"valid_until={show_day(line.valid_until)}"
    if line.recorded_at is not None:
        yield f"recorded_at={show_instant(line.recorded_at)}"
    if line.confidence is not None:
        yield f"confidence={_number(line.confidence)}"
    if line.source:
        yield f"source={write_value(line.source)}"
    if line.scope is not None:
        yield f"scope={write_value(line.scope)}"
    if line.many:
        yield "many"
    for name in ("by", "because", "episode", "hash", "proposal"):
        if value := getattr(line, name):
            yield f"{name}={write_value(value)}"
    if line.proposed is not None:
        yield f"kind={line.proposed}"


def _number(number: float) -> str:
    return repr(float(number) + 0.0).removesuffix(".0")
