"""The titles of notes by the number of their first passage, by which a walk knows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from loreweave.search.constants import KEPT

if TYPE_CHECKING:
    from loreweave.search.walk import Node
    from loreweave.store.session import Session

_SQL = """
    select span_id, title from spans join notes using (path)
    where span_id in (select unnest(?::bigint[])) and spans.scope_key = ?
"""
_ALL = """
    select min(span_id), any_value(title) from spans join notes using (path) where spans.scope_key = ?
    group by path limit ?
"""


def titles_of(session: Session, notes: Collection[int], scope_key: str) -> Mapping[Node, str]:
    """Give the titles of these notes of a scope; one without passage has none here."""
    if not notes:
        return {}
    kept = session.kept(_all_titles, scope_key, of_notes=True)
    if kept:
        return {note: kept[note] for note in notes if note in kept}
    return dict(session.rows(_SQL, [sorted(notes), scope_key]))


def _all_titles(session: Session, scope_key: str) -> Mapping[int, str]:
    """Read all titles of a scope; none where they are too many to be kept."""
    rows = session.rows(_ALL, [scope_key, KEPT + 1])
    return {} if len(rows) > KEPT else dict(rows)
