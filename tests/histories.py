"""Histories: small journals and ledgers in which ties, touching ends and repeated lines are common.

A line is written first and placed in a file; its event follows from it by the rules of reading, so
that one history can be folded as events and read again as text.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import attrs
from hypothesis import strategies as st

from loreweave.errors import Finding
from loreweave.events.model import DEFAULT_SCOPE, KINDS, LEDGER_KINDS, Event, Line, event_of
from loreweave.events.read import read_record
from loreweave.events.render import render
from loreweave.events.slots import key, object_key
from loreweave.times import DAY, Instant, read_instant

FIRST = read_instant("2024-01-01")
DAYS = 6
JOURNALS = ("lore/journal/2024-01-01.md", "lore/journal/2024-01-02.md")
LEDGERS = ("lore/ledger/2024-01-01-0001.md", "lore/ledger/2024-01-01-0002.md")
NOTES = ("atlas.md", "vendor.md")
OBJECTS = ("red", "Red", "green", "blue")
SLOTS = ((None, "Atlas", "colour"), (None, "Vendor", "colour"), ("lab", "Atlas", "colour"))
CLAIMS = ("fact", "observed")
ACTS = ("invalidate", "retract", "withdrawn")


def day(number: int) -> Instant:
    """The midnight that begins a day of the grid; day 1 is the first of January 2024."""
    return FIRST + (number - 1) * DAY


GRID = [day(n) + step for n in range(1, DAYS + 2) for step in (-1, 0, 1)]
"""Every instant a history names, and one microsecond either side."""


@attrs.frozen
class Placed:
    """A line in its file; numbers count from 1."""

    line: Line
    path: str
    number: int

    def __repr__(self) -> str:
        """Only what was written, so that a failing history can be read."""
        said = {name: value for name, value in self.line._asdict().items() if value not in (None, False)}
        times = {name: f"day {(at - day(0)) / DAY:g}" for name, at in said.items() if name in _TIMES}
        return f"{self.path}:{self.number} {said | times}"

    def _repr_pretty_(self, printer: Any, _cycle: bool) -> None:
        printer.text(repr(self))

    @property
    def event(self) -> Event:
        return event_of_line(self.line, self.path, self.number)


def event_of_line(line: Line, path: str, number: int) -> Event:
    """The event of a line that carries its record time, as reading makes it."""
    written, line = line, _resolved(line)
    return KINDS[line.kind](
        event_id=hashlib.sha256(repr(written).encode()).hexdigest()[:32],
        kind=KINDS[line.kind].__name__,
        scope=line.scope or DEFAULT_SCOPE,
        scope_key=key(line.scope or DEFAULT_SCOPE),
        subject_key=key(line.subject),
        predicate_key=key(line.predicate),
        object_key=None if line.object is None else object_key(line.object),
        recorded_by=line.by,
        detail=line.proposal,
        path=path,
        line=number,
        **{name: getattr(line, name) for name in _AS_WRITTEN},
    )


_TIMES = ("valid_from", "valid_until", "recorded_at")
_AS_WRITTEN = (
    "subject predicate object valid_from valid_until recorded_at source confidence many because episode note".split()
)


def _resolved(line: Line) -> Line:
    if line.kind == "fact":
        line = line._replace(source=line.source or "stated", confidence=_or(line.confidence, 1.0))
    if line.kind == "observed":
        line = line._replace(source="extracted", confidence=_or(line.confidence, 0.9))
    if line.kind in CLAIMS:
        return line._replace(valid_from=_or(line.valid_from, line.recorded_at))
    if line.kind == "invalidate":
        return line._replace(valid_until=_or(line.valid_until, line.recorded_at))
    return line


def _or(written: Any, default: Any) -> Any:
    return default if written is None else written


def place(lines: list[Line]) -> list[Placed]:
    """Lines in the order given, the journal's in one journal file and the ledger's in one ledger file."""
    files = {True: LEDGERS[0], False: JOURNALS[0]}
    return [Placed(line, files[line.kind in LEDGER_KINDS], n) for n, line in enumerate(lines, 1)]


def events_of(history: list[Placed]) -> list[Event]:
    return [placed.event for placed in history]


def files_of(history: list[Placed]) -> dict[str, list[str]]:
    """The text of each file, line by line: every line at its number, blank lines between."""
    files: dict[str, list[str]] = {}
    for placed in history:
        lines = files.setdefault(placed.path, [])
        lines.extend([""] * (placed.number - len(lines)))
        lines[placed.number - 1] = render(placed.line)
    return files


def read_files(files: dict[str, list[str]]) -> tuple[list[Event], list[Finding]]:
    """The events and findings that reading these files gives."""
    records = [read_record(path, "".join(f"{line}\n" for line in lines)) for path, lines in files.items()]
    rows = [event_of(row) for record in records for row in record.rows]
    return rows, [finding for record in records for finding in record.findings]


# Strategies ----------------------------------------------------------------------------------------------


@attrs.frozen
class Kind:
    """What a history may hold: kinds of line, cardinality, slots, and whether ends may be given."""

    kinds: tuple[str, ...] = CLAIMS + CLAIMS + ACTS
    many: tuple[bool, ...] = (False, False, True)
    sources: tuple[str | None, ...] = (None, None, "inferred", "extracted")
    slots: int = 3
    bounded: bool = True
    days: int = DAYS
    objects: tuple[str, ...] = OBJECTS

    @property
    def narrowed(self) -> list[Kind]:
        """The same on fewer days or with fewer objects, so that more lines meet."""
        fewer = [attrs.evolve(self, days=days, objects=OBJECTS[:n]) for days in (2, 3, DAYS) for n in (2, 4)]
        return fewer + [attrs.evolve(kind, many=self.many[:1]) for kind in fewer]


ANYTHING = Kind()
SINGLE = Kind(many=(False,))
MANY = Kind(many=(True,))
OPEN_AND_STATED = Kind(kinds=("fact",), many=(False,), sources=(None,), slots=1, bounded=False)
NOTED = Kind(kinds=("observed", "observed", "withdrawn"))

instants = st.integers(1, DAYS).map(day)


def instants_of(kind: Kind) -> st.SearchStrategy[Instant]:
    return st.integers(1, kind.days).map(day)


@st.composite
def claims(draw: st.DrawFn, word: str, kind: Kind) -> Line:
    """A fact or an observation of some value; its slot is given later."""
    recorded = draw(instants_of(kind))
    start = draw(st.none() | instants_of(kind))
    begins = recorded if start is None else start
    ends = [day(n) for n in range(1, kind.days + 2) if day(n) > begins] if kind.bounded else []
    until = draw(st.sampled_from([None, None, *ends]))
    line = Line(
        word, object=draw(st.sampled_from(kind.objects)), valid_from=start, valid_until=until, recorded_at=recorded
    )
    line = line._replace(many=draw(st.sampled_from(kind.many)))
    if word == "observed":
        return line._replace(note=draw(st.sampled_from(NOTES)))
    return line._replace(source=draw(st.sampled_from(kind.sources)))


@st.composite
def acts(draw: st.DrawFn, word: str, kind: Kind) -> Line:
    """A close, a retraction or a withdrawal, guarded or not; its slot is given later."""
    line = Line(word, object=draw(st.none() | st.sampled_from(kind.objects)), recorded_at=draw(instants_of(kind)))
    if word == "invalidate":
        return line._replace(valid_until=draw(st.none() | instants_of(kind)))
    if word == "retract":
        return line._replace(valid_from=draw(st.none() | instants_of(kind)))
    many = line.object is not None and draw(st.sampled_from(kind.many))
    return line._replace(note=draw(st.sampled_from(NOTES)), many=many)


@cache
def lines(kind: Kind) -> st.SearchStrategy[Line]:
    each = {word: claims(word, kind) if word in CLAIMS else acts(word, kind) for word in set(kind.kinds)}
    return st.sampled_from(kind.kinds).flatmap(lambda word: each[word])


@st.composite
def histories(draw: st.DrawFn, kind: Kind = ANYTHING, least: int = 1, most: int = 12) -> list[Placed]:
    """One to twelve lines in each of up to three slots, spread over two journal and two ledger files.

    Line numbers are even, so that another line may come between any two.
    """
    placed: list[Placed] = []
    for slot in SLOTS[: draw(st.integers(min(2, kind.slots), kind.slots))]:
        each = lines(draw(st.sampled_from(kind.narrowed)))
        size = draw(st.integers(least, most))
        for line in draw(st.lists(each, min_size=size, max_size=size)):
            placed.append(draw(placings(line, slot, 2 * len(placed) + 2)))
    return placed


@st.composite
def placings(draw: st.DrawFn, line: Line, slot: tuple[str | None, str, str], number: int) -> Placed:
    """The line in one of the files for its kind."""
    scope, subject, predicate = slot
    path = draw(st.sampled_from(LEDGERS if line.kind in LEDGER_KINDS else JOURNALS))
    return Placed(line._replace(scope=scope, subject=subject, predicate=predicate), path, number)


@st.composite
def further(draw: st.DrawFn, line: st.SearchStrategy[Line], history: list[Placed]) -> Placed:
    """One more line for the first slot of a history, anywhere in its files."""
    return draw(placings(draw(line), SLOTS[0], 2 * draw(st.integers(0, len(history))) + 1))
