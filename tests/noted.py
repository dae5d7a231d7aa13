"""A small vault of notes under the observer: what they state, run after run, and the ledger that comes of it.

Every line goes the way of all lines: it is rendered, read back from its file, and only then held and folded.
"""

from __future__ import annotations

from collections.abc import Iterable

from histories import day
from loreweave.events.holdings import Holdings
from loreweave.events.model import EventRow, Line
from loreweave.events.observe import Observed, differing, observe
from loreweave.events.read import read_record
from loreweave.events.render import render
from loreweave.events.slots import key, object_key
from loreweave.events.statements import Stated, Statement
from loreweave.projections.refold import BELIEF_COLUMNS, refold
from loreweave.times import DAY, Instant

_AT = {name: BELIEF_COLUMNS.index(name) for name in BELIEF_COLUMNS}


def statement(text: str, path: str = "atlas.md", line: int = 1) -> Statement:
    """Make a statement of ``[subject.]predicate=object [from[-[until]]] [many]``, times as days of the grid."""
    slot, _, said = text.partition("=")
    subject, _, predicate = slot.rpartition(".")
    subject = subject or "Atlas"
    words = said.split()
    many = "many" in words
    object_, times = words[0], [word for word in words[1:] if word != "many"]
    start, _, end = (times[0] if times else "").partition("-")
    until = day(int(end)) if end else None
    keys = "default", key(subject), key(predicate), object_key(object_)
    place = path, line, "inline field", "default"
    return Statement(*place, subject, predicate, object_, *keys, day(int(start)) if start else None, until, many, 0.9)


def note(*texts: str, path: str = "atlas.md", title: str = "Atlas", dated: Instant | None = None) -> Stated:
    """Make what a note states of texts, a line each."""
    made = tuple(statement(text, path, line) for line, text in enumerate(texts, 1))
    return Stated(path, key(title) if texts else "", dated, made)


def gone(path: str = "atlas.md") -> Stated:
    return Stated(path, "", None)


def shown(line: Line) -> str:
    """Show a line as statements are written here, ``+`` for seen and ``-`` for withdrawn."""
    times = "-".join("" if at is None else f"{(at - day(0)) / DAY:g}" for at in (line.valid_from, line.valid_until))
    object_ = "" if line.object is None else f"={line.object}"
    words = [line.predicate + object_, times.strip("-"), "many" * line.many, line.episode and f"from {line.episode}"]
    return f"{'+' if line.kind == 'observed' else '-'} {' '.join(filter(None, words))}"


class Ledger:
    """The ledger of a vault, a file a run, and the journal beside it."""

    def __init__(self) -> None:
        self.holdings = Holdings()
        self.rows: list[EventRow] = []
        self.journal: list[EventRow] = []
        self.runs: list[Instant] = []

    def run(self, at: Instant, *notes: Stated) -> Observed:
        """Look at notes, append what comes of it and read it back."""
        seen = observe(notes, self.holdings, at)
        self.append(seen.lines)
        self.runs.append(at)
        return seen

    def append(self, lines: Iterable[Line]) -> None:
        texts = [f"{render(line)}\n" for line in lines]
        record = read_record(f"lore/ledger/2024-01-01-{len(self.runs):04}.md", "".join(texts))
        assert (len(record.rows), record.findings) == (len(texts), [])
        self.rows += record.rows
        self.holdings.take(record.rows)

    def take(self, rows: list[EventRow], at: Instant) -> None:
        """Take in lines of others, the last of them recorded at an instant."""
        self.rows += rows
        self.holdings.take(rows)
        self.runs.append(at)

    def state(self, line: Line) -> None:
        """Write a line into the journal."""
        record = read_record(f"lore/journal/2024-01-{len(self.journal) + 1:02}.md", f"{render(line)}\n")
        assert not record.findings
        self.journal += record.rows

    def is_done(self, *notes: Stated) -> bool:
        """Say whether another run would write nothing, and nothing waits but what it would refuse."""
        again = observe(notes, self.holdings, self.runs[-1] + 1)
        waits = [differing(one, self.holdings) for one in notes]
        refused = {(finding.path, finding.line) for finding in again.refused}
        unrecorded = {(one.path, one.line) for found in waits for one in found.unrecorded}
        return not again.lines and unrecorded == refused and not any(found.departed for found in waits)

    def beliefs(self, k: float, *names: str) -> set[tuple[object, ...]]:
        """Give columns of what is believed as known at K; without names the slot, the object and its valid time."""
        chosen = names or ("subject_key", "predicate_key", "object_key", "valid_from", "valid_until", "many")
        known = [belief for belief in self.refold() if _holds(belief, "known", k)]
        return {tuple(belief[_AT[name]] for name in chosen) for belief in known}

    def refold(self) -> list[EventRow]:
        """Fold everything on record into beliefs."""
        return refold([*self.rows, *self.journal]).beliefs


def values_of(beliefs: Iterable[EventRow], v: float, k: float) -> dict[tuple[str, str, str], set[tuple[str, bool]]]:
    found: dict[tuple[str, str, str], set[tuple[str, bool]]] = {}
    for belief in beliefs:
        if _holds(belief, "known", k) and _holds(belief, "valid", v):
            slot = tuple(str(belief[_AT[name]]) for name in ("scope_key", "subject_key", "predicate_key"))
            found.setdefault(slot, set()).add((str(belief[_AT["object_key"]]), bool(belief[_AT["many"]])))  # type: ignore[arg-type]
    return found


def _holds(belief: EventRow, axis: str, instant: float) -> bool:
    start, end = belief[_AT[f"{axis}_from"]], belief[_AT[f"{axis}_until"]]
    return start <= instant and (end is None or instant < end)  # type: ignore[operator]
