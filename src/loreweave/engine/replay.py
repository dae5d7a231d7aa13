"""Replay: from the files of the vault to the index, whole or only where something changed."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from loreweave import __version__
from loreweave.engine.plan import READING, STEMMER, Plan
from loreweave.engine.reading import Reading, read_file, read_note_file
from loreweave.errors import Finding
from loreweave.events.model import COLUMNS, EventRow
from loreweave.projections.refold import Refold, refold
from loreweave.store.draft import Draft, Slot
from loreweave.store.sources import Source
from loreweave.times import Instant

if TYPE_CHECKING:
    import pyarrow as pa

FEW = 5_000
"""Rows and slots up to which a change is folded without Arrow."""

_ID, _SUBJECT, _RECORDED, _NOTE = map(COLUMNS.index, ("event_id", "subject_key", "recorded_at", "note"))
_SLOT = slice(COLUMNS.index("scope_key"), COLUMNS.index("predicate_key") + 1)


def replay_all(root: Path, index: Path, plan: Plan, processes: int | None = None) -> list[Source]:
    """Read every file, in one or two processes, and build the index anew; give what was read."""
    from concurrent.futures import ThreadPoolExecutor

    from loreweave.engine.noting import finish, scoped
    from loreweave.engine.sharing import read_all
    from loreweave.projections import beliefs, events, tables
    from loreweave.store import lost

    settings = plan.config.extraction
    with without_garbage_collection(), Draft.blank(index) as draft, ThreadPoolExecutor(1) as other:
        read = read_all(root, plan, processes)
        happened, repeats = events.arrange(read.lines)
        links = read.noted.pop("links")
        filled = other.submit(draft.fill, {"events": happened, "repeats": repeats, **read.noted})
        folded = beliefs.fold(happened)
        filled.result()
        del happened
        draft.fill(tables.of_fold(folded, [*scoped(plan.listed, settings), *read.findings]))
        draft.put_many("sources", read.sources)
        finish(draft, links, plan)
        lost.carry(draft, index)
        draft.note(READING, plan.config.reading_digest)
        draft.note(STEMMER, settings.stemmer)
        draft.seal(__version__)
        draft.swap()
        return read.sources


def replay_some(root: Path, draft: Draft, plan: Plan) -> list[Source]:
    """Read what changed and put the slots and notes it touches in a copy of the index; give the notes that changed."""
    from loreweave.engine.noting import replace_listed, replace_notes, replace_waiting

    known, settings = plan.known.sources, plan.config.extraction
    readings = [read_file(root, path, plan.record.stamps[path], known.get(path)) for path in plan.record.read]
    notes = [
        read_note_file(root, path, plan.notes.stamps[path], settings, None if plan.anew else known.get(path))
        for path in plan.notes.read
    ]
    draft.run("begin")
    changed = replace_listed(draft, plan.listed, settings) if plan.listing_changed or plan.anew else set()
    changed |= replace_notes(draft, notes, plan.notes.gone, settings)
    changed |= fold(draft, readings, plan.record.gone)
    replace_waiting(draft, changed)
    draft.replace_sources([reading.source for reading in notes], plan.notes.gone)
    draft.note(READING, plan.config.reading_digest)
    draft.note(STEMMER, settings.stemmer)
    draft.seal(__version__, None if plan.record.gone or _replaced(readings) else _last(draft, readings))
    draft.run("commit")
    return [reading.source for reading in notes if not reading.same]


def follow(draft: Draft, reading: Reading) -> None:
    """Put what was appended to one file of the record in the draft."""
    from loreweave.engine.noting import replace_waiting

    draft.run("begin")
    replace_waiting(draft, fold(draft, [reading]))
    draft.seal(__version__, None if _replaced([reading]) else _last(draft, [reading]))
    draft.run("commit")


def fold(draft: Draft, readings: Sequence[Reading], gone: Collection[str] = ()) -> set[str]:
    """Replace in the draft all that files of the record change; give the notes that they speak of, or spoke of."""
    from loreweave.store import lost
    from loreweave.store.noted import seen_in

    replaced = _replaced(readings) | set(gone)
    rows = [row for reading in readings for row in reading.rows]
    found = [finding for reading in readings for finding in reading.findings]
    notes = seen_in(draft, replaced) | {str(row[_NOTE]) for row in rows if row[_NOTE] is not None}
    seen = lost.lines_in(draft, replaced)
    rows, apart = (rows, []) if replaced else _parted(draft, rows)
    slots = draft.slots_in(replaced) | {slot_of(row) for row in rows}
    if len(rows) + len(slots) <= FEW:
        before = draft.rows_of(slots, without=replaced)
        made = refold(before + rows)
        if before or replaced:
            draft.clear(slots, replaced)
        put(draft, made, found)
    else:
        tables = _refold_many(draft, slots, replaced, rows, found)
        draft.clear(slots, replaced)
        draft.fill(tables)
    draft.put("events", apart)
    lost.keep(draft, seen)
    draft.replace_sources([reading.source for reading in readings], gone)
    return notes


def put(draft: Draft, made: Refold, found: Iterable[Finding]) -> None:
    """Add what a few slots fold to, and findings, to the draft."""
    for name in ("events", "repeats", "beliefs", "agreements", "conflicts"):
        draft.put(name, getattr(made, name))
    draft.put_findings([*found, *made.findings])


def slot_of(row: EventRow) -> Slot:
    """Give the slot of an event row."""
    return row[_SLOT]  # type: ignore[return-value]


def _parted(draft: Draft, rows: list[EventRow]) -> tuple[list[EventRow], list[EventRow]]:
    """Part off what is of no slot and new on record, as uses are: nothing else of its kind is changed by it."""
    apart = {str(row[_ID]): row for row in rows if row[_SUBJECT] is None}
    rest = [row for row in rows if row[_SUBJECT] is not None]
    if len(rest) + len(apart) < len(rows) or draft.known_ids(apart.keys()):
        return rows, []
    return rest, list(apart.values())


def _replaced(readings: Iterable[Reading]) -> set[str]:
    """Give the files that were read whole, and say something else than before."""
    return {reading.source.path for reading in readings if not (reading.tail or reading.same)}


def _last(draft: Draft, added: Iterable[Reading]) -> Instant | None:
    """Give the last record time where rows were added and none was taken away."""
    times = (draft.last_recorded(), *(row[_RECORDED] for reading in added for row in reading.rows))
    return max((time for time in times if isinstance(time, int)), default=None)


def _refold_many(
    draft: Draft, slots: set[Slot], replaced: set[str], rows: list[EventRow], found: list[Finding]
) -> dict[str, pa.Table]:
    import pyarrow as pa

    from loreweave.engine.sharing import in_columns
    from loreweave.projections import events, tables

    lines = [draft.lines_of(slots, without=replaced).cast(events.SCHEMA)]
    return tables.project_lines(pa.concat_tables([*lines, in_columns(rows)]), found)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Spare the collector's walks over millions of rows that hold no cycles."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
