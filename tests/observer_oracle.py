"""What is to be believed of one note, told from the note's own history: no ledger, no lines, no cleverness.

The oracle is told what the note stated at each run, and not where the note was then; it keeps for each slot what it
states, what it stated before, and what it stated when it last said anything new. It shares no code with the observer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import attrs

from loreweave.events.statements import Stated, Statement
from loreweave.times import Instant

Slot = tuple[str, str, str]
OPEN = float("inf")


class Claim(NamedTuple):
    """A value with its times; ``many`` ones stand beside each other."""

    object: str
    start: int
    end: float
    many: bool

    @property
    def opening(self) -> tuple[str, int, bool]:
        return self.object, self.start, self.many


def only(claims: Iterable[Claim], *, many: bool) -> list[Claim]:
    return [claim for claim in claims if claim.many == many]


@attrs.define
class SlotOracle:
    """One slot of one note: claims stated, claims of earlier days, and both as they were at the last new word."""

    now: list[Claim] = attrs.Factory(list)
    before: list[Claim] = attrs.Factory(list)
    last_now: list[Claim] = attrs.Factory(list)
    last_before: list[Claim] = attrs.Factory(list)

    def run(self, statements: list[Statement], at: Instant, dated: Instant | None, *, moved: bool) -> None:
        on_record = [] if moved else list(self.now)
        if not only(self.now, many=False):
            self._resume(statements)
        claims: list[Claim] = []
        for statement in sorted(statements, key=lambda s: s.valid_from is None):
            claims += [claim for claim in self._claims(statement, claims, at, dated) if claim not in claims]
        self._edit(only(claims, many=False))
        self.now = claims
        if not set(claims) <= set(on_record):
            self.last_now, self.last_before = list(self.now), list(self.before)

    def _resume(self, statements: list[Statement]) -> None:
        """A note whose first words are those it fell silent with goes on from there."""
        last = only(self.last_now, many=False)
        if any(says(s, claim) for s in statements if not s.many for claim in last):
            self.now, self.before = self.now + last, list(self.last_before)

    def _claims(self, statement: Statement, said: list[Claim], at: Instant, dated: Instant | None) -> Iterator[Claim]:
        held = [claim for claim in self.now if says(statement, claim)]
        if held:
            yield from held
            return
        end = OPEN if statement.valid_until is None else statement.valid_until
        if statement.valid_from is None and any(says(statement, claim) for claim in said):
            return
        starts = [statement.valid_from] if statement.valid_from is not None else [self._had(statement), dated, at]
        fitting = [start for start in starts if start is not None and start < end]
        if fitting:
            yield Claim(statement.object_key, fitting[0], end, statement.many)

    def _had(self, statement: Statement) -> Instant | None:
        """The start that the value had, as the note said when it last said something new."""
        for many in (statement.many, not statement.many):
            claims = sorted(only(self.last_now, many=many), key=lambda claim: claim.start)
            if many:
                claims = [claim for claim in claims if claim.object == statement.object_key]
            runs = [next(run) for name, run in groupby(claims, lambda c: c.object) if name == statement.object_key]
            if runs:
                return runs[-1].start
        return None

    def _edit(self, claims: list[Claim]) -> None:
        """What becomes of the earlier days of the single values when these are stated from now on."""
        now = only(self.now, many=False)
        new = [claim for claim in claims if claim not in now]
        gone = [c for c in now if c not in claims and c.opening not in [claim.opening for claim in new]]
        first = min((claim.start for claim in claims), default=OPEN)
        self.before = [claim for claim in self.before if claim.opening not in [c.opening for c in new]]
        if gone and self._replaced(now, claims):
            self.before += now
        elif (gone and any(claim.start >= first for claim in self.before)) or not claims:
            self.before = []

    @staticmethod
    def _replaced(now: list[Claim], claims: list[Claim]) -> bool:
        objects = {claim.object for claim in now}
        later = claims and max(claim.start for claim in now) < min(claim.start for claim in claims)
        is_open = all(claim.end == OPEN for claim in now)
        return len(objects) == 1 and is_open and bool(later) and not any(c.object in objects for c in claims)

    def values(self, v: float) -> set[tuple[str, bool]]:
        """What is believed to be true at V: the objects, each with whether it is one of many."""
        subs = [self._single(), *([c for c in self.now if c.many and c.object == o] for o in self._many())]
        return {(won.object, won.many) for claims in subs if (won := _winner(claims, v)) is not None}

    def _single(self) -> list[Claim]:
        """The earlier days first: where two begin at once, the later word counts."""
        by_start = {claim.start: claim for claim in [*self.before, *only(self.now, many=False)]}
        return list(by_start.values())

    def _many(self) -> set[str]:
        return {claim.object for claim in self.now if claim.many}


def says(statement: Statement, claim: Claim) -> bool:
    end = OPEN if statement.valid_until is None else statement.valid_until
    said = (statement.object_key, end, statement.many)
    return said == (claim.object, claim.end, claim.many) and statement.valid_from in (None, claim.start)


def _winner(claims: list[Claim], v: float) -> Claim | None:
    """The claim that holds V: one with an end of its own up to there, an open one up to the next start."""
    found = None
    for claim in sorted(claims, key=lambda c: (c.end != OPEN, c.start)):
        later = [other.start for other in claims if other.start > claim.start]
        end = claim.end if claim.end != OPEN else min(later, default=OPEN)
        if claim.start <= v < end:
            found = claim
    return found


class NoteOracle:
    """All slots of one note."""

    def __init__(self) -> None:
        self.slots: dict[Slot, SlotOracle] = {}
        self.seen = False

    def run(self, stated: Stated, at: Instant, *, moved: bool = False) -> None:
        """The note states this at a run; what is gone states nothing. One that moved says again all it states."""
        by_slot: dict[Slot, list[Statement]] = {slot: [] for slot in self.slots}
        for statement in stated.statements:
            slot = (statement.scope_key, statement.subject_key, statement.predicate_key)
            by_slot.setdefault(slot, []).append(statement)
        for slot, statements in by_slot.items():
            oracle = self.slots.setdefault(slot, SlotOracle())
            oracle.run(statements, at, None if self.seen else stated.dated, moved=moved)
        self.seen = self.seen or bool(stated.statements)

    def values(self, v: float) -> dict[Slot, set[tuple[str, bool]]]:
        return {slot: found for slot, oracle in self.slots.items() if (found := oracle.values(v))}
