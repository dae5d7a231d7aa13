"""``lore review``: passages that fade though they matter, and beliefs that have long been open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, instants, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import number
from loreweave.cli.screen import unpadded
from loreweave.projections.memory import FADED
from loreweave.reports.reviews import LIMIT
from loreweave.times import DAY, from_datetime, show_day

if TYPE_CHECKING:
    from datetime import datetime

    from loreweave.cli.options import Frame
    from loreweave.reports.review import Review, Standing


@click.command("review")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    default=FADED,
    show_default=True,
    metavar="NUMBER",
    help="A passage fades where less than this part of it is remembered.",
)
@limit_option(LIMIT)
@refresh_option
@framed_options
@pass_frame
def review_command(frame: Frame, /, threshold: float, limit: int, no_refresh: bool) -> None:
    """Show what to look at again: what was of use and fades, and what has long been believed.

    First the passages that were marked as used and are fading, then the beliefs without an end that nobody has said
    again for half a year; of each kind the most important first. `lore mark-used` brings a passage back; `lore assert`
    says that a belief still holds, `lore invalidate` that it does not.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        made = lore.review(threshold=threshold, limit=limit)
    if frame.console.json:
        frame.console.say_json(made)
        return
    _say_fading(frame, made)
    _say_open(frame, made)
    frame.console.say(instants(made.as_of, None))
    if not made.uses:
        frame.console.hint("no passage was marked as used yet: `lore mark-used ADDRESS` does it")


def _say_fading(frame: Frame, made: Review) -> None:
    if made.fading.of:
        frame.console.say("fading:", bold=True)
    for passage in made.fading.passages:
        frame.console.say(f"  {passage.address}")
        frame.console.say(f"      {passage.begins}")
        used = f"used {number(passage.uses, 'time')}, last on {_day(passage.last_used)}"
        left = f"{passage.retrievability:.0%} remembered · importance {passage.importance:.2f}"
        frame.console.say(f"      {left} · {used}", dim=True)
    if made.fading.shown < made.fading.of:
        frame.console.say(f"showing {made.fading.shown:,} of {number(made.fading.of, 'fading passage')}")
    if not made.fading.of:
        every = "every passage marked as used is still remembered" if made.uses else "no passage was marked as used"
        frame.console.say(every)


def _say_open(frame: Frame, made: Review) -> None:
    if made.open.of:
        frame.console.say("long open:", bold=True)
    for belief in made.open.beliefs:
        said = " :: ".join(map(unpadded, (belief.subject, belief.predicate, belief.object)))
        frame.console.say(f"  {said}")
        frame.console.say(f"      since {_day(belief.valid_from)}: still true? · {_said(belief)}", dim=True)
    if made.open.shown < made.open.of:
        frame.console.say(f"showing {made.open.shown:,} of {number(made.open.of, 'belief')} long open")
    if not made.open.of:
        frame.console.say("no belief has long been open")
    if made.open.over:
        frame.console.say(f"not asked of {number(made.open.over, 'belief')} that are over by their words", dim=True)


def _said(belief: Standing) -> str:
    who = f" by {belief.recorded_by}" if belief.recorded_by else ""
    return f"{belief.source}{who}, last said {_day(belief.recorded_at)} · {belief.path}:{belief.line}"


def _day(moment: datetime) -> str:
    """Show the day of an instant."""
    at = from_datetime(moment)
    return show_day(at - at % DAY)
