"""``lore count``: how many spells began in a window of valid time, in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from loreweave.cli.options import (
    DATE,
    framed_options,
    known_option,
    limit_option,
    pass_frame,
    refresh_option,
)
from loreweave.cli.phrases import instant
from loreweave.reports.answer import GROUPS
from loreweave.reports.count import GROUPINGS

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.reports.count import Count


class Grouping(click.ParamType[str]):
    """A way of grouping; the library says which there are."""

    name = "grouping"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """Offer the ways of grouping."""
        from click.shell_completion import CompletionItem

        del ctx, param
        return [CompletionItem(name) for name in GROUPINGS if name.startswith(incomplete)]


@click.command("count")
@click.option("--subject", metavar="S", help="Only of this subject, however it is spelled.")
@click.option("--predicate", metavar="P", help="Only this predicate.")
@click.option(
    "--group-by",
    type=Grouping(),
    default="object",
    show_default=True,
    metavar="WHAT",
    help=f"One of {', '.join(GROUPINGS)}.",
)
@click.option("--since", type=DATE, metavar="DATE", help="Only spells that begin on this date or later.")
@click.option("--until", type=DATE, metavar="DATE", help="Only spells that begin before this date.")
@known_option
@limit_option(GROUPS)
@refresh_option
@framed_options
@pass_frame
def count_command(frame: Frame, /, no_refresh: bool, **asked: object) -> None:
    """Count the spells that began in a window of valid time, in groups of equal keys.

    A spell is the longest interval of one value: a value that was said again without a gap counts once. Subjects and
    objects that are names of one note, or one name in the singular and the plural, are one group, shown as it was
    written first.
    """
    with frame.asking(refresh=not no_refresh) as lore:
        counted = lore.count(**asked)  # type: ignore[arg-type]
    if frame.console.json:
        frame.console.say_json(counted)
        return
    for group in counted.groups:
        frame.console.say(f"{group.count:>6,}  {group.group}")
    frame.console.say(_total(counted))


def _total(counted: Count) -> str:
    if not counted.of:
        return f"no facts that began {_window(counted)}"
    groups = "1 group" if counted.of == 1 else f"{counted.of:,} groups"
    cut = f"showing {counted.shown:,} of {groups}, " if counted.shown < counted.of else f"{groups}, "
    spells = "1 spell" if counted.total == 1 else f"{counted.total:,} spells"
    return f"{cut}{spells} that began {_window(counted)}"


def _window(counted: Count) -> str:
    since = f"from {instant(counted.since)} on" if counted.since else ""
    until = f"before {instant(counted.until)}" if counted.until else ""
    known = f"as known at {instant(counted.as_known_at)}" if counted.as_known_at else "as best known"
    return f"{' and '.join(filter(None, (since, until))) or 'at any time'}, {known}"
