"""Text read: one line, or a whole file of the record. The readers are imported when they are first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from loreweave.events.model import Event, event_of

if TYPE_CHECKING:
    from loreweave.errors import Finding
    from loreweave.events.lines import Reading


def parse(text: str, path: str = "lore/journal/lines.md") -> list[Event | Finding]:
    """Read the lines of a file of the record: events and findings in line order, an event before what is said of it.

    ``path`` decides which kinds count and, by the day its name begins with, the record time of lines that write none.
    """
    from loreweave.events.read import read_record

    record = read_record(path, text)
    found: list[Event | Finding] = [*map(event_of, record.rows), *record.findings]
    return sorted(found, key=lambda item: item.line)


def parse_line(text: str) -> Reading:
    """Read one line, given without its end; nothing is raised."""
    from loreweave.events.lines import Reading, parse_by_grammar
    from loreweave.events.matcher import match

    line = match(text)
    return Reading(line) if line is not None else parse_by_grammar(text)
