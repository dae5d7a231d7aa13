"""``lore timeline``: what happened to one entity, in the order of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import DATE, framed_options, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import day
from loreweave.reports.mentioned import Mention
from loreweave.reports.timeline import ENTRIES

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.reports.timeline import Timeline
    from loreweave.reports.turns import Turn


@click.command("timeline")
@click.argument("words", metavar="ENTITY…", nargs=-1, required=True)
@click.option("--since", type=DATE, metavar="DATE", help="Only what is about this date or later.")
@click.option("--until", type=DATE, metavar="DATE", help="Only what is about a time before this date.")
@limit_option(ENTRIES)
@refresh_option
@framed_options
@pass_frame
def timeline_command(frame: Frame, /, words: tuple[str, ...], no_refresh: bool, **asked: object) -> None:
    """Show what happened to ENTITY: how beliefs about it changed, and the dated passages that name it.

    The names of a note are one entity, and so is each of them in the singular and the plural. A change stands at the
    instant from which it holds, as best known now; a passage at the time that it speaks of; a property of its own note
    that is a day, such as a start, at that day. What a note said without a date when it was first seen is no change. Of
    a long list the latest entries are shown.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found = lore.timeline(" ".join(words), **asked)  # type: ignore[arg-type]
    if frame.console.json:
        frame.console.say_json(found)
        return
    for entry in found.entries:
        if isinstance(entry, Mention):
            frame.console.say(f"{day(entry.at)}  • {entry.text}  [{entry.address}]")
        else:
            _say_turn(frame.console, entry)
    _say_ending(frame.console, found)


def _say_turn(console: Console, turn: Turn) -> None:
    marks = [turn.source, *([f"confidence {turn.confidence:g}"] if turn.confidence < 1 else [])]
    place = f"{', '.join(marks)} · {turn.path}:{turn.line}"
    console.say(f"{day(turn.at)}  {turn.subject} :: {turn.predicate}: {_told(turn)}  [{place}]")


def _told(turn: Turn) -> str:
    if turn.change == "ended":
        return f"{turn.object} ended"
    until = f" (until {day(turn.valid_until)})" if turn.valid_until else ""
    return f"{turn.previous} → {turn.object}{until}" if turn.previous is not None else f"{turn.object}{until}"


def _say_ending(console: Console, found: Timeline) -> None:
    window = _window(found)
    if not found.of:
        console.say(f'nothing is called "{found.entity}"' if found.near else f"nothing dated{window}")
    elif found.shown < found.of:
        console.say(f"showing the latest {found.shown:,} of {found.of:,} entries{window}")
    else:
        console.say(f"{found.of:,} {'entry' if found.of == 1 else 'entries'}{window}")
    if found.of and len(found.names) > 1:
        console.say(f"names: {', '.join(found.names)}")
    if found.near:
        console.hint(f"did you mean {' or '.join(found.near)}?")
    elif found.of > found.shown:
        console.hint(f"--until {day(found.entries[0].at)} shows what is before, --limit more at once")


def _window(found: Timeline) -> str:
    since = f" from {day(found.since)} on" if found.since else ""
    until = f" before {day(found.until)}" if found.until else ""
    return f"{since}{' and' if since and until else ''}{until}"
