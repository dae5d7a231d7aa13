"""``lore init``: a vault begun; and what agents that use it are to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("init")
@click.option("--agents", is_flag=True, help="Print what an agent is to know, for an AGENTS.md; write nothing.")
@framed_options
@pass_frame
def init_command(frame: Frame, /, agents: bool) -> None:
    """Begin a vault in the folder, or complete one: settings, and what git is to know of the record.

    What is there already is kept as it is. Notes are never touched.
    """
    if agents:
        _say_agents(frame)
        return
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


def _say_agents(frame: Frame) -> None:
    from loreweave.reports.guidance import AGENTS

    if frame.console.json:
        frame.console.say_json({"agents": AGENTS})
        return
    for line in AGENTS.splitlines():
        frame.console.say(line)
