"""Closing and unsaying: refused where nothing would change, and told by what ended and what came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from loreweave.engine.asking import name_of, refuse_unsound, refuse_unwritable, slot_of
from loreweave.engine.outcome import Change, Outcome, outcome, spans
from loreweave.errors import Refused
from loreweave.events.model import Event, Line, event_of
from loreweave.events.render import as_read
from loreweave.events.slots import object_key
from loreweave.notes.visible import as_name, reveal
from loreweave.times import Instant, show_day

if TYPE_CHECKING:
    from loreweave.engine import Engine
    from loreweave.engine.write import Before, Written

_CLAIMS = ("FactAsserted", "ValueObserved")


def invalidate_fact(engine: Engine, line: Line, *, dry: bool = False) -> Outcome:
    """Close a slot, or one object of it, at an instant; raise Refused where that ends nothing."""
    return _written(engine, as_read(line), dry)


def retract_fact(engine: Engine, line: Line, *, dry: bool = False) -> Outcome:
    """Unsay what a slot was said to hold; raise Refused where nothing on record fits."""
    return _written(engine, as_read(line), dry)


def refuse_idle(line: Line, written: Written) -> None:
    """Raise Refused for a close or a retraction that changes nothing, saying why."""
    place = written.path, written.line
    if any((finding.path, finding.line) == place for finding in written.after.findings):
        raise (_idle_close if line.kind == "invalidate" else _idle_retraction)(line, written)


def namer(kind: str) -> Callable[[Change], str]:
    """Name what a close or a retraction did to each line of the slot."""
    lost = "ended" if kind == "invalidate" else "retracted"
    return lambda change: lost if change.lost else "returned"


def _written(engine: Engine, line: Line, dry: bool) -> Outcome:
    """Write one line that must have an effect of its own."""
    refuse_unwritable(line)

    def compose(before: Before) -> Sequence[Line]:
        refuse_unsound(line, before.recorded_at)
        return [line]

    written = engine.write(slot_of(line), compose, partial(refuse_idle, line), dry=dry)
    return outcome(line, written, namer(line.kind))


def _idle_close(line: Line, written: Written) -> Refused:
    fitting = _fitting(line, written)
    if not fitting:
        return _nothing_said(line, written)
    believed = [(since, until) for event, held in fitting if held for since, until in held]
    if not believed:
        return Refused(f"Nothing is believed of {_said(line)} any more, so nothing can end.", _LOOK)
    instant = written.recorded_at if line.valid_until is None else line.valid_until
    first = min(since for since, _ in believed)
    if instant < first:
        starts = "started" if first <= written.recorded_at else "starts"
        told = f'{_said(line)} {starts} on {show_day(first)}, after "{show_day(instant)}".'
        return Refused(told, f"give a day from {show_day(first)} on")
    last = max((until for since, until in believed if until is not None and since <= instant), default=first)
    ends = f"ended on {show_day(last)}" if last <= written.recorded_at else f"is to end on {show_day(last)}"
    told = f'{_said(line)} {ends} already: "{show_day(instant)}" would end nothing.'
    return Refused(told, f"give a day before {show_day(last)} to shorten it, or assert it again to lengthen it")


def _idle_retraction(line: Line, written: Written) -> Refused:
    fitting = _fitting(line, written)
    if not fitting:
        return _nothing_said(line, written)
    starts = sorted({event.valid_from for event, _ in fitting if event.valid_from is not None})
    if line.valid_from is not None and line.valid_from not in starts:
        told = f'Nothing on record of {_said(line)} starts on "{show_day(line.valid_from)}".'
        return Refused(told, f"starts on record: {', '.join(map(show_day, starts))}")
    return Refused(f"{_said(line)} was retracted already: nothing is left of it to unsay.", _LOOK)


_LOOK = "`lore why` shows what the slot held"


def _fitting(line: Line, written: Written) -> list[tuple[Event, tuple[tuple[Instant, Instant | None], ...]]]:
    """Give the claims of the slot that the object named fits, each with where it is believed to hold."""
    held = spans(written.before)
    wanted = None if line.object is None else object_key(line.object)
    claims = [event_of(row) for row in written.before.events if row[1] in _CLAIMS]
    return [(event, held.get(event.event_id, ())) for event in claims if wanted in (None, event.object_key)]


def _nothing_said(line: Line, written: Written) -> Refused:
    others = _fitting(line._replace(object=None), written)
    if not others:
        return Refused(f"Nothing is on record of {name_of(line)}.", "check the spelling: `lore facts` lists what is")
    values = {reveal(event.object or "") for event, _ in others}
    return Refused(f"Nothing on record says {_said(line)}.", f"on record there: {', '.join(sorted(values))}")


def _said(line: Line) -> str:
    return name_of(line) if line.object is None else f"{name_of(line)} :: {as_name(line.object)}"
