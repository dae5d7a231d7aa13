"""What an agent is told as a session begins, in one answer of a bounded length.

A pack is measured as it is served, so it is made as JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from loreweave import clock
from loreweave.errors import BadRequest
from loreweave.events.slots import key
from loreweave.reports.answer import aware
from loreweave.reports.budget import LEAST, Pack, Part, fitted
from loreweave.reports.codec import plain
from loreweave.reports.facts import FIELDS, Fact
from loreweave.reports.guidance import QUOTED
from loreweave.reports.latest import latest_changes, latest_used
from loreweave.reports.question import naive, refuse_surrogates, whole_number
from loreweave.reports.questions import Questions
from loreweave.times import Instant, show_instant

if TYPE_CHECKING:
    from loreweave.search.found import Result
    from loreweave.store.session import Session

CHARACTERS = 8_000
"""How long a pack is where nothing is said."""

BELIEFS, PASSAGES, CHANGES, USED = 100, 8, 20, 10
"""How many of each a pack has at most."""

_LONG = 700
"""How many characters of a passage are shown."""

_UNTOLD = {"scope", "many", "event_id", "recorded_by", "path", "line"}

_TOTALS = """
    select (select count(*) from notes where scope_key = $scope_key),
        (select count(*) from belief_at($now, null) where scope_key = $scope_key),
        (select count(*) from contradictions where scope_key = $scope_key),
        (select count(*) from proposals where scope_key = $scope_key and status = 'pending')
"""
_BELIEFS = f"""
    select {FIELDS}, count(*) over () from belief_at($now, null) where scope_key = $scope_key
    order by known_from desc, valid_from desc, subject_key, predicate_key, object_key, event_id limit $limit
"""


class Packs(Questions):
    """The beginning of a session with one vault, in one scope."""

    def context_pack(self, topic: str | Sequence[str] | None = None, *, budget: int = CHARACTERS) -> Pack:
        """Give what to know as a session begins, of a topic in one wording or several where there is one.

        As JSON on one line it has ``budget`` characters at most; what did not fit is named. Raises BadRequest for a
        topic that is no text, and for a budget of less than 100 characters.
        """
        budget = whole_number("budget", budget, LEAST)
        asked = _Asked(self.scope, clock.now(), _wordings(topic))
        with self.asking() as session:
            found = self._search(session, asked.wordings, {"limit": PASSAGES}) if asked.wordings else None
            parts = _parts(session, asked, found.results if found else ())
            degraded = {"degraded": list(found.degraded)} if found and found.degraded else {}
            return fitted(_head(session, asked) | degraded, parts, budget)


class _Asked(NamedTuple):
    scope: str
    now: Instant
    wordings: tuple[str, ...]

    @property
    def given(self) -> dict[str, object]:
        """The parameters of the questions."""
        return {"scope_key": key(self.scope), "now": naive(self.now)}


def _wordings(topic: str | Sequence[str] | None) -> tuple[str, ...]:
    given = tuple(topic) if isinstance(topic, list | tuple) else () if topic is None else (topic,)
    for text in given:
        _refuse_no_text(text)
    return tuple(text for text in given if text.strip())


def _refuse_no_text(text: object) -> None:
    if not isinstance(text, str):
        raise BadRequest(f"topic: {text!r} is not a text.", "give it as a str")
    refuse_surrogates("topic", text)


# ------------------------------------------------------------------------------------------------ what there is


def _head(session: Session, asked: _Asked) -> dict[str, Any]:
    counts = session.rows(_TOTALS, asked.given)[0]
    names = ("notes", "beliefs", "contradictions", "pending_proposals")
    head = {"now": show_instant(asked.now), "scope": asked.scope, "quoted": QUOTED}
    return head | {"totals": dict(zip(names, counts, strict=True))}


def _parts(session: Session, asked: _Asked, found: Sequence[Result]) -> dict[str, Part]:
    scope_key = key(asked.scope)
    passages = [_passage(result) for result in found]
    of_topic = [fact for text in asked.wordings for fact in _of_topic(session, asked, text)]
    rows = [aware(row) for row in session.rows(_BELIEFS, asked.given | {"limit": BELIEFS})]
    facts = {fact.event_id: fact for fact in (*of_topic, *(Fact(*row[:-1]) for row in rows))}
    beliefs = [_belief(fact) for fact in facts.values()][:BELIEFS]
    changed, changes = latest_changes(session, scope_key, CHANGES)
    used, uses = latest_used(session, scope_key, USED)
    return {
        "beliefs": Part(beliefs, rows[0][-1] if rows else 0),
        "passages": Part(passages, len(passages)),
        "changes": Part(plain(changed), changes),
        "used": Part(plain(used), uses),
    }


def _of_topic(session: Session, asked: _Asked, text: str) -> Sequence[Fact]:
    """Give the current beliefs that a wording is about, the likeliest first."""
    from loreweave.reports.spells import Slots
    from loreweave.search.beliefs import choose
    from loreweave.search.candidates import Held

    stemmer = session.meta.get("stemmer", "english")
    held = Held(scope_key=key(asked.scope), present=True, now=asked.now, stemmer=stemmer)
    return Slots(session, asked.scope, None, choose(session, text, held).values).facts(asked.now)


def _belief(fact: Fact) -> dict[str, Any]:
    told = plain(fact)
    kept = {name: value for name, value in told.items() if name not in _UNTOLD}
    return kept | {"by": fact.recorded_by, "origin": f"{fact.path}:{fact.line}"}


def _passage(result: Result) -> dict[str, Any]:
    text = result.text.strip("\n")
    shown = _answering(text, result.words)
    return {"address": result.address, "text": shown, "cut": shown != text}


def _answering(text: str, words: Sequence[str]) -> str:
    """Give a text, or where it is long the stretch of it with the most of the words, from a line on if it can."""
    if len(text) <= _LONG:
        return text
    lines = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
    places = [max(0, at - _LONG // 4) for word in words if (at := text.find(word)) >= 0]
    pieces = [(start, _piece(text, start)) for start in (*lines, *places)]
    start, piece = max(pieces, key=lambda each: sum(word in each[1] for word in words))
    return f"{'…' if start else ''}{piece}{'…' if start + len(piece) < len(text) else ''}"


def _piece(text: str, start: int) -> str:
    """Give what is shown of a text from a place on: whole lines, where that leaves most of it."""
    piece = text[start : start + _LONG]
    end = piece.rfind("\n")
    return piece[:end] if start + _LONG < len(text) and end > _LONG // 2 else piece
