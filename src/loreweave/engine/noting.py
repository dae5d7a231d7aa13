"""Notes in a draft of the index: those that changed are replaced, and what hangs on them is made again.

Links hang on the names of other notes, findings of the vault on all names and links, and what waits to be recorded
on what the ledger holds; each is made by the same pure function for a few notes and for all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import attrs

from loreweave.engine.plan import Plan, marks
from loreweave.engine.reading import NoteReading
from loreweave.errors import Finding
from loreweave.events.extract import scope_of
from loreweave.events.holdings import Holdings
from loreweave.events.observe import differing
from loreweave.events.slots import key
from loreweave.notes.model import Link
from loreweave.projections.faults import CODES_OF_LINKS, findings_of_links, findings_of_titles
from loreweave.projections.links import Directory
from loreweave.projections.notes import TABLES, nothing_noted, span_id, stated_of
from loreweave.store import noted as stored

if TYPE_CHECKING:
    import pyarrow as pa

    from loreweave.events.statements import Settings
    from loreweave.store.draft import Draft

Row = tuple[Any, ...]

_PATH, _LINE, _TARGET, _TARGET_PATH, _STYLE, _ALIAS, _BROKEN, _KEY = (*range(5), 6, 7, 10)
_OF_VAULT = (*CODES_OF_LINKS, "ambiguous-title")
"""The findings that hang on the names of all notes."""

AT_ONCE = 2_000
"""Notes that are compared with the ledger at once: enough to be quick, few enough to stay small."""


def replace_notes(draft: Draft, readings: Sequence[NoteReading], gone: Collection[str], settings: Settings) -> set[str]:
    """Put notes that were read in the place of what stood for them, with what hangs on them; give their paths."""
    noted = nothing_noted()
    read = [reading for reading in readings if not reading.same]
    for reading in read:
        if reading.noted is not None:
            noted.add(reading.noted)
    changed = {*(reading.source.path for reading in read), *gone}
    if not changed:
        return changed
    names = stored.touched(draft, changed) | {str(row[1]) for row in noted.names}
    links = [*noted.links, *stored.links_on(draft, names, changed)]
    stored.remove_links_on(draft, names, changed)
    stored.remove_notes(draft, TABLES, changed)
    stored.remove_findings(draft, changed)
    for name, rows in noted.tables():
        if name != "links":
            stored.add(draft, name, rows)
    draft.put_findings(finding for reading in read for finding in reading.findings)
    stored.add(draft, "links", resolved(links, _directory(draft, links, settings)))
    replace_findings_of_vault(draft, settings)
    return changed


def finish(draft: Draft, links: pa.Table, plan: Plan) -> None:
    """Make, in a draft that holds all notes but their links, what hangs on more than one note."""
    rows = list(zip(*(column.to_pylist() for column in links.columns), strict=True))
    settings = plan.config.extraction
    directory = Directory(stored.names(draft), stored.anchors(draft), _scope_keys(settings))
    draft.put_many("links", resolved(rows, directory))
    replace_findings_of_vault(draft, settings)
    stored.add(draft, "listed", sorted(marks(plan.listed)))
    replace_waiting(draft)


def replace_listed(draft: Draft, listed: Iterable[Finding], settings: Settings) -> set[str]:
    """Put the findings about files that cannot be taken in the place of those listed before.

    Give the notes of the ledger that could not be read then, or cannot be read now.
    """
    found = list(listed)
    before = stored.unread(draft)
    stored.remove_listed(draft)
    stored.add(draft, "listed", sorted(marks(found)))
    draft.put_findings(scoped(found, settings))
    return before ^ stored.unread(draft)


def resolved(links: Iterable[Row], directory: Directory) -> list[Row]:
    """Give the rows of links with what each leads to."""
    made = []
    for row in links:
        to = directory.resolve(row[_PATH], _link(row))
        where = (*row[_STYLE:_BROKEN], to.broken, to.resolved_by, to.reason or None)
        target_id = None if to.target_path is None else span_id(to.target_path)
        made.append((*row[:_TARGET_PATH], to.target_path, *where, *row[_KEY:-1], target_id))
    return made


def replace_findings_of_vault(draft: Draft, settings: Settings) -> None:
    """Make the findings that hang on the names of all notes, and on where links lead, anew."""
    faulty = stored.faulty_links(draft)
    of_links = findings_of_links(((row[_PATH], _link(row)) for row in faulty), _directory(draft, faulty, settings))
    stored.remove_codes(draft, _OF_VAULT)
    draft.put_findings([*scoped(of_links, settings), *findings_of_titles(stored.shared_titles(draft))])


def _link(row: Row) -> Link:
    return Link(row[_LINE], row[_TARGET], *row[_STYLE : _ALIAS + 1])


def scoped(found: Iterable[Finding], settings: Settings) -> list[Finding]:
    """Give findings about notes with the scope of their folders."""
    key_of = _scope_keys(settings)
    return [attrs.evolve(finding, scope_key=key_of(finding.path)) for finding in found]


def _scope_keys(settings: Settings) -> Callable[[str], str]:
    """Give what tells the key of the scope of a note."""
    return cache(lambda path: key(scope_of(path, settings)))


def replace_waiting(draft: Draft, notes: Collection[str] | None = None) -> None:
    """Make anew what waits to be recorded, and what the ledger holds of notes no longer, for these notes or all."""
    paths = sorted(notes if notes is not None else stored.speaking(draft))
    unread = stored.unread(draft)
    stored.remove(draft, ("unrecorded", "departed"), notes)
    for at in range(0, len(paths), AT_ONCE):
        _put_waiting(draft, paths[at : at + AT_ONCE], unread)


def _put_waiting(draft: Draft, paths: Sequence[str], unread: Collection[str]) -> None:
    """Compare some notes with the ledger; one that is there and cannot be read is not taken for one that is gone."""
    holdings = Holdings.of(stored.sightings(draft, paths))
    unrecorded: list[Row] = []
    departed: list[Row] = []
    for stated in stated_of(stored.statements(draft, paths), paths):
        found = differing(stated, holdings)
        unrecorded += ((*s[3:7], s.form, s.path, s.line, s.scope_key) for s in found.unrecorded)
        if stated.path not in unread:
            departed += ((stated.path, *gone) for gone in found.departed)
    stored.add(draft, "unrecorded", unrecorded)
    stored.add(draft, "departed", departed)


def _directory(draft: Draft, links: Iterable[Row], settings: Settings) -> Directory:
    """Give what links may lead to: the notes of the names they name, and the headings and blocks of these."""
    keys = {row[_KEY] for row in links}
    names = stored.names(draft, keys)
    own = {row[_PATH] for row in links}
    return Directory(names, stored.anchors(draft, {row[0] for row in names} | own), _scope_keys(settings))
