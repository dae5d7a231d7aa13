"""The spans of lists, read from the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from loreweave.times import Instant

if TYPE_CHECKING:
    from loreweave.store.session import Session

_ALL = """
    select span_id, path, anchor, start_line, end_line, text, hash, epoch_us(content_from), epoch_us(content_until)
    from spans where scope_key = ?
"""
_SOME = f"{_ALL} and span_id in (select unnest(?::bigint[]))"
_SIZE = "select count(*), coalesce(sum(strlen(text)), 0)::bigint from spans where scope_key = ?"

COUNT, BYTES = 20_000, 16_000_000
"""How many passages, and bytes of their texts, are kept in memory at most by who asks often."""


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
    wanted = sorted(span_ids)
    if kept := session.kept(_all, scope_key, of_notes=True):
        return {span_id: kept[span_id] for span_id in wanted if span_id in kept}
    return _by_number(session.rows(_SOME, [scope_key, wanted])) if wanted else {}


def _all(session: Session, scope_key: str) -> Mapping[int, Passage]:
    """Read all spans of a scope; none where they are too many to be kept."""
    ((count, size),) = session.rows(_SIZE, [scope_key])
    return _by_number(session.rows(_ALL, [scope_key])) if count <= COUNT and size <= BYTES else {}


def _by_number(rows: Iterable[tuple[Any, ...]]) -> dict[int, Passage]:
    return {row[0]: Passage(*row) for row in rows}
