"""``lore dream``: what a vault would have tidied up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, instants, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import number
from loreweave.cli.screen import unpadded

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.reports.dream import Dream

SHOWN = 10
"""How many items of each list are shown where nothing is said."""


@click.command("dream")
@click.option("--apply", is_flag=True, help="Write the digest of the day and the review queue, under lore/.")
@limit_option(SHOWN)
@refresh_option
@framed_options
@pass_frame
def dream_command(frame: Frame, /, apply: bool, limit: int, no_refresh: bool) -> None:
    """Report what might be tidied up: contradictions, changes, what is stale, duplicates, missing links, orphans.

    Nothing is rewritten. With --apply the report is also written to lore/digests/, once a day, and to
    lore/review-queue.md as a list to tick; what is ticked there stays ticked.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        made = lore.dream(apply=apply, limit=limit)
    if frame.console.json:
        frame.console.say_json(made)
        return
    _say(frame, made)
    frame.console.say(instants(made.as_of, None))
    for path in made.written:
        frame.console.say(f"wrote {path}")
    if apply and not made.written:
        frame.console.say("the digest and the review queue are up to date")
    if not apply:
        frame.console.hint("`lore dream --apply` makes a review queue of it")


def _say(frame: Frame, made: Dream) -> None:
    from loreweave.reports.told import HEADINGS, Style, lists, note_of, told

    style = Style(
        unpadded, lambda text: f'"{unpadded(text)}"', str, lambda place: f"{note_of(place)}:{place.rpartition(':')[2]}"
    )
    counts = made.counts
    frame.console.say(
        f"{number(counts['notes'], 'note')}, {number(counts['spans'], 'span')}, {number(counts['facts'], 'fact')} now"
    )
    for name, found in lists(made):
        if found.unavailable:
            frame.console.say(f"{HEADINGS[name]}: n/a, {found.unavailable}", dim=True)
            continue
        cut = f"showing {found.shown:,} of {found.of:,}" if found.shown < found.of else f"{found.of:,}"
        frame.console.say(f"{HEADINGS[name]}: {cut if found.of else 'none'}", bold=bool(found.of))
        for item in found.items:
            frame.console.say(f"  {told(item, style)}")
