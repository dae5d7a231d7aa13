"""Vectors made while watching, told of changes that a test makes up: when it is time, and what of it is told."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from loreweave.engine.embedding import Embedded
from loreweave.engine.observing import Indexed
from loreweave.engine.plan import Notes
from loreweave.engine.watching import Begun, Seen, follow
from loreweave.errors import VaultError
from loreweave.vault.watch import Batch

NOTHING = Indexed(Notes(0, 0, 0, 3), 0, 0, None, None, (), ())
ADDED = attrs.evolve(NOTHING, notes=Notes(1, 0, 0, 3))
LOOK, OWN, EDIT = Batch(), Batch(frozenset({"lore/ledger"})), Batch(frozenset({"a.md"}))
NONE, SOME = Embedded(0, 0, "m"), Embedded(2, 0, "m")
UNDONE, DOWN = Embedded(2, 5, "m"), Embedded(0, 5, "m", failed="It is down.")


def seen(*steps: tuple[Batch, Indexed, Embedded | VaultError | None]) -> list[Seen]:
    """Play batches, what the refresh of each comes to, and what making vectors after it does; None is not asked for."""
    outcomes: Iterator[Indexed] = iter([outcome for _, outcome, _ in steps])
    vectors = iter([made for _, _, made in steps if made is not None])

    def making() -> Embedded:
        made = next(vectors)
        if isinstance(made, VaultError):
            raise made
        return made

    begun, *rest = follow("/vault", lambda: next(outcomes), [batch for batch, _, _ in steps], making)
    assert isinstance(begun, Begun)
    assert list(vectors) == [], "each was asked for"
    return [each for each in rest if not isinstance(each, Indexed)]


def test_vectors_are_made_at_the_beginning_and_after_each_change_however_it_is_seen() -> None:
    assert seen((LOOK, NOTHING, SOME), (LOOK, NOTHING, None), (EDIT, NOTHING, SOME), (LOOK, ADDED, SOME)) == [SOME] * 3


def test_what_the_engine_writes_itself_asks_for_none() -> None:
    assert seen((LOOK, NOTHING, SOME), (OWN, NOTHING, None)) == [SOME]


def test_what_is_not_done_is_gone_on_with_without_a_change() -> None:
    steps = ((LOOK, NOTHING, UNDONE), (LOOK, NOTHING, UNDONE), (LOOK, NOTHING, SOME), (LOOK, NOTHING, None))
    assert seen(*steps) == [UNDONE, UNDONE, SOME]


def test_that_nothing_was_to_be_made_is_not_told() -> None:
    assert seen((LOOK, NOTHING, NONE), (EDIT, NOTHING, NONE)) == []


def test_why_none_were_made_is_told_once_until_they_are() -> None:
    steps = ((LOOK, NOTHING, DOWN), (LOOK, NOTHING, DOWN), (EDIT, NOTHING, DOWN), (LOOK, NOTHING, SOME))
    assert seen(*steps, (EDIT, NOTHING, DOWN)) == [DOWN, SOME, DOWN]


def test_settings_that_lose_their_meaning_meanwhile_do_not_end_it() -> None:
    assert seen((LOOK, NOTHING, VaultError("bad")), (EDIT, NOTHING, SOME)) == [SOME]


def test_without_a_provider_nothing_is_told() -> None:
    begun, *rest = follow("/vault", lambda: NOTHING, [LOOK, LOOK, EDIT], lambda: None)
    assert isinstance(begun, Begun)
    assert rest == [NOTHING, NOTHING]
