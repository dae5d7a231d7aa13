"""``lore diff``: what changed in belief between two record instants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import TIME, framed_options, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import instant, tells
from loreweave.cli.screen import unpadded
from loreweave.reports.answer import CHANGES

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.reports.diff import Diff, SlotChange


@click.command("diff")
@click.option("--from", "earlier", type=TIME, required=True, metavar="TIME", help="The earlier record instant.")
@click.option("--to", "later", type=TIME, metavar="TIME", help="The later one; else the last of all.")
@click.option("--subject", metavar="S", help="Only of this subject, however it is spelled.")
@click.option("--predicate", metavar="P", help="Only this predicate.")
@limit_option(CHANGES)
@refresh_option
@framed_options
@pass_frame
def diff_command(frame: Frame, /, no_refresh: bool, **asked: object) -> None:
    """Show what changed in belief between two record instants.

    Changes are grouped by record instant and slot, with the lines that made them. What was recorded at
    --from itself counts as known before; what was recorded at --to is shown.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found = lore.diff(**asked)  # type: ignore[arg-type]
    if frame.console.json:
        frame.console.say_json(found)
        return
    for change in found.changes:
        _say_change(frame.console, change)
    _say_ending(frame.console, found)


def _say_change(console: Console, slot: SlotChange) -> None:
    console.say(f"{slot.subject} :: {slot.predicate}  recorded {instant(slot.recorded_at)}", bold=True)
    for line in slot.lines:
        by = f" · by {line.recorded_by}" if line.recorded_by else ""
        because = f': "{unpadded(line.because)}"' if line.because else ""
        console.say(f"  {line.path}:{line.line}{by}{because}", dim=True)
    for change in slot.changes:
        console.say(f"    {tells(change)}")


def _say_ending(console: Console, found: Diff) -> None:
    if not found.of:
        console.say("nothing changed")
    if found.shown < found.of:
        console.say(f"showing {found.shown:,} of {found.of:,} changed slots")
    until = f"to {instant(found.later)}" if found.later else "to the last"
    console.say(f"recorded after {instant(found.earlier)}, up {until}")
