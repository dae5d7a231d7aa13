"""``lore ask``: what is believed that answers a question, and the spans that speak of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from loreweave.cli.facts import say_fact
from loreweave.cli.options import TIME, framed_options, instants, known_option, pass_frame, refresh_option
from loreweave.cli.phrases import day, interval, legible
from loreweave.cli.search import say_found, spans_options
from loreweave.reports.answer import PASSAGES

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.reports.ask import Reply
    from loreweave.reports.spells import Gap, Spell
    from loreweave.reports.unsaid import Unsaid

_ENDED = {"FactInvalidated": "closed", "FactAsserted": "replaced", "ValueObserved": "replaced"}


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
    about, known = _instants(reply, exact=asked["as_of"] is not None)
    _say_beliefs(frame, reply, about)
    frame.console.say()
    say_found(frame.console, reply.found, root, whole=full)
    frame.console.say(f'{about} ("{reply.read}"), {known}' if reply.read and reply.as_of else f"{about}, {known}")
    frame.console.hint(advice)


def _instants(reply: Reply, *, exact: bool) -> tuple[str, str]:
    """Say which instants a reply is for; what was not said to the microsecond is told as people do."""
    about, _, known = instants(reply.as_of, reply.as_known_at).partition(", ")
    return about if exact or reply.as_of is None else f"as of {legible(reply.as_of)}", known


def _say_beliefs(frame: Frame, reply: Reply, about: str) -> None:
    say = frame.console.say
    for fact in reply.facts:
        say_fact(frame, fact)
    if reply.spells and reply.as_of is not None:
        say(f"also {reply.read}:")
    for spell in reply.spells:
        holds = interval(spell.valid_from, spell.valid_until)
        say(f"{spell.subject} :: {spell.predicate} :: {spell.object}  ({holds})")
        say(f"    {_said(spell)}", dim=True)
    for gap in reply.gaps:
        _say_gap(frame.console, gap, "" if reply.as_of is None else f" {about}")
    if reply.shown < reply.of:
        say(f"showing {reply.shown:,} of {reply.of:,}{' or more' if reply.is_cut else ''}")
    if len(reply.gaps) < reply.gaps_of:
        say(f"nothing is believed then of {reply.gaps_of - len(reply.gaps):,} more")
    if not (reply.facts or reply.spells or reply.gaps):
        say("no beliefs")


def _say_gap(console: Console, gap: Gap, about: str) -> None:
    value = f" :: {gap.object}" if gap.object is not None else ""
    console.say(f"{gap.subject} :: {gap.predicate}{value}  (not believed{about})")
    for word, spell in (("before", gap.before), ("after", gap.after)):
        if spell is not None:
            held = f'"{spell.object}" {interval(spell.valid_from, spell.valid_until)}'
            console.say(f"    {word}: {held} · {_said(spell)}", dim=True)
    if gap.once is not None:
        console.say(f"    {_ended(gap.once)}", dim=True)


def _ended(gone: Unsaid) -> str:
    """Tell what was once believed, and on whose word it is no longer."""
    by = f" by {gone.recorded_by}" if gone.recorded_by else f", no longer in {gone.note}" if gone.note else ""
    why = f', because "{gone.because}"' if gone.because else ""
    held = f'"{gone.object}" {interval(gone.valid_from, gone.valid_until)}'
    ended = _ENDED.get(gone.kind, "withdrawn")
    return f"once: {held} · {ended} on {day(gone.known_until)}{by}{why} · {gone.path}:{gone.line}"


def _said(spell: Spell) -> str:
    """Tell on whose word a spell is, and where that stands."""
    sure = f", confidence {spell.confidence:g}" if spell.confidence < 1 else ""
    by = f", by {spell.recorded_by}" if spell.recorded_by else ""
    return f"{spell.source}{sure}{by} · {spell.path}:{spell.line} · recorded {day(spell.recorded_at)}"
