"""What ``why`` says of a line without effect is true, on histories of any kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from hypothesis import given

import oracle
import stored
from histories import Placed, events_of, histories
from loreweave.events.model import Event
from loreweave.reports.question import Question
from loreweave.reports.why import Why, why
from loreweave.times import Moment
from stored import connect

if TYPE_CHECKING:
    from loreweave.store.session import Session

_NAMED = re.compile(r"(closed|unsaid|withdrawn|outranked|masked)\b.* \(?(lore/[^:]+):([0-9]+)").match
LATER = "2024-01-02"


class Stored:
    """As much of a session as a report needs."""

    def __init__(self, happened: list[Event]) -> None:
        self._connection = connect(happened)
        self.ask = self._connection.execute


def told(happened: list[Event], scope: str, subject: str, predicate: str) -> Why:
    asked = Question(scope, subject, predicate, moment=Moment(stored.at("2024-01-03"), None))
    return why(cast("Session", Stored(happened)), asked, limit=100)


def test_a_many_claim_emptied_by_a_close_is_not_outranked_by_another_object() -> None:
    happened = stored.journal(
        ("fact Atlas :: member :: Ana", {"recorded_at": "2024-01-01", "many": True}),
        ("fact Atlas :: member :: Cy", {"recorded_at": LATER, "many": True}),
        ("invalidate Atlas :: member", {"recorded_at": LATER}),
        ("fact Atlas :: member :: Dee", {"recorded_at": LATER, "many": True}),
    )
    effects = [line.effect for step in told(happened, "default", "Atlas", "member").steps for line in step.lines]
    assert effects == ["", "closed at once by lore/journal/2024-01-01.md:3", "", ""]


@given(history=histories())
def test_what_is_said_of_a_line_without_effect_is_so(history: list[Placed]) -> None:
    happened = events_of(history)
    for scope, subject, predicate in {(e.scope, e.subject, e.predicate) for e in happened}:
        for claim, effect in _idle(happened, told(happened, scope, str(subject), str(predicate))):
            assert _holds(claim, effect, happened), (claim, effect)


def _idle(happened: list[Event], found: Why) -> Iterator[tuple[Event, str]]:
    events = {(event.path, event.line): event for event in happened}
    for step in found.steps:
        for line in step.lines:
            if line.effect and line.kind in ("FactAsserted", "ValueObserved"):
                yield events[line.path, line.line], line.effect


def _holds(claim: Event, effect: str, happened: list[Event]) -> bool:
    e = oracle.on_record(happened, oracle.slot_of(claim), claim.recorded_at)
    sub = oracle.sub_slot_of(claim)
    won = oracle.winners(happened, oracle.slot_of(claim), cast("int", claim.valid_from), claim.recorded_at).get(sub)
    found = _NAMED(effect)
    if found is None:
        emptied = [reach.claim for reach in oracle.reaches(e, sub) if reach.start < reach.end]
        return effect.startswith("it holds nowhere") and claim not in emptied
    word, path, line = found.groups()
    (other,) = (event for event in e if (event.path, event.line) == (path, int(line)))
    if word == "closed":
        return oracle.hits(other, claim, e) and other.valid_until == claim.valid_from
    if word in ("unsaid", "withdrawn"):
        return oracle.unsays(other, claim, e)
    if word == "masked":
        return other == won and oracle.asserted(other) and not oracle.asserted(claim)
    same_layer = oracle.asserted(other) == oracle.asserted(claim)
    return other == won and same_layer and oracle.priority(other) > oracle.priority(claim)
