"""Which notes a text names: the runs of its words, and of signs written without blanks, that something is called.

A name that several notes have names none of them. The name of a file goes before a title, and that before an alias;
within a longer name a shorter one counts for nothing. Initials count where they are written in capitals, no note has
them for a name, and one alone has a name that begins so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from loreweave.events.slots import key
from loreweave.notes.stopwords import STOP_WORDS
from loreweave.projections.called import entity_key
from loreweave.projections.names import ALIAS, NAME, TITLE
from loreweave.projections.phrases import phrases
from loreweave.search.constants import KEPT

if TYPE_CHECKING:
    from loreweave.store.session import Session

ASKED = 6
"""How many words of a question are taken for one name at most."""

WRITTEN = 4
"""How many words of a passage are."""

SIGNS = 8
"""How many signs written without blanks are."""

INITIALS = "initials"

_LONGEST = 1_500
_KINDS = (NAME, TITLE, ALIAS, INITIALS)
_RANKS = {kind: rank for rank, kind in enumerate(_KINDS)}
_unspaced = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]{2,}"
).findall
_capitals = re.compile(r"(?<!\w)[^\W\d_]{2,8}(?!\w)").findall
_sentences = re.compile(r"[,;:!?](?=\s)|[\n|()\[\]{}<>*`\"“”„‟«»、。，；：！？「」『』（）《》]").split
_EDGES = " .,;:!?'…"
_AROUND = f'{_EDGES}"“”„‟«»、。，；：！？「」『』（）《》()*`'
_POSSESSIVE = re.compile("'s?\\Z")
_SQL = """
    select entity_key, path, kind, name, initials from called
    where scope_key = ? and (entity_key in (select unnest(?::varchar[])){})
"""
_ALL = "select entity_key, path, kind, name, initials from called where scope_key = ? limit ?"
_OR_INITIALS = " or initials in (select unnest(?::varchar[]))"


Row = tuple[str, str, str, str, str | None]
"""A name as ``called`` has it: its key, the note, the kind of name, the name, its initials."""


class Names(NamedTuple):
    """What may be a name in a text: keys, each once, and words that may be initials."""

    keys: tuple[str, ...]
    initials: tuple[str, ...]


class Named(NamedTuple):
    """A note that is named: its path, the name as it is called, and the kind of name: ``initials`` may be one too."""

    path: str
    name: str
    kind: str


def asked_names(text: str) -> Names:
    """Give all that a question may name, in any case, the whole of it too."""
    text = text[:_LONGEST]
    return _names(text, (*whole_names(text), *_runs(text, 1, ASKED), *_signs(text)))


def whole_names(text: str) -> tuple[str, ...]:
    """Give the keys of a question that is nothing but a name: as it is, and without the signs around it."""
    keys = (entity_key(text), entity_key(text.strip(_AROUND)))
    return tuple([each for each in dict.fromkeys(keys) if each])


def written_names(text: str, *, closely: bool) -> Names:
    """Give what a passage may name by capitals; read closely, also by several words in any case, and by signs."""
    text = text[:_LONGEST]
    keys = (*_runs(text, 2, WRITTEN), *_signs(text)) if closely else ()
    return _names(text, (*phrases(text), *keys))


def called(session: Session, names: Iterable[Names], scope_key: str) -> dict[str, tuple[Named, ...]]:
    """Give the notes that have one of these names, by key, and by initials as written.

    Of those of one name the ones that have it by the foremost kind of name, by path.
    """
    keys, letters = set[str](), set[str]()
    for one in names:
        keys.update(one.keys)
        letters.update(one.initials)
    rows = _rows(session, keys, letters, scope_key)
    found: dict[str, set[tuple[int, str, str]]] = {}
    for named, path, kind, name, initials in rows:
        found.setdefault(named, set()).add((_RANKS[kind], path, name))
        if initials in letters:
            found.setdefault(initials, set()).add((_RANKS[INITIALS], path, initials))
    return {each: _foremost(of) for each, of in found.items() if key(each) == each or key(each) not in found}


def alone(bearers: Mapping[str, tuple[Named, ...]]) -> dict[str, Named]:
    """Give those names that one note has, each with that note."""
    return {each: notes[0] for each, notes in bearers.items() if len(notes) == 1}


def _rows(session: Session, keys: set[str], letters: set[str], scope_key: str) -> Iterable[Row]:
    kept = session.kept(all_names, scope_key, of_notes=True)
    if kept is not None and kept.by_key is not None:
        by_key = [row for each in keys for row in kept.by_key.get(each, ())]
        return {*by_key, *(row for each in letters for row in kept.by_initials.get(each, ()))}
    sql = _SQL.format(_OR_INITIALS if letters else "")
    return session.rows(sql, [scope_key, sorted(keys), *([sorted(letters)] if letters else [])])


class AllNames(NamedTuple):
    """The rows of all names of a scope, by key and by initials; None where they are too many to be kept."""

    by_key: Mapping[str, Sequence[Row]] | None
    by_initials: Mapping[str, Sequence[Row]]


def all_names(session: Session, scope_key: str) -> AllNames:
    """Read all names of a scope."""
    rows: list[Row] = session.rows(_ALL, [scope_key, KEPT + 1])
    if len(rows) > KEPT:
        return AllNames(None, {})
    by_key, by_initials = dict[str, list[Row]](), dict[str, list[Row]]()
    for row in rows:
        by_key.setdefault(row[0], []).append(row)
        if row[4]:
            by_initials.setdefault(row[4], []).append(row)
    return AllNames(by_key, by_initials)


def named_in(names: Names, known: Mapping[str, Named]) -> dict[str, Named]:
    """Give those of the known names that a text has, but none that only stands within a longer one."""
    has = {each: known[each] for each in (*names.keys, *names.initials) if each in known}
    return {each: named for each, named in has.items() if not any(_within(each, other) for other in has)}


def _foremost(called: set[tuple[int, str, str]]) -> tuple[Named, ...]:
    """Give the notes that are called so by the foremost kind of name, each once."""
    first = min(called)[0]
    named = {path: name for rank, path, name in sorted(called, reverse=True) if rank == first}
    return tuple([Named(path, named[path], _KINDS[first]) for path in sorted(named)])


def _within(name: str, other: str) -> bool:
    if len(name) >= len(other):
        return False
    return f" {name} " in f" {other} " or (name in other and not name.isascii())


def _names(text: str, keys: Iterable[str]) -> Names:
    initials = [word for word in _capitals(text) if word.isupper() and not text.isupper()]
    return Names(tuple(dict.fromkeys(keys)), tuple(dict.fromkeys(initials)))


def _runs(text: str, least: int, most: int) -> Iterator[str]:
    """Give the keys of runs of words within a sentence; a single word that tells nothing is none."""
    for sentence in _sentences(text):
        words = key(sentence).split()
        for first in range(len(words)):
            for last in range(first + least, min(first + most, len(words)) + 1):
                run = _POSSESSIVE.sub("", " ".join(words[first:last]).strip(_EDGES))
                if run and (last - first > 1 or run not in STOP_WORDS):
                    yield run


def _signs(text: str) -> Iterator[str]:
    if not text.isascii():
        for run in _unspaced(text):
            for first in range(len(run) - 1):
                for last in range(first + 2, min(first + SIGNS, len(run)) + 1):
                    yield key(run[first:last])
