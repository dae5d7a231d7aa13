"""Mining: what a note says in any of the known forms, labels too, and neither the ledger nor anybody has on record.

Nothing is asserted. What is found may become proposals, for a person to decide on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave import clock
from loreweave.engine.asking import refuse_unsound
from loreweave.engine.barring import Barring
from loreweave.engine.proposing import proposal_event
from loreweave.engine.reading import read_note_file
from loreweave.engine.write import foresee, journal_of, record_time, rendered
from loreweave.errors import Refused
from loreweave.events.difference import differing, slot_of
from loreweave.events.holdings import Holdings
from loreweave.events.model import DEFAULT_SCOPE, EventRow, Line, event_of
from loreweave.events.proposals import CONCLUDED, FACT, proposal_of
from loreweave.events.render import as_read
from loreweave.events.slots import key
from loreweave.events.statements import Settings, Stated, Statement
from loreweave.notes.turning import turns
from loreweave.notes.visible import excerpt
from loreweave.projections.notes import stated_of
from loreweave.projections.refold import alive
from loreweave.store import proposed as stored
from loreweave.store.proposed import PENDING, REJECTED
from loreweave.times import Instant, to_datetime
from loreweave.vault.config import read_config
from loreweave.vault.walk import stamp_of

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.events.model import Event
    from loreweave.store.draft import Draft
    from loreweave.store.proposed import Ask

MINER = "extraction"
"""Who proposes what nobody else does."""

_AS_STATED = ("subject", "predicate", "object", "many", "confidence", "form", "path", "line")
"""What a candidate has in common with the statement that it is."""

ON_RECORD, UNSOUND = "on record", "unsound"


@attrs.frozen
class Candidate:
    """A value that a note states and nobody has on record. ``form`` is how it is written, at ``path`` and ``line``.

    ``waits`` tells that ``lore index`` records it by itself. ``proposal_id`` is that of its proposal, once it is one.
    """

    subject: str
    predicate: str
    object: str
    valid_from: datetime | None
    valid_until: datetime | None
    many: bool
    confidence: float
    form: str
    path: str
    line: int
    waits: bool
    proposal_id: str | None = None


@attrs.frozen
class Mined:
    """The first candidates of a note, ``of`` in all; those on record, proposed or rejected before are only counted.

    ``submitted`` tells that those given were proposed: in ``journal``, from line ``line_number`` on.
    """

    path: str
    scope: str
    candidates: tuple[Candidate, ...]
    of: int
    on_record: int
    proposed: int
    rejected: int
    submitted: bool
    journal: str | None
    line_number: int | None

    @property
    def shown(self) -> int:
        """The number of candidates given."""
        return len(self.candidates)


class Errand(NamedTuple):
    """What to mine and how: the note and the lines of it, None for all, its scope, who proposes, how many at most."""

    path: str
    lines: tuple[int, int] | None
    scope: str
    by: str | None
    limit: int


class _Found(NamedTuple):
    """A statement, the line that would be proposed of it, and whether it waits to be recorded as it is."""

    statement: Statement
    line: Line
    waits: bool


class _Sifted(NamedTuple):
    """Candidates, and why other values of the note are none."""

    found: list[_Found]
    others: Counter[str]


def mine(engine: Engine, ask: Ask, errand: Errand) -> Mined:
    """Give what a note states that is on record nowhere, as the index has the record; nothing is written."""
    return _mined(errand, _sifted(engine, ask, errand, clock.now()), [])


def submit(engine: Engine, errand: Errand) -> Mined:
    """Propose what a note states that is on record nowhere, in one append."""
    now = clock.now()

    def work(draft: Draft) -> Mined:
        sifted = _sifted(engine, draft.ask, errand, now)
        recorded_at = record_time(draft, now)
        path = journal_of(recorded_at)
        lines = [proposal_of(one.line)._replace(recorded_at=recorded_at) for one in sifted.found[: errand.limit]]
        texts = [rendered(line) for line in lines]
        foreseen = foresee(engine.root, draft, path, texts)
        if texts:
            engine.append(draft, path, texts)
        return _mined(errand, sifted, foreseen, submitted=True)

    return engine.on_draft(work)


def _sifted(engine: Engine, ask: Ask, errand: Errand, now: Instant) -> _Sifted:
    """Part what the note states and the ledger does not hold into candidates and others."""
    config = read_config(engine.root)
    stated = _stated(engine, errand.path, attrs.evolve(config.extraction, mode="all"))
    own = {statement[3:] for statement in _stated(engine, errand.path, config.extraction).statements}
    fresh = differing(stated, Holdings.of(stored.sightings(ask, errand.path))).unrecorded
    if errand.lines is not None:
        first, last = errand.lines
        fresh = tuple(statement for statement in fresh if first <= statement.line <= last)
    known = _Known(ask, key(errand.scope), fresh)
    sifted = _Sifted([], Counter())
    for statement in fresh:
        line = as_read(_line(statement, stated.dated, errand))
        why = known.bars(statement, line, now)
        if why:
            sifted.others[why] += 1
        else:
            sifted.found.append(_Found(statement, line, statement[3:] in own))
    return sifted


class _Known:
    """What is on record, and what was proposed, of the slots of some statements."""

    def __init__(self, ask: Ask, scope_key: str, statements: Sequence[Statement]) -> None:
        self.rows = stored.rows_in(ask, {slot_of(statement) for statement in statements})
        self.barring = Barring(stored.of_scope(ask, scope_key) if statements else [])

    def bars(self, statement: Statement, line: Line, now: Instant) -> str:
        """Say why a statement is no candidate; empty where it is one."""
        if any(turns(text) for text in (line.subject, line.predicate, line.object, line.because) if text):
            return UNSOUND
        try:
            refuse_unsound(line, now)
        except Refused:
            return UNSOUND
        rows = self.rows.get(slot_of(statement), [])
        if any(_is_said(statement, event_of(row)) for row in alive(rows)):
            return ON_RECORD
        found = self.barring.of(proposal_event(line, now), rows)
        return found.status if found else ""


def _is_said(statement: Statement, claim: Event) -> bool:
    """Tell whether a claim says what a note states; of an undated statement any start is right."""
    return claim.object_key == statement.object_key and statement.valid_from in (None, claim.valid_from)


def _stated(engine: Engine, path: str, settings: Settings) -> Stated:
    """Read what a note states now, under these settings."""
    stamp = stamp_of(engine.root / path)
    read = read_note_file(engine.root, path, stamp, settings) if stamp else None
    if read is None or read.noted is None:
        raise Refused(f"{excerpt(path)} cannot be read any more.", "look at the file")
    return next(stated_of(read.noted.statements, [path]))


def _line(statement: Statement, dated: Instant | None, errand: Errand) -> Line:
    """Give the statement as a line to propose; the date of the whole note dates what has none."""
    return Line(
        FACT,
        statement.subject,
        statement.predicate,
        statement.object,
        dated if statement.valid_from is None else statement.valid_from,
        statement.valid_until,
        confidence=statement.confidence,
        source=CONCLUDED,
        scope=None if statement.scope_key == DEFAULT_SCOPE else statement.scope,
        many=statement.many,
        by=MINER if errand.by is None else errand.by,
        because=f"read in {statement.path}:{statement.line}",
    )


def _mined(errand: Errand, sifted: _Sifted, foreseen: Sequence[EventRow], *, submitted: bool = False) -> Mined:
    events = [event_of(row) for row in foreseen]
    ids = [event.event_id for event in events]
    shown = sifted.found[: errand.limit]
    return Mined(
        errand.path,
        errand.scope,
        tuple(_candidate(one, ids[at] if ids else None) for at, one in enumerate(shown)),
        len(sifted.found),
        sifted.others[ON_RECORD],
        sifted.others[PENDING],
        sifted.others[REJECTED],
        submitted,
        events[0].path if events else None,
        events[0].line if events else None,
    )


def _candidate(found: _Found, proposal_id: str | None) -> Candidate:
    statement, line, waits = found
    return Candidate(
        **{name: getattr(statement, name) for name in _AS_STATED},
        valid_from=_moment(line.valid_from),
        valid_until=_moment(line.valid_until),
        waits=waits,
        proposal_id=proposal_id,
    )


def _moment(instant: Instant | None) -> datetime | None:
    return None if instant is None else to_datetime(instant)
