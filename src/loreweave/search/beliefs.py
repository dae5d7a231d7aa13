"""Which beliefs a question is about: those whose subject, predicate and object share its words.

Words are compared by the one tokeniser. The database narrows down by parts of words, so that no table of words has to
be kept for beliefs; what it gives is then held to the tokeniser itself. A belief is left out where another has all the
words it shares with the question, and more: who asks for the contact of the vendor is not told the vendor's country.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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

_NAMES, _NAMED, _UNITS = 400, 100, 300
"""How many names are held to the tokeniser, how many of those are looked up, and how many values of their slots."""
_PREDICATES = 10_000
_SHARE = 0.5
"""The share, of the weight of the best, below which a belief is left out; and of the words, where nothing is named."""
_ROOT, _ENDING = 3, 4
"""``own`` is found in ``owner`` and ``ownership``: so many letters at least, and so many more at most."""

_FACT = "subject, predicate, object, valid_from, valid_until, known_from, source, confidence, recorded_by, path, line"


@attrs.frozen
class Scope:
    """The beliefs that are looked through: those of one scope held at a record instant, None as best known."""

    scope_key: str
    known: Instant | None = None
    stemmer: str = "english"

    @property
    def where(self) -> str:
        """Give the condition, with the parameters ``scope_key`` and ``known``."""
        held = "known_from <= $known and (known_until is null or $known < known_until)"
        return f"scope_key = $scope_key and {'known_until is null' if self.known is None else held}"

    @property
    def parameters(self) -> dict[str, object]:
        """Give the parameters of ``where``."""
        known = {} if self.known is None else {"known": to_datetime(self.known).replace(tzinfo=None)}
        return {"scope_key": self.scope_key, **known}


class Chosen(NamedTuple):
    """A value of a slot, by its keys, that a question is about.

    ``shared`` are the words it shares with the question: ``by_slot`` tells whether subject or predicate have some of
    them, ``by_object`` whether the object adds to those. ``weight`` orders the values chosen for one question.
    """

    subject_key: str
    predicate_key: str
    object_key: str
    shared: frozenset[str]
    by_slot: bool
    by_object: bool
    weight: float

    @property
    def slot(self) -> tuple[str, str]:
        """The keys of subject and predicate."""
        return self.subject_key, self.predicate_key


def facts(session: Session, question: Question, stemmer: str = "english") -> tuple[Fact, ...]:
    """Give the few current beliefs that a search's wordings are about; current is now, where ``now`` is given."""
    scope = Scope(question.scope_key, stemmer=stemmer)
    chosen: dict[tuple[str, str, str], None] = {}
    for wording in question.wordings:
        chosen |= dict.fromkeys(one[:3] for one in choose(session, wording, scope))
    parameters: dict[str, object] = {"scope_key": question.scope_key}
    source = "beliefs where known_until is null and valid_until is null"
    if question.now is not None:
        source = "belief_at($now, null) where true"
        parameters["now"] = to_datetime(question.now).replace(tzinfo=None)
    return tuple(_current(session, f"{source} and scope_key = $scope_key", parameters, list(chosen)))


def _current(
    session: Session, source: str, parameters: dict[str, object], chosen: Sequence[tuple[str, str, str]]
) -> Iterable[Fact]:
    if not chosen:
        return
    columns = dict(zip(("subjects", "predicates", "objects"), map(list, zip(*chosen, strict=True)), strict=True))
    sql = f"""
        with chosen as (
            select unnest($subjects) as subject_key, unnest($predicates) as predicate_key,
                unnest($objects) as object_key, generate_subscripts($subjects, 1) as place
        )
        select {_FACT} from (select * from {source}) join chosen using (subject_key, predicate_key, object_key)
        order by place, valid_from, event_id limit {FACTS}
    """
    for row in session.ask(sql, parameters | columns).fetchall():
        yield Fact(*row)


def choose(session: Session, wording: str, scope: Scope) -> list[Chosen]:
    """Give the values of slots that a question is about, the likeliest first; none where it shares too few words."""
    question = _Wording.read(wording, scope.stemmer)
    if not question.terms:
        return []
    names = _names(session, question, scope)
    weights = question.weights(names)
    units = _units(session, question, scope, names)
    compared = [question.compare(row, weights) for row in units]
    return _likely([one for one in compared if one is not None])


# ------------------------------------------------------------------------------------------------- what is asked


class _Wording(NamedTuple):
    """A question: its telling terms, each with what a name contains that has it, and all its terms."""

    terms: tuple[str, ...]
    stubs: tuple[tuple[str, ...], ...]
    everything: frozenset[str]
    stemmer: str

    @classmethod
    def read(cls, text: str, stemmer: str) -> _Wording:
        """Read a wording; of a long one the first words count."""
        telling = asked(text, stemmer)[:WORDS]
        stubs = tuple(_stubs(*each) for each in telling)
        return cls(tuple(each.term for each in telling), stubs, frozenset(terms(text, stemmer)), stemmer)

    def shared(self, name: str) -> frozenset[str]:
        """Give the words of a name that the question has; where it has them all, also those that tell nothing."""
        words = terms(name, self.stemmer)
        return frozenset(words if self.everything.issuperset(words) else set(words).intersection(self.terms))

    def fitting(self, predicate: str) -> frozenset[str]:
        """Give the words of the question that a predicate has, as such or with another ending."""
        words = terms(predicate, self.stemmer)
        return frozenset(term for term in self.terms if any(_is_akin(term, word) for word in words))

    def weights(self, names: Iterable[_Name]) -> dict[str, float]:
        """Give what each word is worth: the less, the more names have it."""
        having = Counter(term for name in names for term in name.shared)
        return {term: round(1 / (1 + log2(1 + having[term])), 6) for term in self.terms}

    def compare(self, row: Sequence[str], weights: Mapping[str, float]) -> Chosen | None:
        """Hold one value to the tokeniser; None where it shares too little to be meant."""
        subject_key, predicate_key, object_key, subject, predicate, value = row
        of_subject, of_object = self.shared(subject), self.shared(value)
        of_slot = of_subject | self.fitting(predicate)
        shared = of_slot | of_object
        telling = shared.intersection(self.terms)
        if not telling or not (self._names(subject) or self._names(value) or len(telling) >= _SHARE * len(self.terms)):
            return None
        weight = round(sum(weights[term] for term in self.terms if term in shared), 6)
        by_slot = not of_slot.isdisjoint(self.terms)
        return Chosen(subject_key, predicate_key, object_key, shared, by_slot, not of_object <= of_slot, weight)

    def _names(self, name: str) -> bool:
        words = terms(name, self.stemmer)
        return self.everything.issuperset(words) and not set(self.terms).isdisjoint(words)


def _stubs(term: str, word: str) -> tuple[str, ...]:
    """Give what a name contains that has a word of this term: the part that endings leave, else the word as asked."""
    stub = term[:-1] if term.isalpha() and term.isascii() and (len(term) > 3 or term[-1] in "ei") else term
    return (stub,) if word.isascii() else tuple(dict.fromkeys((stub, term, word.casefold())))


def _is_akin(term: str, word: str) -> bool:
    if term == word:
        return True
    short, long = sorted((term, word), key=len)
    return len(short) >= _ROOT and len(long) - len(short) <= _ENDING and long.startswith(short) and long.isalpha()


# ------------------------------------------------------------------------------------------------- what is named


class _Name(NamedTuple):
    """A subject, object or predicate of beliefs, and the words it shares with the question."""

    field: str
    key: str
    shared: frozenset[str]


def _names(session: Session, question: _Wording, scope: Scope) -> list[_Name]:
    """Give the names that share words with the question, each field by itself in the order of how likely they seem."""
    sql = f"""
        {_sharing("subject", question, scope)} union all {_sharing("object", question, scope)} union all
        (select 'predicate', predicate_key, min(predicate) from beliefs where {scope.where}
         group by predicate_key order by predicate_key limit {_PREDICATES})
    """
    found = []
    for field, key, text in session.ask(sql, scope.parameters | _parameters(question)).fetchall():
        shared = question.fitting(text) if field == "predicate" else question.shared(text)
        if not shared.isdisjoint(question.terms):
            found.append(_Name(field, key, shared))
    return found


def _sharing(field: str, question: _Wording, scope: Scope) -> str:
    """Give the SQL for the names of a field that contain parts of the question's words, those with the most first."""
    tests = _tests(field, question)
    return f"""
        (select '{field}', {field}_key, min({field}) from beliefs where {scope.where} and ({" or ".join(tests)})
         group by {field}_key
         order by {" + ".join(f"({test})::int" for test in tests)} desc, length({field}_key), {field}_key
         limit {_NAMES})
    """


def _tests(field: str, question: _Wording) -> list[str]:
    """Give for each word the condition that a name contains a part of it, whatever its accents, or it as it is."""
    key = f"{field}_key"
    plain = [f"contains(strip_accents({key}), $w{at}_0)" for at, _ in enumerate(question.stubs)]
    others = [
        [f" or contains({key}, $w{at}_{number})" for number in range(1, len(of))]
        for at, of in enumerate(question.stubs)
    ]
    return [first + "".join(rest) for first, rest in zip(plain, others, strict=True)]


def _parameters(question: _Wording) -> dict[str, object]:
    return {f"w{at}_{number}": stub for at, of in enumerate(question.stubs) for number, stub in enumerate(of)}


def _units(session: Session, question: _Wording, scope: Scope, names: Sequence[_Name]) -> list[tuple[str, ...]]:
    """Give keys and texts of the values that may be meant: of what is named, else of the predicates asked for."""
    named = {field: _foremost(names, field) for field in ("subject", "object")}
    predicates = sorted(name.key for name in names if name.field == "predicate")
    found = []
    if any(named.values()):
        where = "(subject_key in (select unnest($subject)) or object_key in (select unnest($object)))"
        found += _values(session, scope, where, named)
    if predicates and not any(row[1] in set(predicates) for row in found):
        tests = " + ".join(f"({test})::int" for test in _tests("subject", question))
        given = {"predicates": predicates} | _parameters(question)
        found += _values(session, scope, "predicate_key in (select unnest($predicates))", given, f"{tests} desc,")
    return list(dict.fromkeys(found))


def _foremost(names: Iterable[_Name], field: str) -> list[str]:
    """Give the keys of the first names of a field of which no other has the same words and more."""
    of_field = [name for name in names if name.field == field]
    outdone = _outdone(name.shared for name in of_field)
    return [name.key for name in of_field if name.shared not in outdone][:_NAMED]


def _values(
    session: Session, scope: Scope, where: str, given: Mapping[str, object], first: str = ""
) -> list[tuple[Any, ...]]:
    sql = f"""
        select subject_key, predicate_key, object_key, min(subject), min(predicate), min(object)
        from beliefs where {scope.where} and {where} group by subject_key, predicate_key, object_key
        order by {first} length(subject_key), subject_key, predicate_key, object_key limit {_UNITS}
    """
    return session.ask(sql, {**scope.parameters, **given}).fetchall()


# ------------------------------------------------------------------------------------------------- what is meant


def _likely(found: list[Chosen]) -> list[Chosen]:
    """Leave out what shares less than another does, or much less than the best; the order is by weight."""
    outdone = _outdone(one.shared for one in found)
    kept = sorted((one for one in found if one.shared not in outdone), key=lambda one: -one.weight)
    return [one for one in kept if one.weight >= _SHARE * kept[0].weight]


def _outdone(shared: Iterable[frozenset[str]]) -> set[frozenset[str]]:
    """Give the sets of words to which another adds."""
    sets = set(shared)
    return {one for one in sets if any(one < other for other in sets)}
