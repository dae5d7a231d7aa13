"""Observing: what notes state now, against what the ledger holds, appended to the ledger as one run.

A run is one record instant, one file and one append, whole or refused. Then the index follows, as after any write.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.engine.examining import rows_at
from loreweave.engine.plan import Notes, Refreshed, refreshed
from loreweave.engine.replay import without_garbage_collection
from loreweave.engine.write import foresee, record_time, rendered
from loreweave.errors import Finding, Refused
from loreweave.events.holdings import Holdings
from loreweave.events.model import COLUMNS
from loreweave.events.observe import Renamed, observe
from loreweave.notes.visible import as_name
from loreweave.projections.notes import stated_of
from loreweave.store import lost
from loreweave.store import noted as stored
from loreweave.times import Instant, show_instant, to_datetime
from loreweave.vault.config import read_config
from loreweave.vault.git import head, lacks_lines
from loreweave.vault.root import LEDGER

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.events.model import Line
    from loreweave.store.draft import Draft

FULL = 2_000
"""Lines from which a file of the ledger is followed by another."""

PLACES = 3

_NOTE = COLUMNS.index("note")


@attrs.frozen
class Indexed:
    """What indexing came to: notes by what became of them, values observed and withdrawn, and where they were written.

    ``renamed`` tells of notes whose title is another; ``refused`` of values that cannot be recorded. ``elsewhere``
    names the machine that observes this vault, where it is another: then nothing was observed.
    """

    notes: Notes
    observed: int
    withdrawn: int
    path: str | None
    recorded_at: datetime | None
    renamed: tuple[Renamed, ...]
    refused: tuple[Finding, ...]
    elsewhere: str | None = None


def index(engine: Engine, *, whole: bool = False, start_over: bool = False) -> Indexed:
    """Record what notes state now, and what no longer; the index follows. ``start_over`` lets lost lines go."""
    machine = read_config(engine.root).machine
    if machine and machine != os.uname().nodename:
        return _untouched(engine.refresh(whole=whole), elsewhere=machine)
    made = engine.refresh(whole=True) if whole else None
    found = engine.plan()
    if found is not None and found.is_empty and not start_over and not _waits(engine):
        return _untouched(made or refreshed(found))
    with without_garbage_collection():
        return engine.on_fresh_draft(lambda draft, fresh: _observe(engine, draft, made or fresh, start_over), found)


def ledger_lines(draft: Draft) -> dict[str, int]:
    """Give the number of lines of each file of the ledger."""
    return dict(draft.ask("select path, lines from sources where starts_with(path, ?)", [f"{LEDGER}/"]))


def ledger_file(lines: Mapping[str, int], recorded_at: Instant) -> str:
    """Give the file of the ledger for a run at an instant: the day's last, or the next one where that is full."""
    stem = f"{LEDGER}/{show_instant(recorded_at)[:10]}-"
    names = ((path[len(stem) : -3], count) for path, count in lines.items() if path.startswith(stem))
    numbered = {int(name): count for name, count in names if name.isdecimal()}
    last = max(numbered, default=0)
    number = last + 1 if not last or numbered[last] >= FULL else last
    return f"{stem}{number:04}.md"


def append(engine: Engine, draft: Draft, lines: Sequence[Line], recorded_at: Instant) -> str:
    """Append the lines of one run to the ledger and swap the draft in; give the file."""
    path = ledger_file(ledger_lines(draft), recorded_at)
    texts = [rendered(line) for line in lines]
    foresee(engine.root, draft, path, texts)
    engine.append(draft, path, texts)
    return path


def _observe(engine: Engine, draft: Draft, made: Refreshed, start_over: bool) -> Indexed:
    refuse_lost(engine.root, draft, start_over=start_over)
    notes = stored.waiting(draft)
    if not notes:
        draft.swap()
        return _untouched(made)
    recorded_at = record_time(draft, clock.now())
    sightings = stored.sightings_around(draft, notes)
    titles = stored.titles(draft, {str(row[_NOTE]) for row in sightings})
    stated = stated_of(stored.statements(draft, notes), notes)
    seen = observe(stated, Holdings.of(sightings), recorded_at, titles=titles)
    path = append(engine, draft, seen.lines, recorded_at) if seen.lines else None
    if path is None:
        draft.swap()
    return Indexed(
        made.notes,
        seen.observed,
        seen.withdrawn,
        path,
        None if path is None else to_datetime(recorded_at),
        seen.renamed,
        seen.refused,
    )


def refuse_lost(root: Path, draft: Draft, *, start_over: bool) -> None:
    """Raise Refused where lines of the ledger are lost, unless they are let go."""
    if start_over:
        lost.forget(draft, head(root))
        return
    places = sorted({*lost.places(draft), *_lost_since_commit(root, draft)})
    if places:
        shown = ", ".join(as_name(f"{path}:{line}") for path, line in places[:PLACES])
        more = f" and {len(places) - PLACES:,} more" if len(places) > PLACES else ""
        raise Refused(
            f"The ledger has lost lines that it had: {shown}{more}. Without them, values would get later record times.",
            "restore lore/ledger, from git or a backup, or run `lore index --start-over` to go on without them",
        )


def _lost_since_commit(root: Path, draft: Draft) -> list[tuple[str, int]]:
    """Give the lines of the ledger that the commit checked out has and no file has, unless they were let go."""
    if not lacks_lines(root, LEDGER) or lost.is_let_go(draft, head(root)):
        return []
    committed = [(row[0], row[-2], row[-1]) for row in rows_at(root, "HEAD") if str(row[-2]).startswith(f"{LEDGER}/")]
    there = draft.known_ids([str(event_id) for event_id, _, _ in committed])
    return [(str(path), int(str(line))) for event_id, path, line in committed if event_id not in there]


def _waits(engine: Engine) -> bool:
    """Tell whether anything waits to be recorded, or lines of the ledger are lost."""
    with engine.session() as session:
        sql = "select exists(from unrecorded) or exists(from departed) or exists(from lost)"
        row = session.ask(sql).fetchone()
    return row is None or bool(row[0]) or lacks_lines(engine.root, LEDGER)


def _untouched(made: Refreshed, elsewhere: str | None = None) -> Indexed:
    return Indexed(made.notes, 0, 0, None, None, (), (), elsewhere)
