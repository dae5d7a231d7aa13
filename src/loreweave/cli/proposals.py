"""``lore proposals``: what waits for a person's word, and what its approval would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.effects import would
from loreweave.cli.options import framed_options, limit_option, pass_frame, refresh_option
from loreweave.cli.phrases import day, instant, interval, number

if TYPE_CHECKING:
    from collections.abc import Iterator

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
@limit_option(200)
@refresh_option
@framed_options
@pass_frame
def proposals_command(frame: Frame, /, status: str, limit: int, no_refresh: bool) -> None:
    """Show what is proposed for the record, the oldest first, and what its approval would do.

    A proposal changes no answer. `lore approve` and `lore reject` take its id, or four digits of it or more.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found = lore.proposals(status=status, limit=limit)
    if frame.console.json:
        frame.console.say_json(found)
        return
    for proposal in found.proposals:
        head, *rest = _lines(proposal)
        frame.console.say(head)
        for line in rest:
            frame.console.say(f"    {line}", dim=True)
    if not found.of:
        frame.console.say("no proposals" if status == "all" else f"no proposals are {status}")
    elif found.shown < found.of:
        frame.console.say(f"showing {found.shown:,} of {number(found.of, 'proposal')}")


def _lines(proposal: Proposal) -> Iterator[str]:
    """Tell of one proposal: what it says, by whom and why, and what its approval would do, or what became of it."""
    from loreweave.engine.chosen import SHORT

    yield f"{proposal.proposal_id[:SHORT]}  {_says(proposal)}"
    marks = [proposal.source] if proposal.source else []
    if proposal.confidence is not None and proposal.confidence < 1:
        marks.append(f"confidence {proposal.confidence:g}")
    if proposal.many:
        marks.append("many")
    by = f" by {proposal.recorded_by}" if proposal.recorded_by else ""
    told = [", ".join(marks), f"proposed{by} {instant(proposal.recorded_at)}", f"{proposal.path}:{proposal.line}"]
    yield " · ".join(filter(None, told))
    if proposal.because:
        yield f"because: {proposal.because}"
    if proposal.decided_at is not None:
        by = f" by {proposal.decided_by}" if proposal.decided_by else ""
        why = f": {proposal.rejected_because}" if proposal.rejected_because else ""
        yield f"{proposal.status}{by} {instant(proposal.decided_at)}{why}"
    yield from would(proposal.effects)
    if proposal.objection:
        yield f"cannot be approved: {proposal.objection}"
    elif proposal.changed:
        yield "the slot has changed since: approval takes --force"


def _says(proposal: Proposal) -> str:
    named = "" if proposal.object is None else f" :: {proposal.object}"
    slot = f"{proposal.subject} :: {proposal.predicate}{named}"
    if proposal.kind == "fact":
        return f"{slot}  ({interval(proposal.valid_from or proposal.recorded_at, proposal.valid_until)})"
    if proposal.kind == "invalidate":
        return f"invalidate {slot}  (from {day(proposal.valid_until or proposal.recorded_at)} on)"
    return f"retract {slot}" + (f"  (from {day(proposal.valid_from)})" if proposal.valid_from else "")
