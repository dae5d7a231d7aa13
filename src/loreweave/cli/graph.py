"""``lore graph export``: the graph of what notes are about, for other programs."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from io import BytesIO
from typing import TYPE_CHECKING

import click

from loreweave.cli.console import visible_json, visible_lines
from loreweave.cli.options import framed_options, pass_frame, refresh_option
from loreweave.cli.phrases import number

if TYPE_CHECKING:
    from typing import IO

    from _typeshed import ReadableBuffer

    from loreweave.cli.options import Frame

FORMATS = ("json", "graphml", "dot")


@click.group("graph")
def graph_command() -> None:
    """Write the graph of notes and what they are about."""


@graph_command.command("export")
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="json", show_default=True, help="Of the graph."
)
@click.option("--output", metavar="FILE", help="Write to FILE instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@refresh_option
@framed_options
@pass_frame
def export_command(frame: Frame, /, format_: str, output: str | None, force: bool, no_refresh: bool) -> None:
    """Write the entities of the scope, and what joins them: links, mentions, current facts, aliases, standing together.

    The nodes and edges are those of the views entities and edges; a node keeps its id for as long as it keeps its name.
    """
    shown: IO[bytes] = _Screen(format_) if frame.console.is_terminal else sys.stdout.buffer
    with frame.asking(refresh=not no_refresh) as lore, frame.console.working("Writing the graph"):
        place = nullcontext(shown) if output is None else lore.output(output, force=force)
        with place as file:
            made = lore.graph_export(file, format_)
            file.flush()
    frame.console.note(f"{number(made.nodes, 'node')}, {number(made.edges, 'edge')}")


class _Screen(BytesIO):
    """A terminal: what would move its cursor or turn the reading direction is shown and does nothing."""

    def __init__(self, format_: str) -> None:
        super().__init__()
        self._visible = visible_json if format_ == "json" else visible_lines

    def write(self, data: ReadableBuffer, /) -> int:
        return sys.stdout.buffer.write(self._visible(bytes(data).decode()).encode())

    def flush(self) -> None:
        sys.stdout.buffer.flush()
