"""``lore resume``: what changed since last time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import TIME, framed_options, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import day, instant, interval, number, tells
from loreweave.cli.screen import unpadded
from loreweave.cli.writing import writer
from loreweave.reports.resume import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.projections.changed import NoteChange
    from loreweave.reports.changes import Change
    from loreweave.reports.diff import SlotChange
    from loreweave.reports.resume import Late, Resume

_SIGNS = {"added": "+", "changed": "~", "removed": "-", "moved": ">"}
_ENDED = ("closed", "shortened", "unsaid", "withdrawn", "displaced", "masked", "superseded")


@click.command("resume")
@click.option("--since", type=TIME, metavar="TIME", help="What was recorded after this instant; marks nothing.")
@click.option("--name", envvar="LORE_BY", metavar="NAME", default=writer, help="Whose; else LORE_BY, else the user's.")
@limit_option(LIMIT)
@refresh_option
@framed_options
@pass_frame
def resume_command(frame: Frame, /, no_refresh: bool, **asked: object) -> None:
    """Show what changed since last time: notes, and beliefs that began, ended or were superseded.

    The next time begins where this one ends: a line in the ledger says so. With --since or --no-refresh nothing is
    written. The first time shows the last seven days.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found = lore.resume(mark=not no_refresh, **asked)  # type: ignore[arg-type]
    if frame.console.json:
        frame.console.say_json(found)
        return
    say = frame.console.say
    say(f"since {instant(found.since)}{_which(found)}")
    for change in found.notes.notes if found.notes else ():
        say(_note(change))
    for slot in found.beliefs.slots:
        _say_slot(frame.console, slot)
    for late in found.late.lines if found.late else ():
        say(_late(late))
    if found.is_empty:
        say("nothing changed")
    _say_ending(frame.console, found)


def _which(found: Resume) -> str:
    if found.last is None:
        return ", the first time" if found.marked else ""
    return f", when {found.session} last resumed" if found.last == found.since else ""


def _note(change: NoteChange) -> str:
    return f"{_SIGNS[change.change]} {change.path}" + (f" (was {change.previous})" if change.previous else "")


def _late(late: Late) -> str:
    fields = " :: ".join(map(unpadded, filter(None, (late.subject, late.predicate, late.object))))
    kind = "" if late.kind in ("FactAsserted", "ValueObserved") else f" ({late.kind})"
    by = f" · by {late.recorded_by}" if late.recorded_by else ""
    return f"late: {fields}{kind}  [{late.path}:{late.line} · recorded {instant(late.recorded_at)}{by}]"


def _say_slot(console: Console, slot: SlotChange) -> None:
    for told in _told(slot):
        console.say(told)
    for line in slot.lines:
        by = f" · by {line.recorded_by}" if line.recorded_by else ""
        because = f': "{unpadded(line.because)}"' if line.because else ""
        console.say(f"    {line.path}:{line.line} · recorded {instant(slot.recorded_at)}{by}{because}", dim=True)


def _told(slot: SlotChange) -> Iterator[str]:
    """Tell what became of a slot: a value that takes over from another with that one, as one change."""
    name, left = f"{slot.subject} :: {slot.predicate}", list(slot.changes)
    for new in slot.changes:
        old = _taken_over(new, left)
        if old is not None:
            left.remove(new)
            left.remove(old)
            yield f"± {name}: {unpadded(old.object)} → {unpadded(new.object)} (from {day(new.now[0].valid_from)})"
    for change in left:
        if change.change == "began":
            spans = " and ".join(interval(span.valid_from, span.valid_until) for span in change.now)
            yield f"+ {name} :: {unpadded(change.object)}  ({spans})"
        elif change.change == "corrected":
            values = f"{unpadded(change.previous or '')} → {unpadded(change.object)}"
            yield f"± {name}: {values} (from {day(change.now[0].valid_from)}), a correction"
        else:
            yield f"{'-' if change.change in _ENDED else '~'} {name}: {tells(change)}"


def _taken_over(new: Change, among: list[Change]) -> Change | None:
    """Give the value that ends where one begins."""
    if new.change != "began" or new not in among:
        return None
    begins = new.now[0].valid_from
    ended = (old for old in among if old.change == "superseded" and old.now and old.now[-1].valid_until == begins)
    return next(ended, None)


def _say_ending(console: Console, found: Resume) -> None:
    of_notes, beliefs = found.notes, found.beliefs
    if of_notes is not None and of_notes.shown < of_notes.of:
        console.say(f"showing {of_notes.shown:,} of {number(of_notes.of, 'changed note')}")
    if found.late is not None and found.late.shown < found.late.of:
        console.say(f"showing {found.late.shown:,} of {number(found.late.of, 'late line')}")
    if beliefs.shown < beliefs.of:
        console.say(f"showing the latest {beliefs.shown:,} of {number(beliefs.of, 'changed slot')}")
    if of_notes is None:
        begins = f"told from {instant(found.until)} on, as" if found.until else "unknown, as"
        console.say(f"changed notes: {begins} nothing was kept before to compare them with")
    elif of_notes.since != found.since:
        console.say(f"changed notes: known since {instant(of_notes.since)}")
