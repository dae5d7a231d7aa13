"""The edges of the graph of notes, read from the index as a walk comes by.

A note stands for all its passages, by the number of the first; a link joins two notes, whichever has it. A note with
very many links has each by the share it has of all, and only the first are followed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from loreweave.search.constants import HUB, KEPT, LINK
from loreweave.search.walk import Around, Node

if TYPE_CHECKING:
    from loreweave.store.session import Session

SHORT = 4_000
"""Up to how many links are read as they are; of more, the database leaves out those that are not followed."""

_LINKS = """
    select note_id, target_id, span_id, line from links
    where (note_id in (select unnest($1::bigint[])) or target_id in (select unnest($1::bigint[])))
    and target_id <> note_id and scope_key = $2 limit $3
"""
_ALL_LINKS = """
    select note_id, target_id, span_id, line from links where target_id <> note_id and scope_key = ? limit ?
"""
_ENDS = """
    with asked as (select unnest($1::bigint[]) as node),
    ends as (
        select note_id as node, target_id as other, true as out, span_id, line from links
        where note_id in (from asked) and target_id <> note_id and scope_key = $2
        union all
        select target_id, note_id, false, span_id, line from links
        where target_id in (from asked) and target_id <> note_id and scope_key = $2
    )
    select *, count(*) over (partition by node) from ends
    qualify row_number() over (partition by node order by other, out, span_id, line) <= $3
"""


class End(NamedTuple):
    """A link as one of its notes has it: the other note, whether it leads there, and its passage and line."""

    other: int
    out: bool
    span_id: int
    line: int


class Links(NamedTuple):
    """The links of each note of a scope, in order; None where they are too many to be kept."""

    of_note: Mapping[int, Sequence[End]] | None


def all_links(session: Session, scope_key: str) -> Links:
    """Read all links of a scope."""
    rows = session.rows(_ALL_LINKS, [scope_key, KEPT + 1])
    if len(rows) > KEPT:
        return Links(None)
    of_note: dict[int, list[End]] = {}
    for note, target, span_id, line in rows:
        of_note.setdefault(note, []).append(End(target, True, span_id, line))
        of_note.setdefault(target, []).append(End(note, False, span_id, line))
    for ends in of_note.values():
        ends.sort()
    return Links(of_note)


class Surroundings:
    """The edges of a scope's graph, as far as they were read.

    ``standing`` gives, for a note and one beside it, the passage of the other in which it is linked or named.
    """

    def __init__(self, session: Session, scope_key: str) -> None:
        self._session, self._scope = session, scope_key
        self._edges: dict[Node, dict[Node, float]] = {}
        self._counts: dict[Node, int] = {}
        self._within: dict[int, Callable[[int], float]] = {}
        self.standing: dict[tuple[Node, ...], int] = {}

    @property
    def linked(self) -> bool:
        """Tell whether any link was met."""
        return any(self._counts.values())

    def begin(self, span_id: int, note: int, weight: Callable[[int], float]) -> Node:
        """Take in a passage: its note is beside it, and the links in it, each with the weight of its line."""
        self._within[span_id] = weight
        self.join(_passage(span_id), note, LINK)
        return _passage(span_id)

    def join(self, node: Node, other: Node, weight: float) -> None:
        """Add an edge that leads one way; of two that join the same, the greater weight counts."""
        if node != other:
            edges = self._edges.setdefault(node, {})
            edges[other] = max(edges.get(other, 0.0), weight)

    def around(self, nodes: Collection[Node]) -> Mapping[Node, Around]:
        """Give the edges of nodes."""
        self._read([node for node in nodes if isinstance(node, int) and node not in self._counts])
        found = {}
        for node in nodes:
            if edges := self._edges.get(node):
                left_out = max(self._counts.get(node, 0) - HUB, 0)
                found[node] = Around(edges, fsum(edges.values()) + left_out * LINK)
        return found

    def _read(self, notes: list[int]) -> None:
        self._counts.update(dict.fromkeys(notes, 0))
        for node, (ends, count) in self._links(notes).items():
            self._counts[node] = count
            for end in ends:
                self.join(node, end.other, LINK)
                if not end.out:
                    self.standing.setdefault((node, end.other), end.span_id)
                elif weight := self._within.get(end.span_id):
                    self.join(_passage(end.span_id), end.other, weight(end.line))

    def _links(self, notes: list[int]) -> Mapping[int, tuple[Sequence[End], int]]:
        """Give for each note its first links in the order of the other notes, and how many it has."""
        if not notes:
            return {}
        kept = self._session.kept(all_links, self._scope, of_notes=True)
        if kept is not None and kept.of_note is not None:
            return {note: (ends[:HUB], len(ends)) for note in notes if (ends := kept.of_note.get(note))}
        rows = self._session.rows(_LINKS, [notes, self._scope, SHORT])
        if len(rows) == SHORT:
            return self._first_links(notes)
        asked = frozenset(notes)
        found: dict[int, list[End]] = {}
        for note, target, span_id, line in rows:
            if note in asked:
                found.setdefault(note, []).append(End(target, True, span_id, line))
            if target in asked:
                found.setdefault(target, []).append(End(note, False, span_id, line))
        return {node: (sorted(ends)[:HUB], len(ends)) for node, ends in found.items()}

    def _first_links(self, notes: list[int]) -> dict[int, tuple[list[End], int]]:
        found: dict[int, tuple[list[End], int]] = {}
        for node, *end, count in sorted(self._session.rows(_ENDS, [notes, self._scope, HUB])):
            found.setdefault(node, ([], count))[0].append(End(*end))
        return found


def _passage(span_id: int) -> str:
    return f"passage {span_id}"
