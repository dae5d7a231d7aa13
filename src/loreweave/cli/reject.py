"""``lore reject``: what was proposed will not be written, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.writing import by_option

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("reject")
@click.argument("proposal_id", metavar="ID")
@click.option("--because", metavar="TEXT", required=True, help="Why: it is told to who proposes the same again.")
@by_option
@framed_options
@pass_frame
def reject_command(frame: Frame, /, proposal_id: str, because: str, by: str | None) -> None:
    """Say that a proposal will not be written: the same value is not taken as a proposal again.

    ID is that of `lore proposals`, or its first four digits or more.
    """
    with frame.open() as lore:
        made = lore.reject(proposal_id, because=because, by=by)
    frame.standing = f"The line stands in {made.path}:{made.line_number}."
    if frame.console.json:
        frame.console.say_json(made)
        return
    kind = "" if made.kind == "fact" else f"{made.kind} "
    named = "" if made.object is None else f" :: {made.object}"
    frame.console.say(f"✓ rejected: {kind}{made.subject} :: {made.predicate}{named}")
    frame.console.say(f"  journal: {made.path}:{made.line_number}")
