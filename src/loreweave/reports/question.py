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


def refuse_limit(limit: object) -> None:
    """Raise BadRequest for what is no number of items to be shown."""
    if not isinstance(limit, int) or limit < 1:
        raise BadRequest(f"limit: {limit!r} is not a whole number from 1 on.", "give one such as 30")
