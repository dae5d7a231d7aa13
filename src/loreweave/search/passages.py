"""The spans of lists, read from the index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from loreweave.times import Instant

if TYPE_CHECKING:
    from loreweave.store.session import Session

_SQL = """
    select span_id, path, anchor, start_line, end_line, text, hash, epoch_us(content_from), epoch_us(content_until)
    from spans where span_id in (select unnest(?::bigint[])) and scope_key = ?
"""


class Passage(NamedTuple):
    """A span: its place, its text and the hash of that, and the time that it is about, where it bears a date."""

    span_id: int
    path: str
    anchor: str
    start_line: int
    end_line: int
    text: str
    hash: str
    content_from: Instant | None
    content_until: Instant | None

    @property
    def standing(self) -> tuple[bool, str, int, int]:
        """What decides between equals: prose before what is all code, then path, first line and number."""
        return _is_code(self.text), self.path, self.start_line, self.span_id


def _is_code(text: str) -> bool:
    """Say whether a span is nothing but a fenced block below its heading, such as a diagram."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    return len(lines) > 1 and lines[0].startswith(("```", "~~~")) and lines[-1].startswith(lines[0][:3])


def passages(session: Session, span_ids: Iterable[int], scope_key: str) -> dict[int, Passage]:
    """Read spans by their numbers; a number of none is left out."""
    rows = session.rows(_SQL, [sorted(span_ids), scope_key])
    return {row[0]: Passage(*row) for row in rows}
