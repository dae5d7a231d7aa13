"""Where a walk over the graph of notes begins: the best passages, what a question names, what beliefs are about.

What only the beginning is joined to is joined here: a passage to the notes that it names, the ends of a belief to each
other, and a note that was asked for by another of its names to where its own stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.notes.words import terms
from loreweave.projections.called import entity_key
from loreweave.projections.names import ALIAS
from loreweave.projections.notes import span_id
from loreweave.search.constants import (
    BEARERS,
    BEGUN,
    CLOSELY,
    COMMON,
    COMMON_SHARE,
    ELSEWHERE,
    FACT,
    HUB,
    LINK,
    MENTION,
    NAMED,
)
from loreweave.search.naming import (
    INITIALS,
    Named,
    Names,
    alone,
    asked_names,
    called,
    named_in,
    whole_names,
    written_names,
)
from loreweave.search.passages import Passage
from loreweave.search.surroundings import Surroundings
from loreweave.search.walk import Node
from loreweave.times import DAY, show_day

if TYPE_CHECKING:
    from loreweave.search.direct import Asked
    from loreweave.search.found import Fact
    from loreweave.search.window import Window
    from loreweave.store.session import Session

_NAMES = "select entity_key, path from called where scope_key = ? and path in (select unnest(?::varchar[]))"
_MENTIONS = """
    select distinct key, span_id, path from phrases join spans using (span_id)
    where phrases.scope_key = ? and key in (select unnest(?::varchar[])) order by all limit ?
"""


@attrs.frozen
class Beginning:
    """The weights of where a walk begins, and the graph round that.

    ``passages`` gives the note of each passage, ``texts`` the name of what is no note, ``asked`` the name by which the
    question has a note, ``named`` the paths of the notes that it names, and ``titled`` of those called as a
    whole wording is, with the name.
    """

    graph: Surroundings
    weights: dict[Node, float] = attrs.field(factory=dict)
    passages: dict[Node, int] = attrs.field(factory=dict)
    texts: dict[Node, str] = attrs.field(factory=dict)
    asked: dict[int, str] = attrs.field(factory=dict)
    named: set[str] = attrs.field(factory=set)
    titled: list[dict[str, str]] = attrs.field(factory=list)

    def add_passage(self, passage: Passage, rank: int, lines: _Lines) -> Node:
        """Begin at a passage of this rank."""
        note = span_id(passage.path)
        node = self.graph.begin(passage.span_id, note, lambda line: LINK * lines.weight(passage, line))
        self.weights[node] = 1 / rank
        self.passages[node] = note
        return node

    def add_written(self, node: Node, named: Mapping[str, Named], weight: float) -> None:
        """Join a passage to the notes that it names."""
        for note in {span_id(each.path) for each in named.values()} - {self.passages[node]}:
            self.graph.join(node, note, weight)

    def add_named(self, named: Iterable[Named]) -> None:
        """Begin at notes that the question names."""
        for each in named:
            self.named.add(each.path)
            self.weights[span_id(each.path)] = NAMED
            self.asked.setdefault(span_id(each.path), each.name)

    def add_titled(self, wordings: Iterable[str], bearers: Mapping[str, Sequence[Named]]) -> None:
        """Begin at the notes that are called as a wording is, of all its words, where these are few."""
        for wording in wordings:
            notes = next((bearers[each] for each in (*whole_names(wording), wording.strip()) if each in bearers), ())
            if 0 < len(notes) <= BEARERS:
                self.titled.append({named.path: named.name for named in notes})
                self.add_named(notes)

    def add_facts(self, facts: Iterable[Fact], known: dict[str, Named], keys: set[str]) -> None:
        """Join the ends of beliefs, and begin at those that the question has, or else at the subject.

        A value that neither a note nor the question has for a name joins nothing: many things may be "unknown".
        """
        for fact in facts:
            texts = {entity_key(text): text for text in (fact.subject, fact.object)}
            if known.keys().isdisjoint(texts) or not (known.keys() | keys).issuperset(texts):
                continue
            ends = {each: self._end(each, text, known) for each, text in texts.items()}
            for one, other in permutations(ends.values(), 2):
                self.graph.join(one, other, FACT)
            for node in [ends[each] for each in ends if each in keys] or [*ends.values()][:1]:
                self.weights.setdefault(node, NAMED)

    def plain(self, way: Iterable[Node]) -> dict[Node, None]:
        """Give the notes of a way, each once; a passage counts as its note."""
        return dict.fromkeys(self.passages.get(node, node) for node in way)

    def _end(self, key: str, text: str, known: dict[str, Named]) -> Node:
        if key in known:
            self.asked.setdefault(span_id(known[key].path), known[key].name)
            return span_id(known[key].path)
        self.texts[key] = text
        return key


class _Lines(NamedTuple):
    """The words of a question, by which lines tell something."""

    words: frozenset[str]
    stemmer: str

    def weight(self, passage: Passage, line: int) -> float:
        """Give what a link counts for on a line of a passage."""
        lines = passage.text.split("\n")
        at = line - passage.start_line
        return 1.0 if 0 <= at < len(lines) and self.tells(lines[at]) else ELSEWHERE

    def tells(self, line: str) -> bool:
        """Say whether a line has a word of the question."""
        return not self.words.isdisjoint(terms(line, self.stemmer))


def begin(session: Session, asked: Asked, direct: Sequence[Passage], facts: Sequence[Fact]) -> Beginning:
    """Give where the walk for a question begins, of which words found these passages, and these current beliefs."""
    scope_key = asked.facets.scope_key
    begun = Beginning(Surroundings(session, scope_key))
    lines = _Lines(frozenset(one.term for wording in asked.weighed.wordings for one in wording), asked.stemmer)
    names = [*(asked_names(wording.text) for wording in asked.wordings), _day(asked.window)]
    ends = Names(tuple(entity_key(text) for fact in facts for text in (fact.subject, fact.object)), ())
    written = [_written(passage, lines.tells) for passage in direct[:CLOSELY]]
    bearers = called(session, [*names, ends, *(each for both in written for each in both)], scope_key)
    known = alone(bearers)
    nodes = [begun.add_passage(passage, rank, lines) for rank, passage in enumerate(direct[:BEGUN], 1)]
    for node, (telling, others) in zip(nodes, written, strict=False):
        begun.add_written(node, named_in(telling, known), MENTION)
        begun.add_written(node, named_in(others, known), MENTION * ELSEWHERE)
    said = [wording.text for wording in asked.wordings]
    begun.add_titled(said, bearers)
    meant = [named for each in names for key, named in named_in(each, known).items() if _is_name(key, asked)]
    begun.add_named(meant)
    begun.add_facts(facts, known, {key for each in names for key in each.keys})
    _add_mentions(session, begun.graph, {named.path for named in meant if named.kind in (ALIAS, INITIALS)}, scope_key)
    return begun


def _is_name(name: str, asked: Asked) -> bool:
    """Say whether a name in a question is meant as one: a frequent word in small letters is not, unless it is all."""
    if len(found := terms(name, asked.stemmer)) != 1 or not name.islower():
        return True
    having = max(asked.known.having.get(found[0], (0, 0)))
    if having <= max(COMMON, COMMON_SHARE * asked.known.spans):
        return True
    said = [wording.text for wording in asked.wordings]
    return not any(name in text for text in said) or any(name in whole_names(text) for text in said)


def _day(window: Window | None) -> Names:
    """Give the name of the note of a day, ``2026-06-10``, where a question is about one day, however it is written."""
    if window is None or window.from_ is None or window.until != window.from_ + DAY:
        return Names((), ())
    return Names((entity_key(show_day(window.from_)),), ())


def _written(passage: Passage, tells: Callable[[str], bool]) -> tuple[Names, Names]:
    """Give the names on lines that tell something, read closely, and those in the whole passage."""
    telling = [line for line in passage.text.split("\n") if tells(line)]
    return written_names("\n".join(telling), closely=True), written_names(passage.text, closely=False)


def _add_mentions(session: Session, graph: Surroundings, paths: set[str], scope_key: str) -> None:
    """Join notes, which the question has by another name, to the notes in whose passages they are named."""
    if not paths:
        return
    names = dict(session.rows(_NAMES, [scope_key, sorted(paths)]))
    for name, passage, path in session.rows(_MENTIONS, [scope_key, sorted(names), HUB]):
        note, other = span_id(names[name]), span_id(path)
        if note != other:
            graph.join(note, other, MENTION)
            graph.standing.setdefault((note, other), passage)
