"""A line and its record time made an event, as the row that travels in bulk: defaults resolved, keys and id given."""

from __future__ import annotations

from hashlib import blake2b

from loreweave.events.model import DEFAULT_SCOPE, KINDS, RANKS, EventRow, Line
from loreweave.events.slots import key, object_key
from loreweave.times import Instant

_ID_BYTES = 12
_LINE_ENDS = 17
"""Line ends between the eighteen parts of an id's text."""

_NAMES = {kind: cls.__name__ for kind, cls in KINDS.items()}


def row_of(line: Line, recorded_at: Instant, path: str, number: int, event_id: str) -> EventRow:
    """Make the row of the event that a line at ``path:number`` says, known since ``recorded_at``."""
    kind, subject, predicate, named, start, end, _, confidence, source, scope, many, *texts = line
    by, because, episode, note, digest, proposal, proposed = texts
    if kind == "fact":
        start = recorded_at if start is None else start
        confidence = 1.0 if confidence is None else confidence
        source = "stated" if source is None else source if source in RANKS else "extracted"
    elif kind == "observed":
        start = recorded_at if start is None else start
        confidence = 0.9 if confidence is None else confidence
        source = "extracted"
    elif kind == "invalidate":
        end = recorded_at if end is None else end
    elif kind == "withdrawn":
        source = "extracted"
    scope = DEFAULT_SCOPE if scope is None else scope
    keys = (
        key(scope),
        None if subject is None else key(subject),
        None if predicate is None else key(predicate),
        None if named is None else object_key(named),
    )
    said = (event_id, _NAMES[kind], scope, subject, predicate, named, *keys, start, end, recorded_at)
    detail = digest if kind == "used" else proposed if kind == "proposed" else proposal
    return (*said, source, confidence, many, by, because, episode, note, detail, path, number)


def id_of(line: Line, recorded_at: Instant, origin: tuple[str, ...] = ()) -> str:
    """Give the id of an event: a hash, in 24 digits, of all that was written, the record time and ``origin``."""
    kind, subject, predicate, named, start, end, _, confidence, source, scope, many, *texts = line
    by, because, episode, note, digest, proposal, proposed = texts
    text = (
        f"{kind}\n{subject or ''}\n{predicate or ''}\n{named or ''}\n{'' if start is None else start}"
        f"\n{'' if end is None else end}\n{recorded_at}\n{'' if confidence is None else confidence}\n{source or ''}"
        f"\n{scope or ''}\n{many}\n{by or ''}\n{because or ''}\n{episode or ''}\n{note or ''}\n{digest or ''}"
        f"\n{proposal or ''}\n{proposed or ''}"
    )
    if origin or text.count("\n") != _LINE_ENDS:
        text = _one_line_each(line, recorded_at, origin)
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_ID_BYTES).hexdigest()


def _one_line_each(line: Line, recorded_at: Instant, origin: tuple[str, ...]) -> str:
    """Give a text that no other line has, where values hold line ends: those escaped, and one line end more."""
    parts = [*line._replace(recorded_at=recorded_at), *origin]
    shown = ("" if part is None else str(part).replace("\\", "\\\\").replace("\n", "\\n") for part in parts)
    return "\n".join(shown) + "\n"
