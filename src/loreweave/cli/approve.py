"""``lore approve``: what was proposed is written, in the name of whoever approves it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.effects import flat, say_outcome
from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.writing import by_option
from loreweave.reports.codec import plain

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("approve")
@click.argument("ids", metavar="ID…", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Approve what was proposed before its slot changed, too.")
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@by_option
@framed_options
@pass_frame
def approve_command(frame: Frame, /, ids: tuple[str, ...], by: str | None, force: bool, dry_run: bool) -> None:
    """Write what proposals propose, all of them or none: it is believed from now on.

    ID is that of `lore proposals`, or its first four digits or more. Whoever proposed something cannot approve it.
    """
    with frame.open() as lore:
        made = lore.approve(*ids, by=by, force=force, dry_run=dry_run)
    if made.written:
        first, last = made.approved[0], made.approved[-1]
        more = f"-{last.line_number}" if last is not first else ""
        frame.standing = f"What was approved stands in {first.path}:{first.line_number}{more}."
    if frame.console.json:
        frame.console.say_json(plain(made) | {"approved": [flat(outcome) for outcome in made.approved]})
        return
    for outcome in made.approved:
        say_outcome(frame.console, outcome, with_lines=True)
