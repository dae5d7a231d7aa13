"""Which beliefs a question is about: those whose subject, predicate and object share its words.

Words are compared by the one tokeniser. The database narrows down by parts of words, so that no table of words has to
be kept for beliefs; what it gives is then held to the tokeniser itself. A belief is left out where another has all the
words it shares with the question, and more: who asks for the contact of the vendor is not told the vendor's country.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice, zip_longest
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from loreweave.notes.words import asked, terms
from loreweave.search.found import Fact
from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.search.found import Question
    from loreweave.store.session import Session

FACTS = 3
"""How many beliefs stand beside what a search found."""

WORDS = 48
"""How many words of a question are looked for in beliefs: the first."""

_LOOKED_AT = 300
"""How many values of slots are held to the tokeniser: those with parts of the most words."""
_SHARE = 0.5
"""The share, of the weight of the best, below which a belief is left out; and of the words, where nothing is named."""
_BESIDE = 2
"""How many words a belief shares with a long question, to stand beside what a search found."""

_ROOT, _ENDING = 3, 4
"""``own`` is found in ``owner`` and ``ownership``: so many letters at least, and so many more at most."""

_AGENTS = ("er", "or", "ship")
"""Endings of words whose root may be the predicate's: the owner owns."""

_KEYS = "subject_key, predicate_key, object_key"
_FACT = "subject, predicate, object, valid_from, valid_until, known_from, source, confidence, recorded_by, path, line"


@attrs.frozen(kw_only=True)
class Held:
    """The beliefs that are looked through: of one scope, held at the record instant ``known``, None as best known.

    With ``present`` only those that hold ``now``, or that have no end where that is None. With ``ever`` also those that
    were held before ``known``, and are no longer.
    """

    scope_key: str
    known: Instant | None = None
    present: bool = False
    now: Instant | None = None
    ever: bool = False
    stemmer: str = "english"

    @property
    def where(self) -> str:
        """Give the condition."""
        holds = "valid_from <= $now and (valid_until is null or $now < valid_until)"
        conditions = ["scope_key = $scope_key"]
        if self.known is not None:
            conditions.append("known_from <= $known")
        if not self.ever:
            conditions.append(self.still)
        if self.present:
            conditions.append("valid_until is null" if self.now is None else holds)
        return " and ".join(conditions)

    @property
    def still(self) -> str:
        """Give the condition for what is still believed."""
        return "known_until is null" if self.known is None else "(known_until is null or $known < known_until)"

    @property
    def parameters(self) -> dict[str, object]:
        """Give the parameters of the condition."""
        instants = {"known": self.known, "now": self.now if self.present else None}
        naive = {name: to_datetime(at).replace(tzinfo=None) for name, at in instants.items() if at is not None}
        return {"scope_key": self.scope_key, **naive}


class Chosen(NamedTuple):
    """A value of a slot, by its keys, that a question is about.

    ``shared`` are the words it shares with the question: ``by_slot`` tells whether subject or predicate have some of
    them, ``by_object`` whether the object adds to those, ``is_named`` whether all of subject or object stands in the
    question. ``telling`` counts the words shared, ``place`` is where they stand: 0 for a subject that is named, 1 for
    one that shares some, 2 for the predicate, 3 for the object alone; ``weight`` is the more, the rarer the words.
    """

    subject_key: str
    predicate_key: str
    object_key: str
    shared: frozenset[str]
    by_slot: bool
    by_object: bool
    is_named: bool
    telling: int
    place: int
    weight: float

    @property
    def standing(self) -> tuple[object, ...]:
        """What orders the values chosen for one question: what shares most of it stands first."""
        return -self.telling, self.place, -self.weight, self.subject_key, self.predicate_key, self.object_key

    @property
    def slot(self) -> tuple[str, str]:
        """The keys of subject and predicate."""
        return self.subject_key, self.predicate_key


class Choice(NamedTuple):
    """The values that a question is about, the likeliest first; ``is_cut`` where there may be more like the last."""

    values: tuple[Chosen, ...]
    is_cut: bool


def facts(session: Session, question: Question, stemmer: str = "english") -> tuple[Fact, ...]:
    """Give the few current beliefs that the wordings of a search are about, in turn; ``now`` says what is current."""
    held = Held(scope_key=question.scope_key, present=True, now=question.now, stemmer=stemmer)
    lists = [_facts(session, wording, held) for wording in dict.fromkeys(question.wordings)]
    in_turn = (fact for place in zip_longest(*lists) for fact in place if fact is not None)
    return tuple(islice(dict.fromkeys(in_turn), FACTS))


def _facts(session: Session, text: str, held: Held) -> list[Fact]:
    wording = _Wording.read(text, held.stemmer)
    order = f"order by parts desc, length(subject_key), {_KEYS}, valid_from, event_id"
    rows = _having(session, wording, held, f"{_KEYS}, {_FACT}", order)
    by_keys = {row[:3]: Fact(*map(_aware, row[3:])) for row in reversed(rows)}
    enough = min(_BESIDE, _SHARE * len(wording.terms))
    return [by_keys[one[:3]] for one in wording.chosen([row[:6] for row in rows]) if one.telling >= enough]


def _aware(value: Any) -> Any:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else value


def choose(session: Session, text: str, held: Held) -> Choice:
    """Give the values of slots that a question is about, the likeliest first; none where it shares too few words."""
    wording = _Wording.read(text, held.stemmer)
    order = f"group by {_KEYS} order by max(parts) desc, bool_or({held.still}) desc, length(subject_key), {_KEYS}"
    fields = f"{_KEYS}, min(subject), min(predicate), min(object), max(parts)"
    rows = _having(session, wording, held, fields, order)
    chosen = wording.chosen([row[:6] for row in rows])
    fewest = {row[:3] for row in rows if row[6] == rows[-1][6]} if len(rows) == _LOOKED_AT else set()
    return Choice(tuple(chosen), any(one[:3] in fewest for one in chosen))


def _having(session: Session, wording: _Wording, held: Held, fields: str, order: str) -> list[tuple[Any, ...]]:
    """Give the beliefs that have parts of the words, those with parts of the most first."""
    if not wording.terms:
        return []
    sql = f"""
        select {fields} from (
            select *, {" + ".join(wording.tests())} as parts from (
                select *, concat_ws(' ', {_KEYS}) as plain, strip_accents(plain) as folded
                from beliefs where {held.where}
            )
        )
        where parts > 0 {order} limit {_LOOKED_AT}
    """
    return session.rows(sql, held.parameters | wording.parameters())


# ------------------------------------------------------------------------------------------------- what is asked


class _Wording(NamedTuple):
    """A question: its telling terms, the words they come from as they were written, and all its terms."""

    terms: tuple[str, ...]
    words: tuple[str, ...]
    everything: frozenset[str]
    stemmer: str

    @classmethod
    def read(cls, text: str, stemmer: str) -> _Wording:
        """Read a wording; of a long one the first words count."""
        telling = asked(text, stemmer)[:WORDS]
        words = tuple(each.word.casefold() for each in telling)
        return cls(tuple(each.term for each in telling), words, frozenset(terms(text, stemmer)), stemmer)

    def tests(self) -> list[str]:
        """Give for each word an SQL number: 1 where a belief has a part of it, else 0."""
        return [f"({' or '.join(self._parts(at))})::int" for at in range(len(self.terms))]

    def parameters(self) -> dict[str, object]:
        """Give the parameters of ``tests``: what endings leave of each word, what it is, and its root."""
        stubs: dict[str, object] = {f"stub{at}": _stub(term) for at, term in enumerate(self.terms)}
        words = {f"word{at}": word for at, word in enumerate(self.words) if not word.isascii()}
        return stubs | words | {f"root{at}": root for at, root in self._roots()}

    def _parts(self, at: int) -> Iterator[str]:
        yield f"contains(folded, $stub{at})"
        if not self.words[at].isascii():
            yield f"contains(plain, $stub{at}) or contains(plain, $word{at})"
        if at in dict(self._roots()):
            yield f"contains(predicate_key, $root{at})"

    def _roots(self) -> Iterator[tuple[int, str]]:
        for at, term in enumerate(self.terms):
            ending = next((ending for ending in _AGENTS if term.endswith(ending)), "")
            if ending and len(term) - len(ending) >= _ROOT:
                yield at, term.removesuffix(ending)

    def chosen(self, rows: Sequence[tuple[Any, ...]]) -> list[Chosen]:
        """Hold values of slots, given by keys and texts, to the tokeniser; give those that are meant."""
        names = {name: self._shared(name) for row in rows for name in (row[3], row[5])}
        predicates = {row[4]: self._fitting(row[4]) for row in rows}
        having = Counter(term for shared, _ in names.values() for term in shared)
        having.update(term for fitting in predicates.values() for term in fitting)
        worth = {term: round(1 / (1 + log2(1 + having[term])), 6) for term in self.terms}
        compared = (
            self._compare(row[:3], (names[row[3]], predicates[row[4]], names[row[5]]), worth)
            for row in dict.fromkeys(rows)
        )
        return _likely([one for one in compared if one is not None])

    def _shared(self, name: str) -> _Shared:
        """Compare a name: the words it shares, and where it shares all, also those that tell nothing."""
        words = frozenset(terms(name, self.stemmer))
        telling = words.intersection(self.terms)
        whole = self.everything.issuperset(words)
        return _Shared(words if whole else telling, whole and bool(telling))

    def _fitting(self, predicate: str) -> frozenset[str]:
        """Give the words of the question that a predicate has, as such or with another ending."""
        words = terms(predicate, self.stemmer)
        return frozenset(term for term in self.terms if any(_is_akin(term, word) for word in words))

    def _compare(
        self, keys: tuple[str, str, str], parts: tuple[_Shared, frozenset[str], _Shared], worth: Mapping[str, float]
    ) -> Chosen | None:
        """Bring together what subject, predicate and object share; None where it is too little to be meant."""
        subject, fitting, value = parts
        of_slot = subject.words | fitting
        shared = of_slot | value.words
        telling = shared.intersection(self.terms)
        is_named = subject.is_named or value.is_named
        if not telling or not (is_named or len(telling) >= _SHARE * len(self.terms)):
            return None
        weight = round(sum(worth[term] for term in self.terms if term in shared), 6)
        by_slot, by_object = not of_slot.isdisjoint(self.terms), not value.words <= of_slot
        stands = (subject.is_named, not subject.words.isdisjoint(self.terms), bool(fitting), True)
        return Chosen(*keys, shared, by_slot, by_object, is_named, len(telling), stands.index(True), weight)


class _Shared(NamedTuple):
    """The words that a name shares with a question, and whether the question has the whole name."""

    words: frozenset[str]
    is_named: bool


def _stub(term: str) -> str:
    """Give what a name contains that has a word of this term, whatever its ending."""
    return term[:-1] if term.isalpha() and term.isascii() and (len(term) > 3 or term[-1] in "ei") else term


def _is_akin(term: str, word: str) -> bool:
    if term == word:
        return True
    short, long = sorted((term, word), key=len)
    return len(short) >= _ROOT and len(long) - len(short) <= _ENDING and long.startswith(short) and long.isalpha()


# ------------------------------------------------------------------------------------------------- what is meant


def _likely(found: list[Chosen]) -> list[Chosen]:
    """Leave out what shares less than another does, or much less than the best; order the others."""
    sets = {one.shared for one in found}
    outdone = {one for one in sets if any(one < other for other in sets)}
    named = {one.shared for one in found if one.is_named}
    kept = [one for one in found if one.shared not in outdone and (one.is_named or one.shared not in named)]
    best = max((one.weight for one in kept), default=0)
    return sorted((one for one in kept if one.weight >= _SHARE * best), key=lambda one: one.standing)
