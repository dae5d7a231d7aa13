"""What a question is about: a scope, filters by key, and a moment; and how that is said in SQL."""

from __future__ import annotations

from datetime import datetime

import attrs

from loreweave.events.model import DEFAULT_SCOPE
from loreweave.events.slots import key, object_key
from loreweave.times import Instant, Moment, to_datetime

ANY_MOMENT = Moment()


@attrs.frozen
class Question:
    """Beliefs of one scope; of one subject, predicate, object (``value``) and source where given. Texts as written."""

    scope: str = DEFAULT_SCOPE
    subject: str | None = None
    predicate: str | None = None
    value: str | None = None
    source: str | None = None
    moment: Moment = ANY_MOMENT

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
