"""``lore proposals``: what waits for a person's word, and what its approval would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.effects import would
from loreweave.cli.options import framed_options, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import day, instant, interval, number
from loreweave.cli.screen import brief, paged_width, unpadded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from loreweave.cli.options import Frame
    from loreweave.engine.pending import Proposal


@click.command("proposals")
@click.option(
    "--status",
    type=click.Choice(["pending", "approved", "rejected", "all"]),
    default="pending",
    show_default=True,
    help="Which to show.",
)
@click.option("--full", is_flag=True, help="Show long texts whole.")
@limit_option(200)
@refresh_option
@framed_options
@pass_frame
def proposals_command(frame: Frame, /, status: str, full: bool, limit: int, no_refresh: bool) -> None:
    """Show what is proposed for the record, the oldest first, and what its approval would do.

    A proposal changes no answer. `lore approve` and `lore reject` take its id, or four digits of it or more. Each
    begins with its id at the left edge; what goes on below stands further in. Long texts are cut, unless with --full.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found = lore.proposals(status=status, limit=limit)
    if frame.console.json:
        frame.console.say_json(found)
        return
    room = paged_width()
    for proposal in found.proposals:
        head, *rest = _lines(proposal, whole=full)
        frame.console.say(head, room=room)
        for line in rest:
            frame.console.say(f"    {line}", room=room, dim=True)
    if not found.of:
        frame.console.say("no proposals" if status == "all" else f"no proposals are {status}")
    elif found.shown < found.of:
        frame.console.say(f"showing {found.shown:,} of {number(found.of, 'proposal')}")


def _lines(proposal: Proposal, *, whole: bool) -> Iterator[str]:
    """Tell of one proposal: all that would be written, by whom and why, and what its approval would do, or did."""
    from loreweave.engine.chosen import SHORT

    yield f"{proposal.proposal_id[:SHORT]}  {_says(proposal, whole=whole)}"
    by = f" by {unpadded(proposal.recorded_by)}" if proposal.recorded_by else ""
    told = [", ".join(_marks(proposal)), f"proposed{by} {instant(proposal.recorded_at)}"]
    yield " · ".join(filter(None, (*told, f"{proposal.path}:{proposal.line}")))
    for name, text in (("because", proposal.because), ("episode", proposal.episode)):
        if text:
            yield f"{name}: {brief(text, whole=whole)}"
    if proposal.decided_at is not None:
        yield _decision(proposal, proposal.decided_at, whole=whole)
    yield from would(proposal.effects, whole=whole)
    if proposal.objection:
        yield f"cannot be approved: {brief(proposal.objection, whole=whole)}"
    elif proposal.changed:
        yield "the slot has changed since: approval takes --force"


def _marks(proposal: Proposal) -> Iterator[str]:
    """Give what else is said of the value; what is said to be stated, and quotes nobody, is approved as inferred."""
    from loreweave.events.proposals import CONCLUDED, FACT, quotes_a_person

    if proposal.source:
        kept = proposal.kind != FACT or quotes_a_person(proposal.source, proposal.because)
        yield proposal.source if kept or proposal.source == CONCLUDED else f"{proposal.source}, approved as {CONCLUDED}"
    if proposal.confidence is not None and proposal.confidence < 1:
        yield f"confidence {proposal.confidence:g}"
    if proposal.many:
        yield "many"


def _decision(proposal: Proposal, decided_at: datetime, *, whole: bool) -> str:
    by = f" by {unpadded(proposal.decided_by)}" if proposal.decided_by else ""
    why = f": {brief(proposal.rejected_because, whole=whole)}" if proposal.rejected_because else ""
    return f"{proposal.status}{by} {instant(decided_at)}{why}"


def _says(proposal: Proposal, *, whole: bool) -> str:
    parts = proposal.subject, proposal.predicate, proposal.object
    slot = " :: ".join(brief(part, whole=whole) for part in parts if part is not None)
    if proposal.kind == "fact":
        return f"{slot}  ({interval(proposal.valid_from or proposal.recorded_at, proposal.valid_until)})"
    if proposal.kind == "invalidate":
        return f"invalidate {slot}  (from {day(proposal.valid_until or proposal.recorded_at)} on)"
    return f"retract {slot}" + (f"  (from {day(proposal.valid_from)})" if proposal.valid_from else "")
