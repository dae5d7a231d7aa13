"""The observer: the difference between what notes state and what the ledger holds of them, as lines to append.

A run is one record instant. What a note states and the ledger holds writes nothing, so that a value has the record
time of its first sight for as long as its line stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from loreweave.errors import Finding
from loreweave.events.difference import Departed, Difference, by_slot, differing, match, parts
from loreweave.events.held import NOTHING, Held, after, change
from loreweave.events.holdings import Holdings, Slot, Spoken, SubSlot
from loreweave.events.model import DEFAULT_SCOPE, Line
from loreweave.events.past import Value
from loreweave.events.quarantine import fault
from loreweave.events.renames import Renamed, renamed
from loreweave.events.returns import Returns, Source
from loreweave.events.slots import key
from loreweave.events.statements import Stated, Statement
from loreweave.times import Instant

__all__ = ["Departed", "Difference", "Observed", "Renamed", "differing", "observe"]

Wanted = dict[Value, Statement]
"""The values that a sub-slot is to hold, each with the statement that says it."""

NO_TITLES: Mapping[str, str] = {}

_UNDATED = "write valid_from on the line: without it the value starts when it was first seen"


@attrs.frozen
class Observed:
    """The lines of one run in their order, notes that have another title, and why values cannot be recorded."""

    lines: tuple[Line, ...]
    renamed: tuple[Renamed, ...]
    refused: tuple[Finding, ...]

    @property
    def observed(self) -> int:
        """Count the observations."""
        return len(self.lines) - self.withdrawn

    @property
    def withdrawn(self) -> int:
        """Count the withdrawals."""
        return sum(line.kind == "withdrawn" for line in self.lines)


def observe(
    stated: Iterable[Stated],
    holdings: Holdings,
    recorded_at: Instant,
    by: str | None = None,
    titles: Mapping[str, str] = NO_TITLES,
) -> Observed:
    """Give the lines after which the ledger holds what these notes state, known since ``recorded_at``.

    That instant comes after every line held. ``holdings`` has every line of the slots in which these notes say, or
    said, something, of other notes too; ``titles`` has the keys of the titles of those other notes, by path.
    Withdrawals come first; the order in which notes are given has no effect.
    """
    notes = {one.path: one for one in sorted(stated, key=lambda one: one.path)}
    now = {path: by_slot(one.statements) for path, one in notes.items()}
    run = _Run(holdings, Returns(holdings, now, titles), recorded_at, by)
    for path, one in notes.items():
        for slot in sorted({*holdings.slots(path), *now[path]}):
            run.look(one, slot, now[path].get(slot, ()))
    withdrawn = (line for line in run.lines if line.kind == "withdrawn")
    observed = (line for line in run.lines if line.kind == "observed")
    return Observed((*withdrawn, *observed), tuple(renamed(holdings, notes, now)), tuple(run.refused))


class _Run:
    """One run: looks at one slot of one note after the other, and collects lines and what is refused."""

    def __init__(self, holdings: Holdings, returns: Returns, recorded_at: Instant, by: str | None) -> None:
        self._holdings = holdings
        self._returns = returns
        self._recorded_at = recorded_at
        self._by = by
        self.lines: list[Line] = []
        self.refused: list[Finding] = []

    def look(self, stated: Stated, slot: Slot, statements: Sequence[Statement]) -> None:
        """Look at one slot of a note."""
        spoken = self._holdings.spoken(stated.path, slot)
        for sub_slot, of_part in parts(spoken, statements):
            held = spoken.held.get(sub_slot, NOTHING) if spoken else NOTHING
            found = self._returns.base(stated, slot) if sub_slot is None and not held.stated else None
            if found is not None:
                self._take_over(stated, found, of_part)
                continue
            wanted = self._wanted(stated, of_part, held)
            changed = change(held, tuple(wanted))
            if spoken and changed.withdrawn:
                self._withdraw(stated, spoken, sub_slot, changed.withdrawn)
            if spoken and changed.past:
                self._carry(stated, Source(stated.path, spoken), changed.past)
            self._observe(stated, wanted, changed.observed)

    def _take_over(self, stated: Stated, found: tuple[Source, Held], statements: Sequence[Statement]) -> None:
        """Go on, in a note of which nothing is held, from what was held of it or of another: its past comes along."""
        source, held = found
        wanted = self._wanted(stated, statements, held)
        past = after(held, change(held, tuple(wanted))).past if wanted else ()
        alive = {value.valid_from: value for value in past if not any(_hides(one, value) for one in wanted)}
        self._carry(stated, source, tuple(alive.values()))
        self._observe(stated, wanted, tuple(wanted))

    def _wanted(self, stated: Stated, statements: Sequence[Statement], held: Held) -> Wanted:
        """Give the values that a note states in a sub-slot, without those that are refused."""
        wanted, fresh = match(statements, held.stated)
        for statement in fresh:
            value = self._begin(stated, statement)
            refusal = fault(self._line(stated, statement, value), self._recorded_at)
            if refusal is None:
                wanted.setdefault(value, statement)
            else:
                undated = refusal.code == "close-before-open" and statement.valid_from is None
                hint = _UNDATED if undated else refusal.hint
                self.refused.append(attrs.evolve(refusal, hint=hint, path=stated.path, line=statement.line, column=1))
        return wanted

    def _begin(self, stated: Stated, statement: Statement) -> Value:
        """Give the value that a statement makes of itself, from the start that it says, had, or gets."""
        end = statement.valid_until
        starts = self._starts(stated, statement) if statement.valid_from is None else iter((statement.valid_from,))
        start = next(starts) if end is None else next((t for t in starts if t < end), statement.valid_from)
        return Value(statement.object_key, self._recorded_at if start is None else start, end)

    def _starts(self, stated: Stated, statement: Statement) -> Iterator[Instant]:
        """Give the starts that an undated statement may have, the best first; one at or after its end will not do."""
        yield from self._returns.starts(stated, statement)
        if stated.dated is not None and self._returns.is_first_sight(stated):
            yield stated.dated
        yield self._recorded_at

    def _observe(self, stated: Stated, wanted: Wanted, values: Sequence[Value]) -> None:
        """See values, those of a note in the order of its lines."""
        for value in sorted(values, key=lambda value: (wanted[value].line, value.valid_from)):
            self.lines.append(self._line(stated, wanted[value], value))

    def _line(self, stated: Stated, statement: Statement, value: Value) -> Line:
        names = statement.subject, statement.predicate, statement.object
        scope, at = _scope(statement.scope), self._recorded_at
        seen = Line("observed", *names, value.valid_from, value.valid_until, at, statement.confidence, scope=scope)
        return seen._replace(many=statement.many, by=self._by, note=stated.path)

    def _carry(self, stated: Stated, source: Source, past: Sequence[Value]) -> None:
        """See again what was said before, as heard under the name that the note had then."""
        spoken, at = source.spoken, self._recorded_at
        for value in past:
            text, confidence, episode = spoken.sightings[value]
            names = spoken.subject, spoken.predicate, text
            line = Line("observed", *names, value.valid_from, value.valid_until, at, confidence)
            heard = episode or source.note
            self.lines.append(line._replace(scope=_scope(spoken.scope), by=self._by, note=stated.path, episode=heard))

    def _withdraw(self, stated: Stated, spoken: Spoken, sub_slot: SubSlot, names: Iterable[str | None]) -> None:
        """Take back the objects of these keys, or all that is held in a sub-slot."""
        written = {value.object_key: sighting.object for value, sighting in spoken.sightings.items()}
        line = Line("withdrawn", spoken.subject, spoken.predicate, recorded_at=self._recorded_at, by=self._by)
        line = line._replace(scope=_scope(spoken.scope), many=sub_slot is not None, note=stated.path)
        self.lines += (line._replace(object=written.get(name or sub_slot or "")) for name in names)


def _scope(scope: str) -> str | None:
    """Give a scope as a line has it."""
    return None if key(scope) == DEFAULT_SCOPE else scope


def _hides(value: Value, past: Value) -> bool:
    """Tell whether a past value that began where this one holds would take its place, were both seen at one instant."""
    end = value.valid_until
    within = end is not None and value.valid_from < past.valid_from < end
    return within or past.valid_from == value.valid_from
