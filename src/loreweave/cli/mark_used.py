"""``lore mark-used``: that a passage was of use, so that it fades more slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import number
from loreweave.cli.writing import by_option

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("mark-used")
@click.argument("address")
@by_option
@framed_options
@pass_frame
def mark_used_command(frame: Frame, /, address: str, by: str | None) -> None:
    """Record that the passage at ADDRESS was of use.

    ADDRESS is one as `lore search` prints it, or less: NOTE.md#Heading, NOTE.md:12 or NOTE.md:12-18. Only what is
    marked as used is remembered for longer; to be found changes nothing.
    """
    with frame.open() as lore:
        made = lore.mark_used(address, by=by)
    frame.standing = f"The line stands in {made.ledger}:{made.line}."
    if frame.console.json:
        frame.console.say_json(made)
        return
    from loreweave.search.found import address as written

    place = written(made.path, made.anchor, made.start_line, made.end_line)
    frame.console.say(f"✓ {place} was of use, {number(made.uses, 'time')} by now")
    frame.console.say(f"  ledger: {made.ledger}:{made.line}")
