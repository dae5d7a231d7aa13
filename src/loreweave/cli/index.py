"""``lore index``: what the notes state now, recorded in the ledger, and the index brought up to date."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from loreweave.cli.embedding import make_vectors, say_embedded
from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import instant, number, waits
from loreweave.errors import BadRequest
from loreweave.reports.codec import plain
from loreweave.reports.waiting import Waiting

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.engine.embedding import Embedded
    from loreweave.engine.history import Walked
    from loreweave.engine.observing import Indexed
    from loreweave.library import Lore
    from loreweave.reports.tally import Tally

_ELSEWHERE = "{} observes this vault; nothing was recorded here"


@click.command("index")
@click.option("--full", is_flag=True, help="Read every file anew, whatever the index holds already.")
@click.option("--from-git", is_flag=True, help="Record what the notes said at each commit, since when it was made.")
@click.option("--start-over", is_flag=True, help="Go on where lines of the ledger are lost: their values begin anew.")
@framed_options
@pass_frame
def index_command(frame: Frame, /, full: bool, from_git: bool, start_over: bool) -> None:
    """Record what the notes state now, and what they state no longer; then bring the index up to date.

    Appends to lore/ledger and writes nothing else but .lore/. A note seen unchanged writes nothing.

    With --from-git the history of the vault's own repository is recorded instead, commit by commit along the first
    parents; a later run goes on after the last one. What is not committed waits for an index without it.
    """
    if from_git and full:
        raise BadRequest("--full and --from-git do not go together.", "leave out one of them")
    began = time.perf_counter()
    with frame.open() as lore:
        if from_git:
            _walk(frame, lore, start_over=start_over)
        else:
            _observe(frame, lore, full=full, start_over=start_over)
    frame.console.aside(f"in {time.perf_counter() - began:.2f} s")


def _observe(frame: Frame, lore: Lore, *, full: bool, start_over: bool) -> None:
    with frame.console.working("Reading the notes"):
        made = lore.index(full=full, start_over=start_over)
        held = lore.tally()
    embedded = make_vectors(frame.console, lore)
    if _say_json(frame, made, held, embedded):
        return
    _say(frame, made)
    _say_findings(frame, held)
    if embedded is not None:
        say_embedded(frame.console, embedded)
    for finding in made.refused:
        frame.console.warn(f"not recorded: {finding.path}:{finding.line}: {finding.message}")
        frame.console.hint(finding.hint)


def _walk(frame: Frame, lore: Lore, *, start_over: bool) -> None:
    with frame.console.working("Walking through the history"):
        made = lore.index_from_git(start_over=start_over)
        held = lore.tally()
    embedded = make_vectors(frame.console, lore)
    if _say_json(frame, made, held, embedded):
        return
    _say_walked(frame, made)
    _say_findings(frame, held)
    if embedded is not None:
        say_embedded(frame.console, embedded)
    told = waits(Waiting(held.unrecorded, held.departed, made.elsewhere))
    if told:
        frame.console.note(told)


def _say_json(frame: Frame, made: Indexed | Walked, held: Tally, embedded: Embedded | None) -> bool:
    """Say what came of it as JSON, where that is asked for; tell whether it is."""
    if frame.console.json:
        vectors = {} if embedded is None else {"embedded": embedded}
        frame.console.say_json({**plain(made), "errors": held.errors, "warnings": held.warnings, **vectors})
    return frame.console.json


def _say(frame: Frame, made: Indexed) -> None:
    say = frame.console.say
    notes = made.notes
    say(f"notes: +{notes.added} ~{notes.changed} -{notes.removed} ={notes.unchanged}")
    if made.elsewhere is not None:
        say(_ELSEWHERE.format(made.elsewhere))
        return
    if made.path is None:
        say("nothing to record")
    else:
        say(f"{_done(made.observed, made.withdrawn)}: {made.path}")
    for one in made.renamed:
        ended = f"{number(one.ended, 'belief')} ended, {one.began:,} began"
        say(f"{one.old} is now {one.new}: {ended} ({one.path})", fg="yellow")


def _done(observed: int, withdrawn: int) -> str:
    done = [f"observed {number(observed, 'value')}"] if observed else []
    done += [f"withdrew {number(withdrawn, 'value')}"] if withdrawn else []
    return ", ".join(done) or "recorded nothing"


def _say_findings(frame: Frame, held: Tally) -> None:
    frame.console.say(f"findings: {number(held.errors, 'error')}, {number(held.warnings, 'warning')}")
    if held.errors or held.warnings:
        frame.console.hint("`lore doctor` tells what they are")


def _say_walked(frame: Frame, made: Walked) -> None:
    say = frame.console.say
    if made.elsewhere is not None:
        say(_ELSEWHERE.format(made.elsewhere))
        return
    if made.first is None or made.last is None:
        say("no commit to walk since the last one")
        return
    say(f"walked {number(made.commits, 'commit')}, recorded from {instant(made.first)} to {instant(made.last)}")
    if made.raised:
        say(f"not dated after the commit before, and so recorded just after it: {number(made.raised, 'commit')}")
    say(_done(made.observed, made.withdrawn))
