"""Which beliefs a question is about: those whose subject, predicate and object share its words.

Words are compared by the one tokeniser, to which the candidates that the database gives are held. A belief is left out
where another has all the words it shares with the question, and more: who asks for the contact of the vendor is not
told the vendor's country.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice, zip_longest
from math import log2
from typing import TYPE_CHECKING, Any, NamedTuple

from loreweave.notes.words import asked, terms
from loreweave.search.candidates import KEYS, LOOKED_AT, ROOT, Candidate, Held, Sought, candidates
from loreweave.search.found import Fact

if TYPE_CHECKING:
    from loreweave.search.found import Question
    from loreweave.store.session import Session

FACTS = 3
"""How many beliefs stand beside what a search found."""

WORDS = 48
"""How many words of a question are looked for in beliefs: the first."""

_SHARE = 0.5
"""The share, of the weight of the best, below which a belief is left out; and of the words, where nothing is named."""
_BESIDE = 2
"""How many words a belief shares with a long question, to stand beside what a search found."""
_ENDING = 4
"""``own`` is found in ``owner`` and ``ownership``: so many more letters at most."""

_FACT = "subject, predicate, object, valid_from, valid_until, known_from, source, confidence, recorded_by, path, line"


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
    of_names = _Terms(stemmer)
    wordings = [_Wording.read(text, of_names) for text in dict.fromkeys(question.wordings)]
    lists = [
        [one[:3] for one in wording.chosen(found) if one.telling >= min(_BESIDE, _SHARE * len(wording.words))][:FACTS]
        for wording, found in zip(wordings, candidates(session, [each.words for each in wordings], held), strict=True)
    ]
    in_turn = dict.fromkeys(keys for place in zip_longest(*lists) for keys in place if keys is not None)
    return _facts(session, list(islice(in_turn, FACTS)), held)


def _facts(session: Session, values: Sequence[tuple[str, ...]], held: Held) -> tuple[Fact, ...]:
    """Give the beliefs of these values, each that which began first."""
    if not values:
        return ()
    sql = f"""
        select {KEYS}, {_FACT} from beliefs
        where {held.where} and list_contains($subjects, subject_key) and list_contains($objects, object_key)
        order by valid_from desc, event_id desc
    """
    subjects, _, objects = (sorted(set(keys)) for keys in zip(*values, strict=True))
    rows = session.rows(sql, held.parameters | {"subjects": subjects, "objects": objects})
    by_keys = {row[:3]: Fact(*map(_aware, row[3:])) for row in rows}
    return tuple(by_keys[keys] for keys in values)


def _aware(value: Any) -> Any:
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) else value


def choose(session: Session, text: str, held: Held) -> Choice:
    """Give the values of slots that a question is about, the likeliest first; none where it shares too few words."""
    wording = _Wording.read(text, _Terms(held.stemmer))
    (found,) = candidates(session, [wording.words], held)
    chosen = wording.chosen(found)
    fewest = min((each.parts for each in found), default=0)
    last = {each[:3] for each in found if each.parts == fewest} if len(found) == LOOKED_AT else set()
    return Choice(tuple(chosen), any(one[:3] in last for one in chosen))


# ------------------------------------------------------------------------------------------------- what is asked


class _Terms(dict[str, frozenset[str]]):
    """The terms of each name, found once."""

    def __init__(self, stemmer: str) -> None:
        super().__init__()
        self.stemmer = stemmer

    def __missing__(self, name: str) -> frozenset[str]:
        found = self[name] = frozenset(terms(name, self.stemmer))
        return found


class _Wording(NamedTuple):
    """A question: its telling words, their terms, and all its terms; and the terms of what it is compared with."""

    words: tuple[Sought, ...]
    terms: tuple[str, ...]
    telling: frozenset[str]
    everything: frozenset[str]
    of_names: _Terms

    @classmethod
    def read(cls, text: str, of_names: _Terms) -> _Wording:
        """Read a wording; of a long one the first words count."""
        words = tuple(Sought(each.term, each.word.casefold()) for each in asked(text, of_names.stemmer)[:WORDS])
        everything = frozenset(terms(text, of_names.stemmer))
        found = tuple(word.term for word in words)
        return cls(words, found, frozenset(found), everything, of_names)

    def chosen(self, found: Sequence[Candidate]) -> list[Chosen]:
        """Hold values of slots to the tokeniser; give those that are meant."""
        names = {name: self._shared(name) for each in found for name in (each.subject, each.object)}
        predicates = {name: self._fitting(name) for name in {each.predicate for each in found}}
        having = Counter(term for shared, _ in names.values() for term in shared)
        having.update(term for fitting in predicates.values() for term in fitting)
        worth = {term: round(1 / (1 + log2(1 + having[term])), 6) for term in self.terms}
        compared = (
            self._compare(each[:3], (names[each.subject], predicates[each.predicate], names[each.object]), worth)
            for each in found
        )
        return _likely([one for one in compared if one is not None])

    def _shared(self, name: str) -> _Shared:
        """Compare a name: the words it shares, and where it shares all, also those that tell nothing."""
        words = self.of_names[name]
        telling, whole = words & self.telling, words <= self.everything
        return _Shared(words if whole else telling, whole and bool(telling))

    def _fitting(self, predicate: str) -> frozenset[str]:
        """Give the words of the question that a predicate has, as such or with another ending."""
        words = self.of_names[predicate]
        return frozenset(term for term in self.terms if any(_is_akin(term, word) for word in words))

    def _compare(
        self, keys: tuple[str, str, str], parts: tuple[_Shared, frozenset[str], _Shared], worth: Mapping[str, float]
    ) -> Chosen | None:
        """Bring together what subject, predicate and object share; None where it is too little to be meant."""
        subject, fitting, value = parts
        of_slot = subject.words | fitting
        shared = of_slot | value.words
        telling = shared & self.telling
        is_named = subject.is_named or value.is_named
        if not telling or not (is_named or len(telling) >= _SHARE * len(self.terms)):
            return None
        weight = round(sum(worth[term] for term in self.terms if term in shared), 6)
        by_slot, by_object = not of_slot.isdisjoint(telling), not value.words <= of_slot
        stands = (subject.is_named, not subject.words.isdisjoint(telling), bool(fitting), True)
        return Chosen(*keys, shared, by_slot, by_object, is_named, len(telling), stands.index(True), weight)


class _Shared(NamedTuple):
    """The words that a name shares with a question, and whether the question has the whole name."""

    words: frozenset[str]
    is_named: bool


def _is_akin(term: str, word: str) -> bool:
    if term == word:
        return True
    short, long = sorted((term, word), key=len)
    return len(short) >= ROOT and len(long) - len(short) <= _ENDING and long.startswith(short) and long.isalpha()


# ------------------------------------------------------------------------------------------------- what is meant


def _likely(found: list[Chosen]) -> list[Chosen]:
    """Leave out what shares less than another does, or much less than the best; order the others."""
    sets = {one.shared for one in found}
    outdone = {one for one in sets if any(one < other for other in sets)}
    named = {one.shared for one in found if one.is_named}
    kept = [one for one in found if one.shared not in outdone and (one.is_named or one.shared not in named)]
    best = max((one.weight for one in kept), default=0)
    return sorted((one for one in kept if one.weight >= _SHARE * best), key=lambda one: one.standing)
