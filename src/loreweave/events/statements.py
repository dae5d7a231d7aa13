"""What a note states now: values that the ledger either holds already, or is to hold when they are observed."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from loreweave.times import Instant

FORMS = ("property", "list", "inline field", "observation", "fact line", "bold label", "short label")
"""The forms in which a note may state a value, as the column ``form`` names them."""


class Statement(NamedTuple):
    """A value that a note states: its slot, its object, its form and its place.

    ``valid_from`` and ``valid_until`` are those of its own line, None where it has none. The keys are those of
    ``events.slots``. Two statements are one where slot, object key, times and ``many`` are equal.
    """

    path: str
    line: int
    form: str
    scope: str
    subject: str
    predicate: str
    object: str
    scope_key: str
    subject_key: str
    predicate_key: str
    object_key: str
    valid_from: Instant | None
    valid_until: Instant | None
    many: bool
    confidence: float


class Stated(NamedTuple):
    """All that one note states now; one that is gone states nothing. ``dated`` is the date the whole note bears."""

    path: str
    title_key: str
    dated: Instant | None
    statements: tuple[Statement, ...] = ()


@attrs.frozen
class Settings:
    """How notes are read. What is taken for a value: ``mode`` is ``off``, ``explicit`` or ``all``.

    ``ignored`` and ``many`` hold the keys of predicates; an ignored one that ends in ``*`` is the beginning of keys.
    ``scopes`` pairs folders, relative to the vault and without a slash at the end, with scopes; the longest one counts.
    ``stemmer`` is the language of their words, or ``none``.
    """

    mode: str = "explicit"
    ignored: frozenset[str] = frozenset()
    many: frozenset[str] = frozenset()
    scopes: tuple[tuple[str, str], ...] = ()
    stemmer: str = "english"
