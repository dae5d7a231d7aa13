"""What a note said before: one list that successive states share, each of them a beginning of it.

A property that a program rewrites at every save is edited ten thousand times, and copying what came before at each edit
would take a time that grows with the square of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from loreweave.times import Instant


class Value(NamedTuple):
    """An observed value of a sub-slot: its object's key and its times; an open end is None."""

    object_key: str
    valid_from: Instant
    valid_until: Instant | None


class Past:
    """Values in the order in which they were said; never changed, and equal where the values are."""

    __slots__ = ("_places", "_size", "_starts", "_values")

    def __init__(self, values: Iterable[Value] = ()) -> None:
        self._values: list[Value] = []
        self._starts: list[Instant] = []
        self._places: dict[tuple[str, Instant], int] = {}
        self._size = 0
        self._grow(values)

    def __iter__(self) -> Iterator[Value]:
        return (self._values[at] for at in range(self._size))

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Past) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    @property
    def latest(self) -> Instant | None:
        """Give the latest start; None where nothing was said."""
        return self._starts[self._size - 1] if self._size else None

    def plus(self, values: Iterable[Value]) -> Past:
        """Give this and what was said next."""
        said = list(values)
        if not said:
            return self
        end = self._size + len(said)
        is_there = self._values[self._size : end] == said
        if not is_there and self._size < len(self._values):
            return Past((*self, *said))
        longer = Past.__new__(Past)
        longer._values, longer._starts, longer._places = self._values, self._starts, self._places
        longer._size = end if is_there else self._size
        longer._grow(() if is_there else said)
        return longer

    def without(self, again: Iterable[tuple[str, Instant]]) -> Past:
        """Give this but for the values of these objects that have these starts."""
        found = {place for place in again if self._places.get(place, self._size) < self._size}
        return Past(value for value in self if value[:2] not in found) if found else self

    def _grow(self, values: Iterable[Value]) -> None:
        for value in values:
            self._places.setdefault(value[:2], self._size)
            self._starts.append(max(value.valid_from, self._starts[-1]) if self._size else value.valid_from)
            self._values.append(value)
            self._size += 1
