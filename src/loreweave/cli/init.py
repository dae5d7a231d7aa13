"""``lore init``: a vault begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("init")
@framed_options
@pass_frame
def init_command(frame: Frame, /) -> None:
    """Begin a vault in the folder, or complete one: settings, and what git is to know of the record.

    What is there already is kept as it is. Notes are never touched.
    """
    with frame.open_here() as lore:
        founded = lore.init()
    if frame.console.json:
        frame.console.say_json(founded)
        return
    for path in founded.made:
        frame.console.say(f"made {path}")
    for path in founded.kept:
        frame.console.say(f"kept {path}")
    for warning in founded.warnings:
        frame.console.warn(warning)
