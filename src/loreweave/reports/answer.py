"""What every question gives back: the items shown, how many there are, and the instants that were used."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

import attrs

from loreweave.times import Instant, to_datetime

T = TypeVar("T")

FACTS, STEPS, CHANGES, GROUPS, PASSAGES = 200, 50, 200, 100, 3
"""How many items of each kind an answer shows where nothing is said."""


@attrs.frozen
class Answer(Generic[T]):
    """The first items of an answer, in a total order; ``of`` is how many there are.

    ``noun`` names the items in JSON. ``as_of`` None: the whole of valid time; ``as_known_at`` None: as best known.
    """

    noun: str
    items: tuple[T, ...]
    of: int
    scope: str
    as_of: datetime | None = None
    as_known_at: datetime | None = None

    @property
    def shown(self) -> int:
        """The number of items given."""
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


FOREVER = datetime.max.replace(tzinfo=UTC)
"""What an open end is when it is compared."""


def aware(row: tuple[Any, ...]) -> list[Any]:
    """Give a row of the database with its instants in UTC."""
    return [value.replace(tzinfo=UTC) if isinstance(value, datetime) else value for value in row]


def moment(instant: Instant | None) -> datetime | None:
    """Give an instant as an aware datetime."""
    return None if instant is None else to_datetime(instant)
