"""What notes are called, as text and facts would call them: rows of one note each, under the key of the name.

A link finds a note by how its name is spelled; here two spellings are one where they are for subjects, so that a file
``amara-osei.md`` is the Amara Osei of a sentence and of a fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loreweave.events.slots import key
from loreweave.projections.names import SUFFIX, Name

_LEAST, _MOST = 2, 8
_words = re.compile(r"[^\W_]++(?:['’][^\W_]++)*").findall
_SMALL = frozenset("a an and as at by de der des di du for from in la le of on or the to und van von with".split())
_ABBREVIATIONS = frozenset("AI AM CD CV DB EU HR ID IP IT MP OK OS PC PM PR QA TV UI UK UN US UX VR".split())
"""Words of two letters that nobody takes for the initials of a name."""


class Called(NamedTuple):
    """A name of a note: ``kind`` is ``name`` of its file, ``title`` or ``alias``; ``initials`` where it has some."""

    entity_key: str
    path: str
    kind: str
    name: str
    initials: str | None
    scope_key: str


def entity_key(name: str) -> str:
    """Give the key of what is called so: that of a subject, without ``.md``, so that none is the path of a note."""
    found = key(name)
    while found.endswith(SUFFIX):
        found = key(found.removesuffix(SUFFIX))
    return found


def called(names: Iterable[Name], scope_key: str) -> Iterator[Called]:
    """Give what a note is called by these names of it, each key once, under the first of them."""
    seen = set()
    for path, _, kind, name in names:
        found = entity_key(name)
        if found and found not in seen:
            seen.add(found)
            yield Called(found, path, kind, name, initials(name), scope_key)


def initials(name: str) -> str | None:
    """Give the letters by which a name of several words may be written; small words have none. None where no one would.

    "Regional Water Board" gives ``RWB``, "The Old Mill" ``OM``.
    """
    words = [word for word in _words(name) if word.lower() not in _SMALL]
    found = "".join(word[0].upper() for word in words)
    if not (_LEAST <= len(words) <= _MOST and found.isalpha() and len(found) == len(words)):
        return None
    return None if found in _ABBREVIATIONS or not found.isupper() else found
