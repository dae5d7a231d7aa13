"""``lore reject``: what was proposed will not be written, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.screen import unpadded
from loreweave.cli.writing import by_option

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("reject")
@click.argument("ids", metavar="ID…", nargs=-1, required=True)
@click.option("--because", metavar="TEXT", required=True, help="Why: it is told to who proposes the same again.")
@by_option
@framed_options
@pass_frame
def reject_command(frame: Frame, /, ids: tuple[str, ...], because: str, by: str | None) -> None:
    """Say that proposals will not be written: the same values are not taken as proposals again.

    All are rejected or none. ID is that of `lore proposals`, or its first four digits or more.
    """
    with frame.open() as lore:
        made = lore.reject(*ids, because=because, by=by)
    first, last = made.rejected[0], made.rejected[-1]
    more = f"-{last.line_number}" if last is not first else ""
    frame.standing = f"What was rejected stands in {first.path}:{first.line_number}{more}."
    if frame.console.json:
        frame.console.say_json(made)
        return
    for one in made.rejected:
        kind = "" if one.kind == "fact" else f"{one.kind} "
        said = " :: ".join(unpadded(part) for part in (one.subject, one.predicate, one.object) if part is not None)
        frame.console.say(f"✓ rejected: {kind}{said}")
        frame.console.say(f"  journal: {one.path}:{one.line_number}")
