"""Ways to break the observer: each is wrong in one respect, and a law must notice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import pytest

from loreweave.events import difference, held, holdings, observe, returns
from loreweave.events.difference import slot_of
from loreweave.events.held import Change, Held, Value
from loreweave.events.returns import Returns
from loreweave.events.statements import Statement

Mutation = Callable[[pytest.MonkeyPatch], None]


def instead(*changes: tuple[object, str, object]) -> Mutation:
    """Something of the observer is another."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        for owner, name, value in changes:
            patch.setattr(owner, name, value, raising=False)

    return mutate


def fitting(fits: Callable[[Statement, Value], bool]) -> Mutation:
    """Whether a statement says a value is decided in another way."""
    return instead((difference, "fits", fits), (returns, "fits", fits))


def _whatever_the_end(statement: Statement, value: Value) -> bool:
    return statement.object_key == value.object_key and statement.valid_from in (None, value.valid_from)


def _as_dated(statement: Statement, value: Value) -> bool:
    said = statement.object_key, statement.valid_from, statement.valid_until
    return said == value


def _never_by_name(_held: Held, wanted: Sequence[Value], _fresh: Sequence[Value]) -> Iterator[Change]:
    yield Change((None,), tuple(wanted))


def _starts_of_old(self: Returns, stated: Any, statement: Statement) -> Iterator[int]:
    """A value has the start that it ever had in this note."""
    spoken = self._holdings.spoken(stated.path, slot_of(statement))
    yield from (v.valid_from for v in (spoken.sightings if spoken else ()) if v.object_key == statement.object_key)
    yield from _starts(self, stated, statement)


def _as_written(statements: Sequence[Statement]) -> Any:
    return _by_slot(statement._replace(object_key=statement.object) for statement in statements)


@attrs.frozen
class _WithdrawnLast(observe.Observed):
    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(sorted(self.lines, key=lambda line: line.kind)))


def _single(self: Any, stated: Any, spoken: Any, _sub_slot: Any, names: Any) -> None:
    _withdraw(self, stated, spoken, None, names)


_starts, _by_slot, _withdraw, _follow = Returns.starts, difference.by_slot, observe._Run._withdraw, holdings._follow

MUTATIONS: dict[str, Mutation] = {
    "an edit takes the old value back": instead((held, "_gives_way", lambda *_: False)),
    "a withdrawal in a history takes back all of it": instead((held, "_taking_back", _never_by_name)),
    "a value that returns begins anew": instead((Returns, "starts", lambda *_: iter(()))),
    "what was said before is left behind": instead((Returns, "base", lambda *_: None)),
    "what one note stops and another begins to say is news": instead((Returns, "_compare", lambda *_: None)),
    "a value has again the start that it once had": instead((Returns, "starts", _starts_of_old)),
    "the date of a note dates whatever is new": instead((Returns, "is_first_sight", lambda *_: True)),
    "the date of a note dates nothing": instead((Returns, "is_first_sight", lambda *_: False)),
    "another end is no news": fitting(_whatever_the_end),
    "a value has to say its start each time": fitting(_as_dated),
    "another spelling is another value": instead((observe, "by_slot", _as_written)),
    "a note that falls silent forgets": instead((holdings, "_follow", lambda *given: _follow(*given) or True)),
    "the ledger counts as it arrives": instead((holdings, "_order", lambda _: 0)),
    "notes are looked at as they are given": instead((observe, "sorted", lambda items, key=None: list(items))),
    "many values are withdrawn as one": instead((observe._Run, "_withdraw", _single)),
    "withdrawals come last": instead((observe, "Observed", _WithdrawnLast)),
}
"""What is wrong, and how to make it so."""
