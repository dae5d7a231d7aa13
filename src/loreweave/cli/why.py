"""``lore why``: the value of a slot, and the history of the record that made it so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.facts import say_fact
from loreweave.cli.options import (
    framed_options,
    instants,
    limit_option,
    moment_options,
    pass_frame,
    refresh_option,
)
from loreweave.cli.phrases import day, instant, says, tells, values
from loreweave.cli.screen import unpadded
from loreweave.reports.answer import STEPS

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.reports.why import Line, Step, Why


@click.command("why")
@click.argument("subject", metavar="S")
@click.argument("predicate", metavar="P")
@moment_options
@limit_option(STEPS)
@refresh_option
@framed_options
@pass_frame
def why_command(frame: Frame, /, subject: str, predicate: str, no_refresh: bool, **asked: object) -> None:
    """Explain what is believed of predicate P of subject S.

    First the value, then each record instant in order: the lines written then, by whom and why, what they
    changed, and the answer before and after. Lines without effect are shown with the reason.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        told = lore.why(subject, predicate, **asked)  # type: ignore[arg-type]
        advice = "" if told.of else lore.advice(subject=subject, predicate=predicate)
    if frame.console.json:
        frame.console.say_json(told)
        return
    _say_value(frame, told)
    for step in told.steps:
        _say_step(frame.console, step, day(told.as_of))
    if told.steps:
        frame.console.say()
    if told.shown < told.of:
        frame.console.say(f"showing {told.shown:,} of {told.of:,} record instants, those that touch the answer first")
    frame.console.say(instants(told.as_of, told.as_known_at))
    frame.console.hint(advice)


def _say_value(frame: Frame, told: Why) -> None:
    for fact in told.facts:
        say_fact(frame, fact)
    if not told.facts:
        frame.console.say(f"{told.subject} :: {told.predicate}  (nothing is believed)")
    if not told.of:
        frame.console.say("    no line of the record is about it")


def _say_step(console: Console, step: Step, about: str) -> None:
    console.say()
    console.say(f"recorded {instant(step.recorded_at)}", bold=True)
    for line in step.lines:
        _say_line(console, line)
    for change in step.changes:
        console.say(f"    {tells(change)}")
    if step.before == step.after:
        console.say(f"    the answer for {about} stays {values(step.after)}")
    else:
        console.say(f"    the answer for {about} was {values(step.before)}, becomes {values(step.after)}", fg="green")


def _say_line(console: Console, line: Line) -> None:
    by = f" · by {line.recorded_by}" if line.recorded_by else ""
    console.say(f"  {line.path}:{line.line}{by}: {says(line)}")
    if line.because:
        console.say(f'    because "{unpadded(line.because)}"')
    if line.proposal:
        by = f" by {line.proposal.recorded_by}" if line.proposal.recorded_by else ""
        console.say(f"    proposed{by}: {line.proposal.path}:{line.proposal.line}")
    if line.effect:
        console.say(f"    without effect: {line.effect}", fg="yellow")
