"""``lore stats``: what the vault holds, in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, instants, pass_frame, refresh_option
from loreweave.cli.phrases import number, size
from loreweave.events.slots import key

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.reports.stats import Stats


@click.command("stats")
@refresh_option
@framed_options
@pass_frame
def stats_command(frame: Frame, /, no_refresh: bool) -> None:
    """Count notes, spans, words, links and tags, events and facts; name what is spoken of most.

    Numbers are those of one scope; sizes are those of the whole vault.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        found = lore.stats()
    if frame.console.json:
        frame.console.say_json(found)
        return
    for line in _lines(found):
        frame.console.say(line)
    frame.console.say(instants(found.as_of, None))
    sizes = ", ".join(f"{name} {size(weight)}" for name, weight in found.bytes.items())
    frame.console.aside(f"sizes: {sizes}")


def _lines(found: Stats) -> Iterator[str]:
    counts = found.counts
    told = {name: number(count, name.removesuffix("s")) for name, count in counts.items()}
    dated, different = f"{counts['dated_spans']:,} dated", f"{counts['terms']:,} different"
    yield f"notes: {counts['notes']:,}, {told['spans']} ({dated}), {told['words']} ({different})"
    yield f"links: {counts['links']:,} ({counts['broken_links']:,} broken), {told['tags']}"
    yield f"record: {told['events']}, {told['beliefs']} of {told['slots']} and {told['subjects']}; now {told['facts']}"
    if found.entities:
        yield "entities, by how many spans of other notes speak of them, and how many slots they have:"
    for entity in found.entities:
        mark = "#" if entity.kind == "tag" else ""
        yield f"{entity.spans:>6,} {entity.slots:>6,}  {mark}{entity.name}"
    if found.shown < found.of:
        yield f"showing {found.shown:,} of {found.of:,} entities"
    if others := [scope for scope in found.scopes if scope != key(found.scope)]:
        yield f"other scopes: {', '.join(others)}"
