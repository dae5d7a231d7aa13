"""``lore propose``: what a note says and nobody has on record, to be looked at, or to become proposals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, limit_option, pass_frame
from loreweave.cli.phrases import day, number
from loreweave.cli.screen import unpadded

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.engine.mining import Candidate, Mined


@click.command("propose")
@click.argument("note")
@click.option("--submit", is_flag=True, help="Make proposals of those shown.")
@click.option("--by", envvar="LORE_BY", metavar="WHO", help="Who proposes; else LORE_BY, else extraction.")
@limit_option(50)
@framed_options
@pass_frame
def propose_command(frame: Frame, /, note: str, submit: bool, by: str | None, limit: int) -> None:
    """Show what NOTE says, in labels such as "**Owner**: Priya" too, that is not on record; assert nothing.

    NOTE may be a section or lines of a note, as `lore search` prints them: only what stands there is shown then.
    """
    with frame.open() as lore:
        made = lore.propose_facts(note, submit=submit, limit=limit, by=by)
    if made.journal:
        frame.standing = f"The proposals stand in {made.journal}, from line {made.line_number} on."
    if frame.console.json:
        frame.console.say_json(made)
        return
    for candidate in made.candidates:
        _say(frame, candidate)
    _say_ending(frame, made)


def _say(frame: Frame, found: Candidate) -> None:
    from loreweave.engine.chosen import SHORT

    name = f"{found.proposal_id[:SHORT]}  " if found.proposal_id else ""
    since = f" from {day(found.valid_from)}" if found.valid_from else ""
    until = f" until {day(found.valid_until)}" if found.valid_until else ""
    said = " :: ".join(map(unpadded, (found.subject, found.predicate, found.object)))
    frame.console.say(f"{name}{said}{since}{until}")
    marks = [found.form, f"confidence {found.confidence:g}", f"{found.path}:{found.line}"]
    if found.waits:
        marks.append("waits for `lore index`")
    frame.console.say(f"    {' · '.join(marks)}", dim=True)


def _say_ending(frame: Frame, made: Mined) -> None:
    say = frame.console.say
    if made.shown < made.of:
        say(f"showing {made.shown:,} of {number(made.of, 'candidate')}")
    elif not made.of:
        say("no candidates")
    left = (("on record", made.on_record), ("proposed already", made.proposed), ("rejected before", made.rejected))
    told = [f"{count:,} {why}" for why, count in left if count]
    if told:
        say(f"left out: {', '.join(told)}")
    if made.journal:
        say(f"✓ {number(made.shown, 'proposal')}: {made.journal}:{made.line_number}")
