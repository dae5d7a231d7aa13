"""Importing: many assertions at once, each held to what one would be, in one append or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import attrs

from loreweave import clock
from loreweave.engine.asking import refuse_unsound, slot_of
from loreweave.engine.cells import Columns, columns_of, fields_of
from loreweave.engine.rowfiles import Row, Rows
from loreweave.engine.stating import Said, said, standing
from loreweave.engine.write import foresee, journal_of, record_time
from loreweave.errors import Refused
from loreweave.events.model import EventRow, Line
from loreweave.events.render import as_read, render
from loreweave.events.rows import id_of, row_of
from loreweave.events.slots import key, reveal
from loreweave.times import Instant, show_day, show_instant, to_datetime
from loreweave.vault.config import read_config

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.store.draft import Draft, Slot

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


class _Claim(NamedTuple):
    row: Row
    line: Line
    event: EventRow
    is_dated: bool


def import_facts(engine: Engine, order: Order) -> Imported:
    """Append a line for every row to today's journal, all or none; raises Refused, listing the rows that are bad.

    Rows without a record time all get one and the same: the next of the vault's clock.
    """
    columns = columns_of(order.rows.columns, order.columns)
    many = read_config(engine.root).many
    now = clock.now()
    rows = list(order.rows.rows)

    def work(draft: Draft) -> Imported:
        recorded_at = record_time(draft, now)
        path = journal_of(recorded_at)
        claims = _Composing(order.defaults, columns, many, path).claims(rows, recorded_at, now)
        new = _unknown(draft, claims)
        texts = [render(claim.line) for claim in new]
        foreseen = foresee(engine.root, draft, path, texts)
        _refuse_misread(new, foreseen)
        if new and not order.dry:
            engine.append(draft, path, texts)
        return Imported(
            rows=len(rows),
            written=0 if order.dry else len(new),
            skipped=len(claims) - len(new),
            dated=sum(claim.is_dated for claim in new),
            recorded_at=to_datetime(recorded_at),
            path=path,
            first_line=int(str(foreseen[0][-1])) if foreseen else 0,
            last_line=int(str(foreseen[-1][-1])) if foreseen else 0,
            lines=tuple(texts[:PREVIEW]),
            unused=tuple(column for column in order.rows.columns if column not in columns.values()),
            dry_run=order.dry,
        )

    return engine.on_draft(work)


class _Composing:
    """Makes claims of rows and gathers what is wrong with them."""

    def __init__(self, defaults: Mapping[str, object], columns: Columns, many: frozenset[str], path: str) -> None:
        self.defaults, self.columns, self.many, self.path = defaults, columns, many, path
        self.faults: list[str] = []
        self.starts: dict[tuple[object, ...], _Claim] = {}

    def claims(self, rows: Sequence[Row], recorded_at: Instant, now: Instant) -> list[_Claim]:
        """Give a claim for each row; raise Refused with the rows that cannot be one."""
        made = [claim for row in rows if (claim := self._claim(row, recorded_at, now)) is not None]
        if self.faults:
            shown = self.faults[:LISTED]
            left = len(self.faults) - len(shown)
            if left:
                shown.append(f"and {left:,} more")
            told = f"{len(self.faults):,} of {len(rows):,} rows cannot be imported, so nothing was written:"
            raise Refused("\n  ".join([told, *shown]), "correct these rows, and import the file again")
        return made

    def _claim(self, row: Row, recorded_at: Instant, now: Instant) -> _Claim | None:
        try:
            if row.fault:
                raise ValueError(row.fault)
            fields = {**self.defaults, **fields_of(row.cells, self.columns)}
            line = as_read(_line(fields, self.many))
            claim = self._sound(row, line, recorded_at, now)
        except (ValueError, Refused) as wrong:
            place = f"row {row.number:,}" + (f" (line {row.line:,})" if row.line else "")
            self.faults.append(f"{place}: {str(wrong).rstrip('.')}")
            return None
        return claim

    def _sound(self, row: Row, line: Line, recorded_at: Instant, now: Instant) -> _Claim:
        instant = recorded_at if line.recorded_at is None else line.recorded_at
        if line.recorded_at is not None and instant > now:
            raise ValueError(f'the record time "{show_day(instant)}" is later than now, {show_instant(now)}')
        refuse_unsound(line, instant)
        event = row_of(line, instant, self.path, row.number, id_of(line, instant))
        claim = _Claim(row, line._replace(recorded_at=instant), event, line.recorded_at is not None)
        if not line.many:
            start = (*slot_of(line), event[10], instant, line.by)
            other = self.starts.setdefault(start, claim)
            if other.event[0] != event[0]:
                raise ValueError(f"it contradicts row {other.row.number:,}: another value from the same start")
        return claim


def _line(fields: dict[str, object], many: frozenset[str]) -> Line:
    missing = [name for name in ("subject", "predicate", "object") if name not in fields]
    if missing:
        raise ValueError(f"its {missing[0]} is empty")
    fields.setdefault("many", key(str(fields["predicate"])) in many)
    fields.setdefault("source", "stated")
    return Line("fact", "", "")._replace(**fields)  # type: ignore[arg-type]


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
        if event_id not in recorded
        and (claim.is_dated or said(claim.event) not in stand.get(slot_of(claim.line), ()))
    ]


def _standing(draft: Draft, slots: set[Slot]) -> dict[Slot, set[Said]]:
    """Give what the alive claims of some slots say."""
    by_slot: dict[Slot, list[EventRow]] = {}
    for row in draft.rows_of(slots) if slots else ():
        by_slot.setdefault(row[6:9], []).append(row)  # type: ignore[arg-type]
    return {slot: set(standing(rows)) for slot, rows in by_slot.items()}


def _refuse_misread(claims: Sequence[_Claim], foreseen: Sequence[EventRow]) -> None:
    for claim, event in zip(claims, foreseen, strict=True):
        if claim.event[0] != event[0]:
            told = f"Row {claim.row.number:,} would be read as {reveal(str(event[3:6]))} once it is written."
            raise Refused(told, "report this line: every text should come back as it was written")
