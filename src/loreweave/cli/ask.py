"""``lore ask``: what is believed that answers a question, and the spans that speak of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from loreweave.cli.facts import say_fact
from loreweave.cli.options import TIME, framed_options, instants, known_option, pass_frame, refresh_option
from loreweave.cli.phrases import day, interval
from loreweave.cli.search import say_found, spans_options
from loreweave.reports.answer import PASSAGES

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.reports.ask import Reply
    from loreweave.reports.spells import Gap, Spell


@click.command("ask")
@click.argument("question", metavar="QUESTION")
@click.option("--as-of", type=TIME, metavar="TIME", help="The instant asked about; else the question's, else now.")
@known_option
@spans_options(PASSAGES)
@refresh_option
@framed_options
@pass_frame
def ask_command(frame: Frame, /, question: str, no_refresh: bool, full: bool, **asked: Any) -> None:
    """Answer a QUESTION from what is believed, and from the notes.

    First the beliefs that share words with the question, at the date it names ("before August 2025", "in
    2023"), else now; "when", "how long" and "history" ask for all valid time. Then the spans that speak of
    it. Nothing is made up: what is shown is on record.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        reply, root = lore.ask(question, **asked), lore.engine.root
        found = reply.shown or reply.gaps or reply.found.results
        advice = "" if found else lore.search_advice(question)
    if frame.console.json:
        from loreweave.reports.ask import as_json

        frame.console.say_json(as_json(reply, str(root)))
        return
    _say_beliefs(frame, reply)
    frame.console.say()
    say_found(frame.console, reply.found, root, whole=full)
    about, _, known = instants(reply.as_of, reply.as_known_at).partition(", ")
    frame.console.say(f'{about} ("{reply.read}"), {known}' if reply.read and reply.as_of else f"{about}, {known}")
    frame.console.hint(advice)


def _say_beliefs(frame: Frame, reply: Reply) -> None:
    say = frame.console.say
    for fact in reply.facts:
        say_fact(frame, fact)
    if reply.spells and reply.as_of is not None:
        say(f"also {reply.read}:")
    for spell in reply.spells:
        holds = interval(spell.valid_from, spell.valid_until)
        say(f"{spell.subject} :: {spell.predicate} :: {spell.object}  ({holds})")
        say(f"    {_said(spell)}", dim=True)
    if reply.as_of is not None:
        for gap in reply.gaps:
            _say_gap(frame.console, gap, day(reply.as_of))
    if reply.shown < reply.of:
        say(f"showing {reply.shown:,} of {reply.of:,}{' or more' if reply.is_cut else ''}")
    if len(reply.gaps) < reply.gaps_of:
        say(f"nothing is believed then of {reply.gaps_of - len(reply.gaps):,} more")
    if not (reply.facts or reply.spells or reply.gaps):
        say("no beliefs")


def _say_gap(console: Console, gap: Gap, as_of: str) -> None:
    value = f" :: {gap.object}" if gap.object is not None else ""
    console.say(f"{gap.subject} :: {gap.predicate}{value}  (not believed as of {as_of})")
    for word, spell in (("before", gap.before), ("after", gap.after)):
        if spell is not None:
            held = f'"{spell.object}" {interval(spell.valid_from, spell.valid_until)}'
            console.say(f"    {word}: {held} · {_said(spell)}", dim=True)


def _said(spell: Spell) -> str:
    """Tell on whose word a spell is, and where that stands."""
    sure = f", confidence {spell.confidence:g}" if spell.confidence < 1 else ""
    by = f", by {spell.recorded_by}" if spell.recorded_by else ""
    return f"{spell.source}{sure}{by} · {spell.path}:{spell.line} · recorded {day(spell.recorded_at)}"
