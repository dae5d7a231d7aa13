"""How times, lines and changes are put into words on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from loreweave.cli.screen import unpadded
from loreweave.times import DAY, from_datetime, show_day, show_instant

if TYPE_CHECKING:
    from loreweave.reports.changes import Change, Interval
    from loreweave.reports.waiting import Waiting
    from loreweave.reports.why import Line


def day(moment: datetime) -> str:
    """Show a midnight as its day, anything else as an instant."""
    return show_day(from_datetime(moment))


def instant(moment: datetime) -> str:
    """Show an instant in full."""
    return show_instant(from_datetime(moment))


def legible(moment: datetime) -> str:
    """Show an instant to the second, and the last of a day as the end of that day."""
    end = from_datetime(moment) + 1
    return f"the end of {show_day(end - DAY)}" if end % DAY == 0 else instant(moment.replace(microsecond=0))


def interval(start: datetime, end: datetime | None) -> str:
    """Show an interval; an open end is now."""
    return f"{day(start)} → {'now' if end is None else day(end)}"


def values(objects: Iterable[str]) -> str:
    """Show what was believed, several values side by side."""
    return " / ".join(f'"{unpadded(value)}"' for value in objects) or "nothing"


def says(line: Line) -> str:
    """Tell what a line says, as a part of a sentence."""
    named = f'"{unpadded(line.object)}"' if line.object is not None else "what holds"
    starts = f" from {day(line.valid_from)}" if line.valid_from else ""
    match line.kind:
        case "FactInvalidated":
            return f"closes {named}, from {day(line.valid_until)} on" if line.valid_until else f"closes {named}"
        case "FactRetracted":
            return f"unsays {named if line.object is not None else 'what was claimed'}{starts}"
        case "ValueWithdrawn":
            return f"{line.note} no longer says {named if line.object is not None else 'so'}"
    ends = f" until {day(line.valid_until)}" if line.valid_until else ""
    who = f"{line.note} says" if line.kind == "ValueObserved" else "infers" if line.source == "inferred" else "states"
    return f"{who} {named}{starts}{ends}{_marks(line)}"


def tells(change: Change) -> str:
    """Tell what became of one claim."""
    value, was, now = f'"{unpadded(change.object)}"', _spans(change.was), _spans(change.now)
    begun = day((change.was or change.now)[0].valid_from)
    match change.change:
        case "began":
            return f"{value} holds {now}"
        case "returned":
            return f"{value} holds again {now} ({change.path}:{change.line})"
        case "corrected":
            return f'{value} holds {now}, a correction of "{unpadded(change.previous or "")}"{_unless_same(change)}'
        case "restated":
            return f"{value} holds {now}, said again{_unless_same(change)}"
        case "closed" | "superseded" | "masked" | "shortened" if change.now:
            return f"{value} from {begun} {_ENDED[change.change]} {_end(change.now)}; it was {_reached(change.was)}"
        case "extended":
            return f"{value} from {begun} now holds until {_end(change.now)}; it was {_reached(change.was)}"
        case "reshaped":
            return f"{value} now holds {now}, where it held {was}"
    return f"{value} {was} {_GONE[change.change]}"


_ENDED = {
    "closed": "is closed at",
    "superseded": "is superseded at",
    "masked": "is masked from",
    "shortened": "now ends at",
}
_GONE = {
    "closed": "is closed whole",
    "displaced": "is covered by it",
    "masked": "is masked by what is stated",
    "unsaid": "is unsaid",
    "withdrawn": "is withdrawn",
}


def _marks(line: Line) -> str:
    marks = [f"confidence {line.confidence:g}"] if line.confidence is not None and line.confidence < 1 else []
    if line.many:
        marks.append("many")
    return f" ({', '.join(marks)})" if marks else ""


def _spans(intervals: Iterable[Interval]) -> str:
    return " and ".join(interval(span.valid_from, span.valid_until) for span in intervals)


def _end(intervals: tuple[Interval, ...]) -> str:
    end = intervals[-1].valid_until
    return "now" if end is None else day(end)


def _reached(intervals: tuple[Interval, ...]) -> str:
    end = intervals[-1].valid_until
    return "open" if end is None else f"to end {day(end)}"


def _unless_same(change: Change) -> str:
    ends = [intervals[-1].valid_until for intervals in (change.was, change.now)]
    return "" if ends[0] == ends[1] else f", which held {_spans(change.was)}"


def number(count: int, noun: str) -> str:
    """Show a number of things."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(count: int) -> str:
    """Show a number of bytes in the unit that suits it."""
    amount: float = count
    for unit in ("bytes", "kB", "MB"):
        if amount < 1_000:
            return f"{amount:,.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1_000
    return f"{amount:,.1f} GB"


def waits(waiting: Waiting) -> str:
    """Tell what waits to be recorded, what notes state no longer, and who records it; empty where nothing waits."""
    told = []
    if waiting.unrecorded:
        verb = "waits" if waiting.unrecorded == 1 else "wait"
        told.append(f"{number(waiting.unrecorded, 'value')} of notes {verb} to be recorded")
    if waiting.departed:
        count = f"{waiting.departed:,}" if told else f"{number(waiting.departed, 'value')} of the ledger"
        told.append(f"{count} {'is' if waiting.departed == 1 else 'are'} stated no longer")
    who = "lore index" if waiting.observer is None else f"{waiting.observer} observes this vault"
    return f"{', '.join(told)}: {who}" if told else ""
