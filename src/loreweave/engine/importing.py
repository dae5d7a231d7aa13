"""Importing: many assertions at once, each held to what one would be, in one append or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave import clock
from loreweave.engine.asking import refuse_unsound, slot_of
from loreweave.engine.cells import REQUIRED, Columns, columns_of, fields_of
from loreweave.engine.replay import without_garbage_collection
from loreweave.engine.rowfiles import Row, Rows
from loreweave.engine.stating import Said, said, standing
from loreweave.engine.write import foresee, journal_of, record_time
from loreweave.errors import Refused
from loreweave.events.model import COLUMNS, EventRow, Line
from loreweave.events.render import as_read, render
from loreweave.events.rows import id_of, row_of
from loreweave.events.slots import key
from loreweave.notes.visible import reveal
from loreweave.times import Instant, show_day, show_instant, to_datetime
from loreweave.vault.config import read_config

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.store.draft import Draft, Slot

_SLOT, _START = slice(COLUMNS.index("scope_key"), COLUMNS.index("predicate_key") + 1), COLUMNS.index("valid_from")

LISTED = 20
"""Bad rows that are told one by one."""

PREVIEW = 3
"""Lines that a rehearsal shows."""


@attrs.frozen
class Imported:
    """What an import came to: rows read, written, and left out because they are on record already.

    ``dated`` of those written brought a record time of their own; all others have ``recorded_at``. ``lines`` are the
    first of those written, and ``unused`` the columns that hold no field.
    """

    rows: int
    written: int
    skipped: int
    dated: int
    recorded_at: datetime
    path: str
    first_line: int
    last_line: int
    lines: tuple[str, ...]
    unused: tuple[str, ...]
    dry_run: bool


@attrs.frozen
class Order:
    """What to import, which columns hold which fields, and what a row says that does not say it itself."""

    rows: Rows
    columns: Mapping[str, str]
    defaults: Mapping[str, object]
    dry: bool = False


class _Asked(NamedTuple):
    """A row, and the line it asks for; None where it cannot be read."""

    row: Row
    line: Line | None


class _Claim(NamedTuple):
    """A row made an event: its line with its record time, and whether that was its own."""

    row: Row
    line: Line
    event: EventRow
    is_dated: bool


def import_facts(engine: Engine, order: Order) -> Imported:
    """Append a line for every row to today's journal, all or none; raises Refused, listing the rows that are bad.

    Rows without a record time all get one and the same: the next of the vault's clock.
    """
    columns = columns_of(order.rows.columns, order.columns)
    now, many = clock.now(), read_config(engine.root).many
    seen = dict.fromkeys(order.rows.columns)

    with without_garbage_collection():
        asked = list(_asked(order, columns, many, seen))
        if seen:
            columns = columns_of(tuple(seen), order.columns)
        unused = tuple(str(column) for column in seen if column not in columns.values())
        made = engine.on_draft(lambda draft: _write(engine, draft, asked, now, dry=order.dry))
    return attrs.evolve(made, unused=unused)


def _write(engine: Engine, draft: Draft, asked: Sequence[_Asked], now: Instant, *, dry: bool) -> Imported:
    """Append the lines asked for that are not on record yet."""
    recorded_at = record_time(draft, now)
    path = journal_of(recorded_at)
    claims = _Composing(path, recorded_at, now).claims(asked)
    new = _unknown(draft, claims)
    texts = [render(claim.line) for claim in new]
    foreseen = foresee(engine.root, draft, path, texts)
    _refuse_misread(new, foreseen)
    if new and not dry:
        engine.append(draft, path, texts)
    return Imported(
        rows=len(asked),
        written=0 if dry else len(new),
        skipped=len(claims) - len(new),
        dated=sum(claim.is_dated for claim in new),
        recorded_at=to_datetime(recorded_at),
        path=path,
        first_line=int(str(foreseen[0][-1])) if foreseen else 0,
        last_line=int(str(foreseen[-1][-1])) if foreseen else 0,
        lines=tuple(texts[:PREVIEW]),
        unused=(),
        dry_run=dry,
    )


def _asked(order: Order, columns: Columns, many: frozenset[str], seen: dict[str, None]) -> Iterator[_Asked]:
    """Make lines of the rows; the cells are let go, and the columns they had are gathered in ``seen``."""
    for row in order.rows.rows:
        fault, line = row.fault, None
        if not order.rows.columns:
            seen.update(dict.fromkeys(row.cells))
        if not fault:
            try:
                line = _line({**order.defaults, **fields_of(row.cells, columns)}, many)
            except ValueError as wrong:
                fault = str(wrong)
        yield _Asked(Row(row.number, row.line, {}, fault), line)


def _line(fields: dict[str, object], many: frozenset[str]) -> Line:
    missing = [name for name in REQUIRED if name not in fields]
    if missing:
        raise ValueError(f"its {missing[0]} is empty")
    fields.setdefault("many", key(str(fields["predicate"])) in many)
    fields.setdefault("source", "stated")
    return as_read(Line("fact", **fields))  # type: ignore[arg-type]


class _Composing:
    """Makes claims of rows and gathers what is wrong with them."""

    def __init__(self, path: str, recorded_at: Instant, now: Instant) -> None:
        self.path, self.recorded_at, self.now = path, recorded_at, now
        self.faults: list[str] = []
        self.starts: dict[tuple[object, ...], _Claim] = {}

    def claims(self, asked: Sequence[_Asked]) -> list[_Claim]:
        """Give a claim for each row; raise Refused with the rows that cannot be one."""
        made = [claim for row, line in asked if (claim := self._claim(row, line)) is not None]
        if self.faults:
            shown = self.faults[:LISTED]
            left = len(self.faults) - len(shown)
            if left:
                shown.append(f"and {left:,} more")
            told = f"{len(self.faults):,} of {len(asked):,} rows cannot be imported, so nothing was written:"
            raise Refused("\n  ".join([told, *shown]), "correct these rows, and import the file again")
        return made

    def _claim(self, row: Row, line: Line | None) -> _Claim | None:
        fault = row.fault
        if line is not None:
            try:
                return self._sound(row, line)
            except (ValueError, Refused) as wrong:
                fault = str(wrong).rstrip(".")
        place = f"row {row.number:,}" + (f" (line {row.line:,})" if row.line else "")
        self.faults.append(f"{place}: {fault}")
        return None

    def _sound(self, row: Row, line: Line) -> _Claim:
        own = line.recorded_at
        instant = self.recorded_at if own is None else own
        if own is not None and own > self.now:
            raise ValueError(f'the record time "{show_day(own)}" is later than now, {show_instant(self.now)}')
        refuse_unsound(line, instant)
        event = row_of(line, instant, self.path, row.number, id_of(line, instant))
        claim = _Claim(row, line._replace(recorded_at=instant) if own is None else line, event, own is not None)
        if not line.many:
            other = self.starts.setdefault((event[_SLOT], event[_START], instant, line.by), claim)
            if other.event[0] != event[0]:
                raise ValueError(f"it contradicts row {other.row.number:,}: another value from the same start")
        return claim


def _unknown(draft: Draft, claims: Iterable[_Claim]) -> list[_Claim]:
    """Leave out what the record says already, and what an earlier row says."""
    first: dict[str, _Claim] = {}
    for claim in claims:
        first.setdefault(str(claim.event[0]), claim)
    recorded = draft.known_ids([event_id for event_id, claim in first.items() if claim.is_dated])
    undated = [claim for claim in first.values() if not claim.is_dated and claim.line.valid_from is not None]
    stand = _standing(draft, {slot_of(claim.line) for claim in undated})
    return [
        claim
        for event_id, claim in first.items()
        if event_id not in recorded and (claim.is_dated or said(claim.event) not in stand.get(slot_of(claim.line), ()))
    ]


def _standing(draft: Draft, slots: set[Slot]) -> dict[Slot, set[Said]]:
    """Give what the alive claims of some slots say."""
    by_slot: dict[Slot, list[EventRow]] = {}
    for row in draft.rows_of(slots) if slots else ():
        by_slot.setdefault(row[_SLOT], []).append(row)  # type: ignore[arg-type]
    return {slot: set(standing(rows)) for slot, rows in by_slot.items()}


def _refuse_misread(claims: Sequence[_Claim], foreseen: Sequence[EventRow]) -> None:
    for claim, event in zip(claims, foreseen, strict=True):
        if claim.event[0] != event[0]:
            told = f"Row {claim.row.number:,} would be read as {reveal(str(event[3:6]))} once it is written."
            raise Refused(told, "report this line: every text should come back as it was written")
