"""The promise of the fold in small: short histories of one slot, and the whole belief plane that follows.

A line of a history is a word, an object where there is one, and times in days: `fact a 1` is a value
from day 1 on, `fact a 1-5` one with an end, `@3` the day it was recorded. A belief is written the
same way: `a 1-5 @3-7` was believed of days 1 to 5, from day 3 until day 7. Ends are exclusive.
`in plan` names the note, `of lab` the scope.
"""

from __future__ import annotations

import re

from answers import Answers, Row
from histories import day, events_of, place
from loreweave.events.model import Event, Line
from loreweave.times import Instant

LINE = re.compile(
    r"(?P<word>fact|guess|note|close|retract|gone)( many)?( (?P<object>[a-z]\w*))?( (?P<start>\d+)?(-(?P<end>\d+))?)?"
    r" @(?P<rec>\d+)( in (?P<note>\w+))?( of (?P<scope>\w+))?"
)
KINDS = {"fact": "fact", "guess": "fact", "note": "observed", "close": "invalidate", "retract": "retract"}


def read(text: str) -> Line:
    read = LINE.fullmatch(text)
    assert read, text
    start, end = (None if read[name] is None else day(int(read[name])) for name in ("start", "end"))
    word = read["word"]
    return Line(
        KINDS.get(word, "withdrawn"),
        subject="Atlas",
        predicate="owner",
        object=read["object"],
        valid_from=None if word == "close" else start,
        valid_until=start if word == "close" else end,
        recorded_at=day(int(read["rec"])),
        source="inferred" if word == "guess" else None,
        scope=read["scope"],
        note=f"{read['note'] or 'atlas'}.md" if word in ("note", "gone") else None,
        many=" many" in text,
    )


def history(text: str) -> list[Event]:
    return events_of(place([read(" ".join(line.split())) for line in text.split("|")]))


def plane(events: list[Event]) -> list[str]:
    """Every belief, as written in the tables below."""
    rows = sorted(Answers(events).beliefs, key=lambda r: (r["known_from"], r["valid_from"], r["object"]))
    return [belief(row) for row in rows]


def belief(row: Row) -> str:
    return f"{row['object']} {_days(row, 'valid')} @{_days(row, 'known')}"


def _days(row: Row, axis: str) -> str:
    start, end = row[f"{axis}_from"], row[f"{axis}_until"]
    return f"{_day(start)}-{'' if end is None else _day(end)}"


def _day(instant: Instant) -> int:
    return (instant - day(0)) // (day(1) - day(0))


SITUATIONS: dict[str, tuple[str, list[str]]] = {
    "a later start ends the older open value": (
        "fact a 1 @1 | fact b 5 @6",
        ["a 1- @1-6", "a 1-5 @6-", "b 5- @6-"],
    ),
    "a backdated value splits the past, from its record time on": (
        "fact a 1 @1 | fact c 9 @9 | fact b 4 @10",
        ["a 1- @1-9", "a 1-9 @9-10", "c 9- @9-", "a 1-4 @10-", "b 4-9 @10-"],
    ),
    "a backfill ends at the next known start": (
        "fact b 5 @5 | fact a 2 @8",
        ["b 5- @5-", "a 2-5 @8-"],
    ),
    "a backfill never returns after a close of the later value": (
        "fact b 5 @5 | fact a 2 @8 | close 7 @9",
        ["b 5- @5-9", "a 2-5 @8-", "b 5-7 @9-"],
    ),
    "the same value from a later start goes on": (
        "fact a 1 @1 | fact a 4 @4",
        ["a 1- @1-4", "a 1-4 @4-", "a 4- @4-"],
    ),
    "the same value from an earlier start extends backwards": (
        "fact a 4 @4 | fact a 1 @6",
        ["a 4- @4-", "a 1-4 @6-"],
    ),
    "the same start again replaces the value": (
        "fact a 1 @1 | fact b 1 @4",
        ["a 1- @1-4", "b 1- @4-"],
    ),
    "the same start again replaces the end, shorter or longer": (
        "fact a 1-5 @1 | fact a 1-9 @4 | fact a 1-3 @6",
        ["a 1-5 @1-4", "a 1-9 @4-6", "a 1-3 @6-"],
    ),
    "the same start again undoes a close": (
        "fact a 1 @1 | close 3 @4 | fact a 1 @6",
        ["a 1- @1-4", "a 1-3 @4-6", "a 1- @6-"],
    ),
    "one, another and the first again on one day is the first": (
        "fact x 1 @1 | fact y 1 @2 | fact x 1 @3",
        ["x 1- @1-2", "y 1- @2-3", "x 1- @3-"],
    ),
    "an end of its own covers exactly its interval": (
        "fact a 2-5 @1",
        ["a 2-5 @1-"],
    ),
    "an older bounded value shows through outside a newer one": (
        "fact a 1-9 @1 | fact b 3-5 @3",
        ["a 1-9 @1-3", "a 1-3 @3-", "b 3-5 @3-", "a 5-9 @3-"],
    ),
    "an open value does not resume after a bounded one": (
        "fact a 1 @1 | fact b 3-5 @3",
        ["a 1- @1-3", "a 1-3 @3-", "b 3-5 @3-"],
    ),
    "a close ends what started before it and leaves later starts": (
        "fact a 1 @1 | fact b 6 @2 | close 4 @5",
        ["a 1- @1-2", "a 1-6 @2-5", "b 6- @2-", "a 1-4 @5-"],
    ),
    "a backdated close does not move what was believed before it": (
        "fact a 1 @1 | close 3 @8",
        ["a 1- @1-8", "a 1-3 @8-"],
    ),
    "a close dated ahead keeps the value until then": (
        "fact a 1 @1 | close 9 @3",
        ["a 1- @1-3", "a 1-9 @3-"],
    ),
    "of two closes the earliest binds": (
        "fact a 1 @1 | close 5 @5 | close 3 @6 | close 8 @7",
        ["a 1- @1-5", "a 1-5 @5-6", "a 1-3 @6-"],
    ),
    "lengthening needs a new statement": (
        "fact a 1 @1 | close 3 @5 | fact a 1-8 @6",
        ["a 1- @1-5", "a 1-3 @5-6", "a 1-8 @6-"],
    ),
    "a close at the start leaves nothing, and the start still bounds": (
        "fact a 1 @1 | fact b 4 @4 | close b 4 @6",
        ["a 1- @1-4", "a 1-4 @4-", "b 4- @4-6"],
    ),
    "a retraction unsays, and what it displaced holds again": (
        "fact a 1 @1 | fact b 4 @5 | retract b @8",
        ["a 1- @1-5", "a 1-4 @5-8", "b 4- @5-8", "a 1- @8-"],
    ),
    "a retraction with a start unsays that one": (
        "fact a 1 @1 | fact a 5 @2 | retract a 5 @3 | retract a 5 @4",
        ["a 1- @1-2", "a 1-5 @2-3", "a 5- @2-3", "a 1- @3-"],
    ),
    "a start is corrected to later by a retraction and a value": (
        "fact a 2 @2 | retract a 2 @7 | fact a 4 @7",
        ["a 2- @2-7", "a 4- @7-"],
    ),
    "a temporary value that returns": (
        "fact a 1 @1 | fact b 4-6 @3 | fact a 6 @3",
        ["a 1- @1-3", "a 1-4 @3-", "b 4-6 @3-", "a 6- @3-"],
    ),
    "a note fills in before the first statement and is masked by it": (
        "note a 1 @1 | fact b 4 @5",
        ["a 1- @1-5", "a 1-4 @5-", "b 4- @5-"],
    ),
    "a note may follow a statement only from its end on": (
        "fact a 1-5 @1 | note b 3 @6 | note c 5 @7",
        ["a 1-5 @1-", "c 5- @7-"],
    ),
    "a note reappears after a retraction": (
        "note a 1 @1 | fact b 1 @3 | retract b @6",
        ["a 1- @1-3", "b 1- @3-6", "a 1- @6-"],
    ),
    "a note stops saying it, and nothing is said of valid time": (
        "note a 1 @1 | gone @5",
        ["a 1- @1-5"],
    ),
    "another note still says it": (
        "note a 1 @1 in atlas | note a 1 @3 in plan | gone @5 in plan | gone @7 in atlas",
        ["a 1- @1-3", "a 1- @3-5", "a 1- @5-7"],
    ),
    "a note that repeats a closed value does not undo the close": (
        "note a 1 @1 | close 3 @4 | gone @5 | note a 1 @6",
        ["a 1- @1-4", "a 1-3 @4-5", "a 1-3 @6-"],
    ),
    "a note that repeats a retracted value does not bring it back": (
        "note a 1 @1 | retract a @3 | gone @4 | note a 1 @5",
        ["a 1- @1-3"],
    ),
    "a close that names another value ends nothing": (
        "fact a 1 @1 | close b 3 @4",
        ["a 1- @1-"],
    ),
    "scopes stand alone": (
        "fact a 1 @1 | fact b 3 @3 of lab | close 5 @6 of lab",
        ["a 1- @1-", "b 3- @3-6", "b 3-5 @6-"],
    ),
    "lines out of order are taken by record time": (
        "fact c 7 @7 | fact a 1 @1 | fact b 3 @3",
        ["a 1- @1-3", "a 1-3 @3-", "b 3- @3-7", "b 3-7 @7-", "c 7- @7-"],
    ),
    "many values stand beside each other": (
        "fact many a 1 @1 | fact many b 2 @2 | close a 5 @6",
        ["a 1- @1-6", "b 2- @2-", "a 1-5 @6-"],
    ),
    "a close without an object ends every value": (
        "fact many a 1 @1 | fact many b 2 @2 | close 5 @6",
        ["a 1- @1-6", "b 2- @2-6", "a 1-5 @6-", "b 2-5 @6-"],
    ),
    "all of one record instant act together": (
        "close 3 @5 | fact a 1 @5 | fact b 7 @5",
        ["a 1-3 @5-", "b 7- @5-"],
    ),
    "at one instant and one start, the close strikes the line above it": (
        "fact a 4 @5 | close 4 @5",
        [],
    ),
    "at one instant and one start, the close spares the line below it": (
        "close 4 @5 | fact a 4 @5",
        ["a 4- @5-"],
    ),
    "restated and closed at its start in one instant, a value is gone": (
        "fact a 3 @1 | fact a 3 @4 | close 3 @4",
        ["a 3- @1-4"],
    ),
    "at one instant what is stated outranks what is inferred": (
        "fact a 1 @1 | guess b 1 @1",
        ["a 1- @1-"],
    ),
    "a later inference displaces an earlier statement": (
        "fact a 1 @1 | guess b 1 @2",
        ["a 1- @1-2", "b 1- @2-"],
    ),
}
