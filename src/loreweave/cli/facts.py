"""``lore facts``: what was believed, with where it was written and since when it was known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, limit_option, moment_options, pass_frame, refresh_option
from loreweave.cli.phrases import interval
from loreweave.reports.answer import FACTS

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.reports.facts import Fact


@click.command("facts")
@click.option("--subject", metavar="S", help="Only of this subject, however it is spelled.")
@click.option("--predicate", metavar="P", help="Only this predicate.")
@click.option("--object", metavar="O", help="Only this value.")
@click.option("--source", metavar="SOURCE", help="Only what was stated, inferred or extracted.")
@moment_options
@click.option("--history", is_flag=True, help="All valid time, as believed at --as-known-at.")
@limit_option(FACTS)
@refresh_option
@framed_options
@pass_frame
def facts_command(frame: Frame, /, no_refresh: bool, **asked: object) -> None:
    """Show what is believed: now and as best known, unless you say otherwise.

    Each fact is shown with the interval in which it holds, then who vouches for it, its line, and the
    interval of record time in which it was believed.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        answer = lore.facts(**asked)  # type: ignore[arg-type]
        advice = "" if answer.items else lore.advice(**asked)  # type: ignore[arg-type]
    if frame.console.json:
        frame.console.say_json(answer)
        return
    for fact in answer:
        say_fact(frame, fact)
    if not answer.items:
        frame.console.say("no facts")
    frame.say_ending(answer)
    frame.console.hint(advice)


def say_fact(frame: Frame, fact: Fact) -> None:
    """Print one fact in two lines."""
    say = frame.console.say
    say(f"{fact.subject} :: {fact.predicate} :: {fact.object}  ({interval(fact.valid_from, fact.valid_until)})")
    marks = [fact.source]
    if fact.confidence < 1:
        marks.append(f"confidence {fact.confidence:g}")
    if fact.many:
        marks.append("many")
    place = f"{fact.path}:{fact.line}"
    say(f"    {', '.join(marks)} · {place} · known {interval(fact.known_from, fact.known_until)}", dim=True)
