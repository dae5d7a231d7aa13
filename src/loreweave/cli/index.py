"""``lore index``: what the notes state now, recorded in the ledger, and the index brought up to date."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import number

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.engine.observing import Indexed


@click.command("index")
@click.option("--full", is_flag=True, help="Read every file anew, whatever the index holds already.")
@click.option("--start-over", is_flag=True, help="Go on where lines of the ledger are lost: their values begin anew.")
@framed_options
@pass_frame
def index_command(frame: Frame, /, full: bool, start_over: bool) -> None:
    """Record what the notes state now, and what they state no longer; then bring the index up to date.

    Appends to lore/ledger and writes nothing else but .lore/. A note seen unchanged writes nothing.
    """
    began = time.perf_counter()
    with frame.open() as lore:
        with frame.console.working("Reading the notes"):
            made = lore.index(full=full, start_over=start_over)
        if frame.console.json:
            frame.console.say_json(made)
        else:
            _say(frame, made)
    frame.console.aside(f"in {time.perf_counter() - began:.2f} s")


def _say(frame: Frame, made: Indexed) -> None:
    say = frame.console.say
    notes = made.notes
    say(f"notes: +{notes.added} ~{notes.changed} -{notes.removed} ={notes.unchanged}")
    if made.elsewhere is not None:
        say(f"{made.elsewhere} observes this vault; nothing was recorded here")
        return
    place = f": {made.path}" if made.path else ""
    say(f"observed {number(made.observed, 'value')}, withdrew {number(made.withdrawn, 'value')}{place}")
