"""The edges of the graph round some notes, read from the index as a walk comes by.

A note stands for all its passages, by the number of the first. A link joins two notes, whichever has it; a current
belief, known best and open, joins what its subject and its object name; a passage that has a note's name, and no
link, is joined to that note more weakly. What is not a note, as a subject that none is called by, is known by its key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING

from loreweave.events.slots import key
from loreweave.projections.called import entity_key
from loreweave.projections.notes import span_id
from loreweave.search.naming import Named, Names, called
from loreweave.search.walk import Around, Node

if TYPE_CHECKING:
    from loreweave.store.session import Session

LINK, FACT, MENTION = 1.0, 1.0, 0.7
"""What each kind of edge weighs."""

HUB = 200
"""How many links of a note are followed; each has the share that it has of all."""

_LINKS = """
    with asked as (select unnest(?::bigint[]) as node),
    ends as (
        select note_id as node, target_id as other, span_id, true as out from links
        where note_id in (from asked) and target_id <> note_id and scope_key = ?
        union all
        select target_id, note_id, span_id, false from links
        where target_id in (from asked) and target_id <> note_id and scope_key = ?
    )
    select node, other, out, list(distinct span_id), count(*) over (partition by node) from ends
    group by node, other, out qualify row_number() over (partition by node order by other, out) <= ?
"""
_FACTS = """
    select subject_key, object_key, min(subject), min(object) from beliefs
    where known_until is null and valid_until is null and scope_key = $1
    and (subject_key in (select unnest($2::varchar[])) or object_key in (select unnest($2::varchar[])))
    group by subject_key, object_key order by subject_key, object_key limit $3
"""
_NAMES = """
    select entity_key, path from called where scope_key = ? and path in (select unnest(?::varchar[]))
"""
_MENTIONS = """
    select distinct key, span_id, path from phrases join spans using (span_id)
    where phrases.scope_key = ? and key in (select unnest(?::varchar[])) order by all limit ?
"""
_TITLES = """
    select span_id, title from spans join notes using (path)
    where span_id in (select unnest(?::bigint[])) and spans.scope_key = ?
"""
_FILLED = """
    select exists (from links where target_id is not null and scope_key = $1)
        or exists (from tags where scope_key = $1)
        or exists (from beliefs where known_until is null and valid_until is null and scope_key = $1)
"""


class Surroundings:
    """The edges of a scope's graph, as far as they were read.

    ``standing`` gives for two notes, one after the other, the passages of the second that join it to the first.
    """

    def __init__(self, session: Session, scope_key: str) -> None:
        self._session, self._scope = session, scope_key
        self._edges: dict[Node, dict[Node, float]] = {}
        self._links: dict[Node, int] = {}
        self._passages: dict[int, Node] = {}
        self._notes: dict[Node, int] = {}
        self._texts: dict[Node, str] = {}
        self._asked: dict[Node, str] = {}
        self.standing: dict[tuple[Node, ...], int] = {}

    def filled(self) -> bool:
        """Say whether there is a link, a tag or a current belief at all."""
        return bool(self._session.ask(_FILLED, [self._scope]).fetchall()[0][0])

    def begin(self, passage: int, note: int) -> Node:
        """Take in a passage that the walk starts from: its note is beside it, and the links in it are its own."""
        node = f"passage {passage}"
        self._passages[passage], self._notes[node] = node, note
        self.join(node, note, LINK)
        return node

    def join(self, node: Node, other: Node, weight: float) -> None:
        """Add an edge that leads one way; of two that join the same, the greater weight counts."""
        if node != other:
            edges = self._edges.setdefault(node, {})
            edges[other] = max(edges.get(other, 0.0), weight)

    def around(self, nodes: Collection[Node]) -> Mapping[Node, Around]:
        """Give the edges of nodes."""
        self._read([node for node in nodes if isinstance(node, int) and node not in self._links])
        found = {}
        for node in nodes:
            if edges := self._edges.get(node):
                left_out = max(self._links.get(node, 0) - HUB, 0)
                found[node] = Around(edges, fsum(edges.values()) + left_out * LINK)
        return found

    def _read(self, notes: list[int]) -> None:
        self._links.update(dict.fromkeys(notes, 0))
        if not notes:
            return
        rows = self._session.ask(_LINKS, [notes, self._scope, self._scope, HUB]).fetchall()
        for node, other, out, passages, count in rows:
            self._links[node] = count
            self.join(node, other, LINK)
            if out:
                for passage in passages:
                    if passage in self._passages:
                        self.join(self._passages[passage], other, LINK)
            else:
                self.standing[node, other] = min(passages)

    def called(self, names: Iterable[Names]) -> dict[str, Named]:
        """Give the notes that have one of these names."""
        return called(self._session, names, self._scope)

    def name(self, meant: Mapping[str, Named], keys: Iterable[str]) -> list[Node]:
        """Take in what a question names: notes, and whatever else beliefs know by one of the keys, which is given."""
        nodes: dict[str, Node] = {each: each for each in keys}
        for each, named in meant.items():
            nodes[each] = span_id(named.path)
            self._asked.setdefault(nodes[each], named.name if key(each) == each else each)
        others = self._names({named.path for named in meant.values()} if meant else set())
        nodes |= {each: span_id(path) for each, path in others.items()}
        self._add_facts(nodes)
        self._add_mentions({each: path for each, path in others.items() if each not in meant})
        return [each for each in sorted(nodes) if nodes[each] == each and each in self._edges]

    def told(self, ways: Mapping[int, Sequence[Node]]) -> dict[int, tuple[str, ...]]:
        """Give the titles along ways, and for no way the name that was asked; none for a way out of the scope."""
        plain = {note: dict.fromkeys(self._notes.get(node, node) for node in way) for note, way in ways.items()}
        notes = sorted({node for way in plain.values() for node in way if isinstance(node, int)})
        titles = self._texts | dict(self._session.ask(_TITLES, [notes, self._scope]).fetchall())
        return {
            note: tuple(titles[node] for node in way) or (self._asked[note],)
            for note, way in plain.items()
            if titles.keys() >= way.keys()
        }

    def _names(self, paths: Collection[str]) -> dict[str, str]:
        if not paths:
            return {}
        return dict(self._session.ask(_NAMES, [self._scope, sorted(paths)]).fetchall())

    def _add_facts(self, nodes: dict[str, Node]) -> None:
        """Join what has one of these keys to what current beliefs say of it, and to that of which they say it."""
        asked = [*nodes, *(f"[[{each}]]" for each in nodes)]
        pairs = []
        for subject_key, object_key, subject, value in self._session.ask(_FACTS, [self._scope, asked, HUB]).fetchall():
            pairs.append(pair := (entity_key(subject_key), entity_key(object_key)))
            for each, text in zip(pair, (subject, value), strict=True):
                self._texts.setdefault(each, text)
        others = {each for pair in pairs for each in pair if each not in nodes}
        notes = self.called([Names(tuple(others), ())]) if others else {}
        ends = {**nodes, **{each: span_id(named.path) for each, named in notes.items()}}
        for subject_key, object_key in pairs:
            if subject_key in ends and object_key in ends:
                self.join(ends[subject_key], ends[object_key], FACT)
                self.join(ends[object_key], ends[subject_key], FACT)

    def _add_mentions(self, names: Mapping[str, str]) -> None:
        """Join notes, by their names, to the notes in whose passages they are named."""
        if not names:
            return
        for name, passage, path in self._session.ask(_MENTIONS, [self._scope, list(names), HUB]).fetchall():
            note, other = span_id(names[name]), span_id(path)
            if note != other:
                self.join(note, other, MENTION)
                self.standing.setdefault((note, other), passage)
