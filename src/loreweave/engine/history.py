"""Indexing from history: the observer run on each commit of the vault's repository, as if it had stood by.

Each commit is a run of its own: its record time is when it was committed, its lines end with one that names it, and
they are appended whole. So a walk that was cut short is gone on with. What shapes the values is set now, not then: an
old commit is read with the present settings.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from loreweave import clock
from loreweave.engine.observing import ledger_file, ledger_lines, refuse_lost
from loreweave.engine.write import foresee, rendered
from loreweave.errors import Refused
from loreweave.events.extract import extract
from loreweave.events.holdings import Holdings
from loreweave.events.model import COLUMNS, Line
from loreweave.events.observe import observe
from loreweave.events.rows import id_of, row_of
from loreweave.events.statements import Stated
from loreweave.notes.read import read_note
from loreweave.store import noted as stored
from loreweave.times import DAY, Instant, show_instant, to_datetime
from loreweave.vault.append import append_lines
from loreweave.vault.config import Config, read_config
from loreweave.vault.git import objects
from loreweave.vault.history import Commit, Tree, changes, commits, files_at
from loreweave.vault.read import decode, no_text
from loreweave.vault.root import LEDGER, note_names

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.events.model import EventRow
    from loreweave.events.observe import Observed
    from loreweave.store.draft import Draft

SHOWN = 12
"""Digits of a commit's hash that tell it from all others: a fixed number, so that every clone writes the same line."""

BY = "git:"

_WALKED = (
    "select object, epoch_us(recorded_at) from events where kind = 'CommitWalked' order by recorded_at, path, line"
)
_RECORDED, _BY, _NOTE = map(COLUMNS.index, ("recorded_at", "recorded_by", "note"))


@attrs.frozen
class Walked:
    """What a walk came to: commits read, values observed and withdrawn, and the record times of the first and last.

    ``raised`` of the commits bear a time that is not after the last record time before: it was raised to 1 µs after it.
    ``elsewhere`` names the machine that observes this vault, where it is another: then nothing was walked.
    """

    commits: int = 0
    observed: int = 0
    withdrawn: int = 0
    raised: int = 0
    first: datetime | None = None
    last: datetime | None = None
    elsewhere: str | None = None


def index_history(engine: Engine, *, start_over: bool = False) -> Walked:
    """Record what the notes stated at each commit not walked yet; then bring the index up to date.

    Raises Refused where the ledger has observations of its own, or where the history is not the one walked so far;
    VaultError where there is none.
    """
    config = read_config(engine.root)
    if config.machine and config.machine != os.uname().nodename:
        engine.refresh()
        return Walked(elsewhere=config.machine)
    walked = engine.on_fresh_draft(lambda draft, _: _walk(engine.root, draft, config, start_over=start_over))
    engine.refresh()
    return walked


def _walk(root: Path, draft: Draft, config: Config, *, start_over: bool) -> Walked:
    refuse_lost(root, draft, start_over=start_over)
    seen, before = stored.sightings(draft), draft.ask(_WALKED)
    _refuse_kept(seen, walked=bool(before))
    listed = commits(root, [name for name, _ in before])
    _refuse_ahead(listed, clock.now())
    walk = _Walk(root, config, seen, _Ledger(draft))
    walk.last = max([walk.last, *(recorded_at for _, recorded_at in before)])
    for path, runs in groupby(walk.runs(listed), itemgetter(0)):
        texts = [text for _, lines in runs for text in lines]
        foresee(root, draft, path, texts)
        append_lines(root, path, texts)
    draft.swap()
    return walk.told


def _refuse_kept(seen: Iterable[EventRow], *, walked: bool) -> None:
    """Raise Refused where the ledger holds what no walk left: nothing is recorded behind the engine's back."""
    own = next((row for row in seen if not (walked and str(row[_BY]).startswith(BY))), None)
    if own is not None:
        told = (
            f"The ledger has observations already that no walk left ({own[-2]}:{own[-1]}); nothing is put before them."
        )
        raise Refused(told, "record what the notes say now with `lore index`")


def _refuse_ahead(listed: Iterable[Commit], now: Instant) -> None:
    """Raise Refused for a commit that claims to be made more than a day from now: all that follows would follow it."""
    for commit in listed:
        if commit.committed_at - now > DAY:
            claimed = show_instant(commit.committed_at)
            told = f"The commit {commit.hash[:SHOWN]} says it was made at {claimed}, more than a day ahead of now, "
            raise Refused(f"{told}{show_instant(now)}.", "record what the notes say now with `lore index`")


class _Ledger:
    """The files of the ledger: which one a run goes to, and at which line."""

    def __init__(self, draft: Draft) -> None:
        self._days: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for path, lines in ledger_lines(draft).items():
            self._days[path[len(LEDGER) + 1 :][:10]][path] = lines

    def place(self, recorded_at: Instant, count: int) -> tuple[str, int]:
        """Give the file for a run of so many lines, and the number of its first line there."""
        lines = self._days[show_instant(recorded_at)[:10]]
        path = ledger_file(lines, recorded_at)
        above = lines.get(path, 0)
        lines[path] = above + count
        return path, above + 1


class _Walk:
    """Goes from commit to commit: holds what the ledger holds after each, and counts."""

    def __init__(self, root: Path, config: Config, seen: Sequence[EventRow], ledger: _Ledger) -> None:
        self._root, self._config, self._ledger = root, config, ledger
        self._holdings = Holdings.of(seen)
        self._titles: dict[str, str] = {}
        self._noted = {str(row[_NOTE]) for row in seen}
        self.last = max((int(str(row[_RECORDED])) for row in seen), default=-1)
        self.told = Walked()

    def runs(self, listed: Sequence[Commit]) -> Iterator[tuple[str, list[str]]]:
        """Give for each commit that touched a note the file of the ledger, and the lines that go there.

        The first is read whole: since the one before it was walked, settings may have changed.
        """
        tree = Tree(note_names(self._root, self._config))
        gone = dict.fromkeys(self._noted, "")
        with objects(self._root) as content:
            for commit, changed in changes(self._root, listed):
                if tree.is_touched(changed):
                    turned = tree.turn(changed if self.told.commits else files_at(self._root, commit))
                    looked_at = [self._stated(*note, content) for note in (gone | turned).items()]
                    yield self._run(commit, [stated for stated in looked_at if stated is not None])
                    gone = {}

    def _stated(self, path: str, name: str, content: Callable[[str], bytes]) -> Stated | None:
        """Give what a note stated in a commit, nothing where it was gone; None where its bytes are no text."""
        if not name:
            return Stated(path, "", None)
        held = content(name)
        if no_text(path, held):
            return None
        text, _ = decode(path, held)
        return extract(read_note(path, text), self._config.extraction).stated

    def _run(self, commit: Commit, stated: Sequence[Stated]) -> tuple[str, list[str]]:
        recorded_at = max(commit.committed_at, self.last + 1)
        self._titles.update((one.path, one.title_key) for one in stated)
        seen = observe(stated, self._holdings, recorded_at, f"{BY}{commit.hash[:SHOWN]}", self._titles)
        lines = [*seen.lines, Line("walked", object=commit.hash, recorded_at=recorded_at)]
        path, first = self._ledger.place(recorded_at, len(lines))
        self._holdings.take(
            row_of(line, recorded_at, path, number, id_of(line, recorded_at))
            for number, line in enumerate(seen.lines, first)
        )
        self._count(seen, commit, recorded_at)
        return path, [rendered(line) for line in lines]

    def _count(self, seen: Observed, commit: Commit, recorded_at: Instant) -> None:
        self.last, told = recorded_at, self.told
        self.told = attrs.evolve(
            told,
            commits=told.commits + 1,
            observed=told.observed + seen.observed,
            withdrawn=told.withdrawn + seen.withdrawn,
            raised=told.raised + (recorded_at > commit.committed_at),
            first=told.first or to_datetime(recorded_at),
            last=to_datetime(recorded_at),
        )
