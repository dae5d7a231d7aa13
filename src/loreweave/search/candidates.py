"""Beliefs that may share words with the wordings of a question, found in one look through all that are held.

The database narrows down by parts of words, so that no table of words has to be kept for beliefs. Each belief is looked
at once, and each word is looked for once, in however many wordings it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave.times import Instant, to_datetime

if TYPE_CHECKING:
    from loreweave.store.session import Session

LOOKED_AT = 300
"""How many values of slots are held to the tokeniser: those with parts of the most words."""

ROOT = 3
"""``own`` is found in ``owner`` and ``ownership``: so many letters at least."""

KEYS = "subject_key, predicate_key, object_key"

_AGENTS = ("er", "or", "ship")
"""Endings of words whose root may be the predicate's: the owner owns."""


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


class Sought(NamedTuple):
    """A word of a question: its term, and the word as it was written, without case."""

    term: str
    word: str

    @property
    def root(self) -> str:
        """What an ending leaves of a word that may be akin to a predicate, else nothing."""
        ending = next((ending for ending in _AGENTS if self.term.endswith(ending)), "")
        return self.term.removesuffix(ending) if ending and len(self.term) - len(ending) >= ROOT else ""

    @property
    def stub(self) -> str:
        """What a name contains that has a word of this term, whatever its ending."""
        term = self.term
        return term[:-1] if term.isalpha() and term.isascii() and (len(term) > ROOT or term[-1] in "ei") else term


class Candidate(NamedTuple):
    """A value of a slot by its keys and as it was written, and how many words it may share with a wording."""

    subject_key: str
    predicate_key: str
    object_key: str
    subject: str
    predicate: str
    object: str
    parts: int


def candidates(session: Session, wordings: Sequence[Sequence[Sought]], held: Held) -> list[list[Candidate]]:
    """Give for each wording the values that have parts of the most of its words; several rows may be of one value."""
    words = {word: f"w{at}" for at, word in enumerate(dict.fromkeys(word for wording in wordings for word in wording))}
    found: list[list[Candidate]] = [[] for _ in wordings]
    asked = {at: " + ".join(words[word] for word in wording) for at, wording in enumerate(wordings) if wording}
    if not asked or not session.rows_once(_ANY, held.scope_key):
        return found
    sql = _SQL.format(
        where=held.where,
        gone=f"not ({held.still})",
        tests=", ".join(f"({' or '.join(_parts(word, name))})::int as {name}" for word, name in words.items()),
        once=_ONCE.format(any=_sum(list(words.values()))) if held.ever else "tested",
        best=", ".join(_BEST.format(at=at, parts=parts) for at, parts in asked.items()),
        each=" union all ".join(f"select {at}, unnest(best{at}, recursive := true) from best" for at in asked),
    )
    parameters = {f"{name}_{part}": text for word, name in words.items() for part, text in _texts(word)}
    for at, less, _, _, *value in session.rows(sql, held.parameters | parameters):
        found[at].append(Candidate._make([*value, -less]))
    return found


def _sum(terms: Sequence[str]) -> str:
    """Write a sum so that it is nowhere deep, however many words are asked for."""
    half = len(terms) // 2
    return f"({_sum(terms[:half])} + {_sum(terms[half:])})" if half else terms[0]


_ANY = "select 1 from beliefs where scope_key = ? limit 1"
_VALUE = f"{KEYS}, subject, predicate, object"
_SQL = f"""
    with looked_at as (
        select {_VALUE}, {{gone}} as gone, concat_ws(' ', {KEYS}) as plain, strip_accents(plain) as folded
        from beliefs where {{where}}
    ),
    tested as (select *, {{tests}} from looked_at),
    best as (select {{best}} from {{once}})
    {{each}}
"""
_ONCE = f"""(
    select {KEYS}, min(subject) as subject, min(predicate) as predicate, min(object) as object, bool_and(gone) as gone,
        any_value(columns('^w[0-9]+$')) from tested where {{any}} > 0 group by {KEYS}
)"""
"""Each value once, as often as it was believed."""
_BEST = f"""
    min(row(-({{parts}}), gone, length(subject_key), {_VALUE}), {LOOKED_AT}) filter ({{parts}} > 0) as best{{at}}
"""


def _parts(word: Sought, name: str) -> Iterator[str]:
    """Give the SQL conditions of which one at least is true of what may have a word."""
    yield f"contains(folded, ${name}_stub)"
    if not word.word.isascii():
        yield f"contains(plain, ${name}_stub) or contains(plain, ${name}_word)"
    if word.root:
        yield f"contains(predicate_key, ${name}_root)"


def _texts(word: Sought) -> Iterator[tuple[str, str]]:
    """Give the parameters of these conditions."""
    yield "stub", word.stub
    if not word.word.isascii():
        yield "word", word.word
    if word.root:
        yield "root", word.root
