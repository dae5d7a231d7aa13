"""A line proposed, and the line that its approval writes: pure, so that both can be held to one law.

A proposal is of no effect. What it says is believed from its approval on, of the time for which it was meant.
Whoever proposes what a person said quotes that person in ``because``; everything else is a conclusion, and inferred.
"""

from __future__ import annotations

import re

from loreweave.events.likeness import is_alike
from loreweave.events.model import DEFAULT_SCOPE, Event, Line
from loreweave.times import Instant

FACT, CLOSE, RETRACTION = "fact", "invalidate", "retract"
CONCLUDED = "inferred"
"""The source of what nobody said."""

_PAIRS = ('""', "“”", "„“", "„”", "«»", "»«", "「」", "『』")
_quoted = re.compile("|".join(rf"{pair[0]}[^{pair}\w]*+\w[^{pair}]*+{pair[1]}" for pair in _PAIRS)).search


def quotes_a_person(source: str | None, because: str | None) -> bool:
    """Tell whether something is said to be stated, and why has words in quotation marks: those of whoever said so."""
    return source == "stated" and because is not None and _quoted(because) is not None


def proposal_of(line: Line) -> Line:
    """Give the line that proposes a ``fact``, an ``invalidate`` or a ``retract``."""
    return line._replace(kind="proposed", proposed=line.kind)


def approval_of(proposal: Event, by: str, recorded_at: Instant) -> Line:
    """Give the line that an approval by somebody at an instant writes.

    It holds from the time proposed, else from the record time of the proposal; a close ends what it closes likewise.
    """
    kind = proposal.detail or FACT
    start, until, source = proposal.valid_from, proposal.valid_until, None
    if kind == FACT:
        start = proposal.recorded_at if start is None else start
        source = proposal.source if quotes_a_person(proposal.source, proposal.because) else CONCLUDED
    elif kind == CLOSE:
        until = proposal.recorded_at if until is None else until
    return Line(
        kind,
        proposal.subject,
        proposal.predicate,
        proposal.object,
        None if kind == CLOSE else start,
        None if kind == RETRACTION else until,
        recorded_at,
        confidence=proposal.confidence if kind == FACT else None,
        source=source,
        scope=None if proposal.scope_key == DEFAULT_SCOPE else proposal.scope,
        many=proposal.many and kind == FACT,
        by=by,
        because=proposal.because,
        episode=proposal.episode,
        proposal=proposal.event_id,
    )


def is_seen_again(proposal: Event, other: Event) -> bool:
    """Tell whether a reader may take a proposal of a slot for another: of a value whatever its dates are."""
    kind = proposal.detail or FACT
    if kind != (other.detail or FACT) or not is_alike(proposal.object, other.object):
        return False
    if kind == FACT:
        return True
    return (proposal.valid_from, proposal.valid_until) == (other.valid_from, other.valid_until)
