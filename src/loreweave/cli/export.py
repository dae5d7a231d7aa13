"""``lore export``: every table as files that other programs read, with the digest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import number

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


FORMATS = ("parquet", "csv", "jsonl")


@click.command("export")
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="parquet", show_default=True, help="Of every file."
)
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@click.argument("folder", metavar="DIR")
@framed_options
@pass_frame
def export_command(frame: Frame, /, folder: str, format_: str, force: bool) -> None:
    """Write every table to DIR, with both times of every row, and manifest.json with the digest.

    With --scope the tables hold that scope alone.
    """
    with frame.asking() as lore, frame.console.working("Exporting"):
        made = lore.export(format_, folder, force=force)
    if frame.console.json:
        frame.console.say_json(made)
        return
    for name, rows in made.files.items():
        frame.console.say(f"{name}  {number(rows, 'row')}")
    frame.console.say(f"digest {made.digest}")
