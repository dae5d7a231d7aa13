"""What a question is about: a scope, filters by key, and a moment; and how that is said in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TypedDict

import attrs

from loreweave.errors import BadRequest, Refused
from loreweave.events.model import DEFAULT_SCOPE
from loreweave.events.slots import key, object_key
from loreweave.notes.visible import reveal
from loreweave.times import Instant, Moment, Time, to_datetime

ANY_MOMENT = Moment()
MOST = 1_000_000_000
"""More items, lines or characters than there ever are."""


class Sql(TypedDict, total=False):
    """What may be said of SQL: parameters by name, the moment of the view ``facts``, seconds, and memory as `2GB`."""

    parameters: Mapping[str, object]
    as_of: Time
    as_known_at: Time
    timeout: float
    memory_limit: str


@attrs.frozen
class Question:
    """Beliefs of one scope; of one subject, predicate, object (``value``) and source where given. Texts as written."""

    scope: str = DEFAULT_SCOPE
    subject: str | None = None
    predicate: str | None = None
    value: str | None = None
    source: str | None = None
    moment: Moment = ANY_MOMENT

    def __attrs_post_init__(self) -> None:
        for name in ("scope", "subject", "predicate", "value", "source"):
            refuse_surrogates("object" if name == "value" else name, getattr(self, name) or "")

    def where(self) -> str:
        """Give the condition, with a parameter for each text."""
        return " and ".join(f"{column} = ${column}" for column in self._filters())

    def parameters(self) -> dict[str, object]:
        """Give the parameters of ``where``."""
        return dict(self._filters())

    def _filters(self) -> dict[str, str]:
        texts = {
            "scope_key": key(self.scope),
            "subject_key": None if self.subject is None else key(self.subject),
            "predicate_key": None if self.predicate is None else key(self.predicate),
            "object_key": None if self.value is None else object_key(self.value),
            "source": self.source,
        }
        return {column: text for column, text in texts.items() if text is not None}


def naive(instant: Instant | None) -> datetime | None:
    """Give an instant as the database takes it: UTC without a zone."""
    return None if instant is None else to_datetime(instant).replace(tzinfo=None)


def named(name: str, text: str) -> str:
    """Give the key of a subject, predicate or scope given by a caller; raise Refused where it is empty."""
    if not isinstance(text, str):
        raise BadRequest(f"{name}: {text!r} is not a text.", "give it as a str")
    refuse_surrogates(name, text)
    found = key(text)
    if not found:
        raise Refused(f"{name}: {reveal(text)} normalises to nothing.", "give a name with a letter or a digit")
    return found


def word(text: str) -> str:
    """Write a text as one word of a command line."""
    plain = text.replace("_", "").replace("-", "").isalnum()
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


def refuse_surrogates(name: str, text: str) -> None:
    """Raise BadRequest for what no file can hold: bytes of an argument that were not UTF-8."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise BadRequest(f"{name}: {reveal(text)} is not UTF-8.", "give it as UTF-8 text")


def limit_of(limit: object) -> int:
    """Read how many items are to be given at most; raise BadRequest for what is no such number."""
    return whole_number("limit", limit, 1, such_as=30)


def whole_number(name: str, number: object, least: int, *, such_as: int = 1_000) -> int:
    """Read a whole number from ``least`` on, so many at most as are ever counted; raise BadRequest for what is none."""
    if not isinstance(number, int) or isinstance(number, bool) or number < least:
        told = "a number below zero" if isinstance(number, int) and number < 0 else repr(number)
        raise BadRequest(f"{name}: {told} is not a whole number from {least:,} on.", f"give one such as {such_as}")
    return min(number, MOST)
