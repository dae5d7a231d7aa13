"""``lore search``: the spans that answer, each with its address and why it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loreweave.cli.options import DATE, framed_options, pass_frame, refresh_option
from loreweave.cli.passages import say_span
from loreweave.cli.phrases import interval, number

if TYPE_CHECKING:
    from pathlib import Path

    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.search.found import Fact, Found

LIMIT = 5

_F = TypeVar("_F", bound=Callable[..., Any])


def spans_options(limit: int) -> Callable[[_F], _F]:
    """Let a command say how many spans it shows, and how much of each."""
    settings: dict[str, Any] = {"type": click.IntRange(min=1), "default": limit, "show_default": True, "metavar": "N"}
    full = click.option("--full", is_flag=True, help="Show each span whole, not only the lines that answer.")
    count = click.option("-k", "--limit", **settings, help="How many spans to show at most.")
    return lambda command: count(full(command))


@click.command("search")
@click.argument("wordings", nargs=-1, required=True, metavar="WORDING…")
@spans_options(LIMIT)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only notes with this tag; -TAG: without it.")
@click.option("--folder", metavar="DIR", help="Only notes in this folder of the vault, and below it.")
@click.option("--since", type=DATE, metavar="DATE", help="Only spans about this date or later.")
@click.option("--until", type=DATE, metavar="DATE", help="Only spans about a time before this date.")
@refresh_option
@framed_options
@pass_frame
def search_command(frame: Frame, /, wordings: tuple[str, ...], no_refresh: bool, full: bool, **facets: Any) -> None:
    """Find the spans of notes that answer, asked for in one WORDING or in several.

    Put each wording in quotes: what several of them find comes first. Dates in a wording, such as "in March
    2024" or "before Q3 2025", prefer what is about that time; --since and --until leave out all else, and take a
    day, month, quarter or year in any such form, or "last month". A score orders the spans of one answer, and says
    nothing of what is absent.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found, root = lore.search(*wordings, **facets), lore.engine.root
        advice = "" if found.results else lore.search_advice(*wordings, **facets)
    if frame.console.json:
        from loreweave.reports.search import as_json

        frame.console.say_json(as_json(found, str(root)))
        return
    say_found(frame.console, found, root, whole=full)
    _say_facts(frame.console, found.facts)
    frame.console.hint(advice)


def say_found(console: Console, found: Found, root: Path, *, whole: bool) -> None:
    """Print spans, and below them how many, and what keeps the answer from being whole."""
    cut = 0
    for result in found.results:
        cut += say_span(console, result, root, whole=whole)
        console.say()
    console.say(_count(len(found.results), cut))
    if found.undated:
        console.say(f"left out without a date: {number(found.undated, 'span')}")
    if found.exhausted:
        console.say("part of the vault was not ranked")
    for reason in found.degraded or ():
        console.warn(reason)


def _count(shown: int, cut: int) -> str:
    if not shown:
        return "no spans"
    if not cut:
        return number(shown, "span")
    some = "" if cut == shown else f"{cut} of them "
    return f"{number(shown, 'span')}, {some}cut: --full shows {'it' if cut == 1 else 'them'} whole"


def _say_facts(console: Console, facts: tuple[Fact, ...]) -> None:
    if facts:
        console.say("believed now:", bold=True)
    for fact in facts:
        holds = f"{fact.subject} :: {fact.predicate} :: {fact.object}  ({interval(fact.valid_from, fact.valid_until)})"
        console.say(f"    {holds}  {fact.source} · {fact.path}:{fact.line}")
