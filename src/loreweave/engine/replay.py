"""Replay: from the files of the record to the index, whole or only where something changed."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from loreweave import __version__
from loreweave.engine.plan import Plan
from loreweave.engine.reading import Reading, read_file
from loreweave.errors import Finding
from loreweave.events.model import COLUMNS, EventRow
from loreweave.projections.refold import Refold, refold
from loreweave.store.draft import Draft, Slot
from loreweave.times import Instant

if TYPE_CHECKING:
    import pyarrow as pa

FEW = 5_000
"""Rows and slots up to which a change is folded without Arrow."""

_RECORDED = COLUMNS.index("recorded_at")
_SLOT = slice(COLUMNS.index("scope_key"), COLUMNS.index("predicate_key") + 1)


def replay_all(root: Path, index: Path, plan: Plan, processes: int | None = None) -> None:
    """Read every file, in one or two processes, and build the index anew."""
    from concurrent.futures import ThreadPoolExecutor

    from loreweave.engine.sharing import read_all
    from loreweave.projections import beliefs, events, tables

    with without_garbage_collection(), Draft.blank(index) as draft, ThreadPoolExecutor(1) as other:
        lines, sources, found = read_all(root, plan.stamps, processes)
        happened, repeats = events.arrange(lines)
        del lines
        stored = other.submit(draft.fill, {"events": happened, "repeats": repeats})
        folded = beliefs.fold(happened)
        stored.result()
        del happened
        draft.fill(tables.of_fold(folded, [*plan.barred, *found]))
        draft.put("sources", sources)
        draft.seal(__version__)
        draft.swap()


def replay_some(root: Path, draft: Draft, plan: Plan) -> None:
    """Read what changed and put the slots it touches in a copy of the index."""
    readings = [read_file(root, path, plan.stamps[path], plan.known.get(path)) for path in plan.read]
    apply(draft, readings, plan.gone, plan.barred)


def apply(draft: Draft, readings: list[Reading], gone: tuple[str, ...] = (), barred: tuple[Finding, ...] = ()) -> None:
    """Replace in the draft all that these readings change, and write down what it is made from."""
    read = [reading for reading in readings if not reading.same]
    replaced = {reading.source.path for reading in read if not reading.tail} | set(gone)
    rows = [row for reading in read for row in reading.rows]
    found = [finding for reading in read for finding in reading.findings] + list(barred)
    slots = draft.slots_in(replaced) | {slot_of(row) for row in rows}
    few = len(rows) + len(slots) <= FEW
    draft.run("begin")
    if few:
        made = refold(draft.rows_of(slots, without=replaced) + rows)
        draft.clear(slots, replaced)
        put(draft, made, found)
    else:
        tables = _refold_many(draft, slots, replaced, rows, found)
        draft.clear(slots, replaced)
        draft.fill(tables)
    draft.replace_sources([reading.source for reading in readings], gone)
    draft.seal(__version__, None if replaced else _last(draft, rows))
    draft.run("commit")


def _last(draft: Draft, added: Iterable[EventRow]) -> Instant | None:
    """Give the last record time where rows were added and none was taken away."""
    times = (draft.last_recorded(), *(row[_RECORDED] for row in added))
    return max((time for time in times if isinstance(time, int)), default=None)


def put(draft: Draft, made: Refold, found: Iterable[Finding]) -> None:
    """Add what a few slots fold to, and findings, to the draft."""
    for name in ("events", "repeats", "beliefs", "agreements", "conflicts"):
        draft.put(name, getattr(made, name))
    draft.put("findings", [_finding_row(finding) for finding in (*found, *made.findings)])


def slot_of(row: EventRow) -> Slot:
    """Give the slot of an event row."""
    return row[_SLOT]  # type: ignore[return-value]


def _refold_many(
    draft: Draft, slots: set[Slot], replaced: set[str], rows: list[EventRow], found: list[Finding]
) -> dict[str, pa.Table]:
    import pyarrow as pa

    from loreweave.engine.sharing import in_columns
    from loreweave.projections import events, tables

    lines = [draft.lines_of(slots, without=replaced).cast(events.SCHEMA)]
    return tables.project_lines(pa.concat_tables([*lines, in_columns(rows)]), found)


def _finding_row(finding: Finding) -> tuple[object, ...]:
    return (
        *(finding.code, finding.severity, finding.message, finding.hint),
        *(finding.path, finding.line, finding.column, finding.scope_key),
    )


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
