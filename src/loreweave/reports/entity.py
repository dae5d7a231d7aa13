"""Which names mean one entity: those of one note, and beside each the same name in the singular or the plural.

A name that several notes have is that of none of them: what is said under it is said of the name alone. Of two notes,
one called as the plural of the other, each stays by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from loreweave.errors import BadRequest, Refused
from loreweave.notes.visible import excerpt, reveal
from loreweave.projections.called import entity_key
from loreweave.projections.names import ALIAS, NAME, TITLE
from loreweave.reports.question import refuse_surrogates
from loreweave.search.naming import Named, Names, alone, called

if TYPE_CHECKING:
    from loreweave.store.session import Session

ALIKE = 0.85
"""How alike two names are, from 0 to 1, of which one may be a slip of the other."""

LONGEST = 2_000
"""How many characters a name may have."""

NEAR = 5
"""How many such names are told."""

PLURALS = (
    (r"([a-z][a-z][b-hj-np-rtv-z])s$", r"\1"),
    (r"(ch|sh|s|x|z)es$", r"\1"),
    (r"([a-z][b-df-hj-np-tv-xz])ies$", r"\1y"),
)
"""How a plural ends in English, and what the singular has in its place; a word in -us, -is, -as or -os is none."""

_plurals = [(re.compile(plural), singular) for plural, singular in PLURALS]
_KINDS = (TITLE, NAME, ALIAS)
_OF_NOTE = "select entity_key, kind, name, initials from called where scope_key = ? and path = ?"
_NOTE_AT = "select path from notes where scope_key = ? and path = ?"
_ALIKE = """
    with names as (
        select entity_key, name from called where scope_key = $scope_key
        union all
        select subject_key, arg_min(subject, (known_from, event_id)) from beliefs
        where scope_key = $scope_key group by subject_key
    )
    select min(name) from names where jaro_winkler_similarity(entity_key, $asked) >= $alike
    group by entity_key order by max(jaro_winkler_similarity(entity_key, $asked)) desc, entity_key limit $limit
"""


@attrs.frozen
class Entity:
    """What a name means: the note, if it has one; its names as written; its keys, and its initials as written."""

    path: str | None
    names: tuple[str, ...]
    keys: frozenset[str]
    initials: frozenset[str] = frozenset()

    def is_called(self, text: str) -> bool:
        """Tell whether a subject or an object is one of its names."""
        return entity_key(text) in self.keys or text.strip() in self.initials


def entity_of(session: Session, text: str, scope_key: str) -> Entity:
    """Find what a name, or the path of a note, means; raise BadRequest or Refused for what is no name."""
    asked = _key_of(text)
    written, forms = text.strip(), (asked, *numbers(asked))
    bearers = called(session, [Names(forms, (written,) if written.isupper() else ())], scope_key)
    at = session.rows(_NOTE_AT, [scope_key, written])
    path = at[0][0] if at else _meant(bearers, asked, written, forms)
    if path is not None:
        return _of_note(session, path, scope_key)
    free = () if asked in bearers else (form for form in forms if form not in bearers)
    return Entity(None, (written,), frozenset([asked, *free]))


def near(session: Session, text: str, scope_key: str) -> tuple[str, ...]:
    """Give names of which one that nothing has may be a slip, the most alike first."""
    given = {"scope_key": scope_key, "asked": entity_key(text), "alike": ALIKE, "limit": NEAR}
    return tuple(name for (name,) in session.ask(_ALIKE, given).fetchall())


def singulars(name: str) -> list[str]:
    """Give the keys that a name has in the singular, if its last word may be a plural."""
    return [plural.sub(singular, name) for plural, singular in _plurals if plural.search(name)]


def numbers(name: str) -> list[str]:
    """Give the keys that a name has in the other number, as far as it may have one."""
    plurals = (f"{name}s", f"{name}es", f"{name[:-1]}ies")
    return [*singulars(name), *(plural for plural in plurals if name in singulars(plural))]


def _key_of(text: str) -> str:
    if not isinstance(text, str):
        raise BadRequest(f"entity: {text!r} is not a text.", "give it as a str")
    if len(text) > LONGEST:
        told = f"entity: {excerpt(text[:200])} has {len(text):,} characters; a name has {LONGEST:,} at most."
        raise BadRequest(told, "give the name alone")
    refuse_surrogates("entity", text)
    found = entity_key(text)
    if not found:
        raise Refused(f"entity: {reveal(text)} normalises to nothing.", "give a name with a letter or a digit")
    return found


def _meant(bearers: Mapping[str, Sequence[Named]], asked: str, written: str, forms: Iterable[str]) -> str | None:
    """Give the note that is called so, or else by these initials, or else so in the other number; one alone."""
    for name in (asked, written):
        if name in bearers:
            return bearers[name][0].path if len(bearers[name]) == 1 else None
    paths = {named.path for form in forms for named in bearers.get(form, ())}
    return paths.pop() if len(paths) == 1 else None


def _of_note(session: Session, path: str, scope_key: str) -> Entity:
    """Give what is known under the names of a note that no other note has."""
    rows = sorted(session.rows(_OF_NOTE, [scope_key, path]), key=lambda row: (_KINDS.index(row[1]), row[2]))
    forms = dict.fromkeys(form for row in rows for form in (row[0], *numbers(row[0])))
    letters = {row[3] for row in rows if row[3]}
    bearers = called(session, [Names(tuple(forms), tuple(letters))], scope_key)
    own = {name for name, named in alone(bearers).items() if named.path == path}
    names = dict.fromkeys(row[2] for row in rows if row[0] in own)
    free = {form for name in own - letters for form in numbers(name) if form not in bearers}
    return Entity(path, tuple(names) or (path,), frozenset(own - letters | free), frozenset(letters & own))
