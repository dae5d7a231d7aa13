"""What anybody asks to be written is held to what a line may say, before it is composed."""

from __future__ import annotations

from loreweave.errors import BadRequest, Refused
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.quarantine import fault
from loreweave.events.slots import key
from loreweave.notes.visible import as_name, is_blank, reveal
from loreweave.store.draft import Slot
from loreweave.times import Instant

LONGEST = 2_000
"""Characters that a field may have."""

SOURCES = ("stated", "inferred")
"""Who may vouch for what is asserted."""

_TEXTS = ("subject", "predicate", "object", "scope", "by", "because", "episode")
_SHOWN = 40


def slot_of(line: Line) -> Slot:
    """Give the slot that a line is about."""
    scope = DEFAULT_SCOPE if line.scope is None else line.scope
    return key(scope), key(line.subject or ""), key(line.predicate or "")


def name_of(line: Line) -> str:
    """Name the slot as it was asked for."""
    return f"{as_name(line.subject or '')} :: {as_name(line.predicate or '')}"


def refuse_unsound(line: Line, recorded_at: Instant) -> None:
    """Raise Refused for what would be quarantined, and for what no line should hold."""
    refuse_unwritable(line)
    finding = fault(line, recorded_at)
    if finding is not None:
        raise Refused(finding.message, finding.hint, finding)


def refuse_unwritable(line: Line) -> None:
    """Raise Refused for what no line should hold, whenever it is recorded: ask before the record is looked at."""
    if line.kind == "fact" and line.source not in SOURCES:
        raise BadRequest(f'source: "{line.source}" is none of {", ".join(SOURCES)}.', "give one of them")
    for name in _TEXTS:
        text = getattr(line, name)
        if text is not None and not (len(text) <= LONGEST and text.isascii() and "\0" not in text):
            _refuse_text(name, text)
    if line.confidence is not None and not 0 <= line.confidence <= 1:
        raise Refused(f'The confidence "{line.confidence:g}" is not from 0 to 1.', "give a number such as 0.9")
    if line.object is not None and is_blank(line.object):
        raise Refused(f"The object {reveal(line.object)} is blank.", "give the value as the third word")


def _refuse_text(name: str, text: str) -> None:
    if len(text) > LONGEST:
        raise Refused(
            f"The {name} {reveal(text[:_SHOWN] + '…')} has {len(text):,} characters; at most {LONGEST:,} are written.",
            "put the text in a note, and a short value here",
        )
    if "\0" in text:
        shown = reveal(text[:_SHOWN])
        raise Refused(f"The {name} {shown} holds U+0000, which makes a file no text.", "leave that character out")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused(f"The {name} {reveal(text)} is not UTF-8.", "give it as UTF-8 text") from None
