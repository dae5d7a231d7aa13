"""``lore capture``: one line for a thought, in the inbox or in a note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame

if TYPE_CHECKING:
    from loreweave.cli.options import Frame

_bullet = re.compile(r"[-*+]\s+(?=\S)").match


class Capturing(click.Command):
    """A command whose words may begin as an item of a list does: the item is made here anyway."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the bullet off, which would be taken for an option."""
        return super().parse_args(ctx, [word[found.end() :] if (found := _bullet(word)) else word for word in args])


@click.command("capture", cls=Capturing)
@click.argument("words", metavar="TEXT…", nargs=-1, required=True)
@click.option("--to", metavar="NOTE.md", help="A note of the vault, made if need be; else the inbox.")
@framed_options
@pass_frame
def capture_command(frame: Frame, /, words: tuple[str, ...], to: str | None) -> None:
    """Keep a thought: TEXT becomes one line with its minute, in UTC, at the end of lore/inbox.md.

    It is text, whatever it says, and states no fact; it is found by search at once. A scope has an inbox of its own,
    lore/inbox-SCOPE.md.
    """
    with frame.open() as lore:
        made = lore.capture(" ".join(words), to=to)
    frame.standing = f"The line stands in {made.path}:{made.line}."
    if frame.console.json:
        frame.console.say_json(made)
        return
    frame.console.say("✓ captured")
    frame.console.say(f"  {made.path}:{made.line}")
