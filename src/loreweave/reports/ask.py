"""What is believed that answers a question, at the date it names, and then the passages that speak of it.

Nothing is made up: beliefs are chosen by the words they share with the question, and shown as they are on record. A
question names its date itself ("before August 2025"), or it is asked of now. Where nothing is believed at that date,
what was believed before it and after it is told, and what was once believed of the date itself, with the line that
ended it. "When", "how long" and "history" ask for all valid time.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.events.slots import key
from loreweave.reports.answer import moment
from loreweave.reports.codec import plain
from loreweave.reports.facts import Fact
from loreweave.reports.search import as_json as search_as_json
from loreweave.reports.spells import Gap, Slots, Spell
from loreweave.search.beliefs import choose
from loreweave.search.candidates import Held
from loreweave.search.window import Window, untimed, window_of
from loreweave.times import Instant, Moment, to_datetime

if TYPE_CHECKING:
    from loreweave.search.found import Found
    from loreweave.store.session import Session

SHOWN = 10
"""How many beliefs, and how many spells, a reply shows."""

GAPS = 3
"""Of how many slots without a belief a reply tells what was before and is after."""

_ASKS_WHEN = re.compile(r"\b(?:when|how long|history|timeline)\b", re.IGNORECASE)
_SAYS_NOTHING_ELSE = re.compile(
    r"\b(?:(?:for )?how long|(?:the )?(?:history|timeline|evolution)|changed?|changes|over (?:time|the years)|ever)\b",
    re.IGNORECASE,
)


@attrs.frozen
class Asked:
    """A question: its text, its scope, the moment where the caller says it, and the present instant."""

    text: str
    scope: str
    moment: Moment
    now: Instant


@attrs.frozen
class Reply:
    """What is believed that answers a question, and the passages that speak of it.

    ``as_of`` None: all valid time was asked for. ``read`` are the words of the question that name its time. ``facts``
    hold at ``as_of``; ``spells`` are what the question asks for besides: the whole history, or what else held in the
    stretch it names; ``of`` is how many of both there are. ``gaps`` are the first of ``gaps_of`` slots or values of
    which nothing is believed then, or ever where all valid time was asked for. ``is_cut`` says that the question is
    about so many that not all were looked at.
    """

    question: str
    as_of: datetime | None
    as_known_at: datetime | None
    scope: str
    read: str
    facts: tuple[Fact, ...]
    spells: tuple[Spell, ...]
    gaps: tuple[Gap, ...]
    gaps_of: int
    is_cut: bool
    found: Found
    of: int

    @property
    def shown(self) -> int:
        """The number of facts and spells given."""
        return len(self.facts) + len(self.spells)


def ask(session: Session, asked: Asked, found: Found) -> Reply:
    """Answer with what is believed, beside the spans that were found for the question."""
    known, given = asked.moment.as_known_at, asked.moment.as_of
    window = Window() if given is not None else window_of((asked.text,), asked.now) or Window()
    as_of = _instant(asked, window)
    about = _SAYS_NOTHING_ELSE.sub(" ", untimed(asked.text, window))
    stemmer = session.meta.get("stemmer", "english")
    held = Held(scope_key=key(asked.scope), known=known, ever=True, stemmer=stemmer)
    choice = choose(session, about, held)
    slots = Slots(session, asked.scope, known, choice.values)
    facts = () if as_of is None else slots.facts(as_of)
    spells = _besides(slots, window, as_of)
    gaps = tuple(slots.gaps(as_of, spells if as_of is None else facts))
    return Reply(
        question=asked.text,
        as_of=moment(as_of),
        as_known_at=moment(known),
        scope=asked.scope,
        read=window.text,
        facts=facts[:SHOWN],
        spells=spells[:SHOWN],
        gaps=gaps[:GAPS],
        gaps_of=len(gaps),
        is_cut=choice.is_cut,
        found=found,
        of=len(facts) + len(spells),
    )


def _instant(asked: Asked, window: Window) -> Instant | None:
    """Give the instant asked about: what the caller says, else the question, else now; None for all valid time."""
    if asked.moment.as_of is not None:
        return asked.moment.as_of
    if not window.kind and (window.history or _ASKS_WHEN.search(asked.text)):
        return None
    return asked.now if window.as_of is None else window.as_of


def _besides(slots: Slots, window: Window, as_of: Instant | None) -> tuple[Spell, ...]:
    """Give the spells that are asked for beside what holds at the instant: all, or those in the stretch named."""
    if as_of is None:
        return slots.spells()
    if window.from_ is None:
        return ()
    at = to_datetime(as_of)
    return tuple(spell for spell in slots.spells(window.from_, window.until) if not spell.holds_at(at))


def as_json(reply: Reply, vault: str) -> dict[str, Any]:
    """Give a reply for a program: the beliefs, and the spans as a search gives them."""
    names = [field.name for field in attrs.fields(Reply) if field.name not in ("is_cut", "found", "of")]
    spans = search_as_json(reply.found, vault)
    told = {name: plain(getattr(reply, name)) for name in names} | {"shown": reply.shown, "of": reply.of}
    spans["exhausted"] |= reply.is_cut
    return told | {name: spans[name] for name in ("vault", "exhausted", "degraded", "count", "results")}
