"""``lore doctor``: what is wrong with the vault, what it weighs, and what the record says no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import instant, number, size
from loreweave.reports.doctor import DERIVED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from loreweave.cli.console import Console
    from loreweave.cli.options import Frame
    from loreweave.reports.doctor import Complaint, Examination
    from loreweave.reports.redactions import Redactions


_ALL = "lore query \"select path, line, message from findings where code = '{}'\""
"""What lists every finding of a code."""


@click.command("doctor")
@click.option("--against", metavar="OLD", help="An earlier index file, or a git revision: list lines gone or changed.")
@framed_options
@pass_frame
def doctor_command(frame: Frame, /, against: str | None) -> None:
    """Examine the vault: findings by code, the index against its files, record times, sizes.

    Exits 1 where a line is in error, the index is not true to its files, or a line of the record has gone.
    """
    with frame.open() as lore, frame.console.working("Examining the vault"):
        found = lore.doctor(against=against)
    frame.exit_code = 0 if found.is_sound else 1
    if frame.console.json:
        frame.console.say_json(found)
        return
    say = frame.console.say
    say(f"index: {'; '.join(found.faults) or 'true to its files'}")
    if found.settings:
        say(f"settings: {found.settings}", fg="red")
    _say_times(frame.console, found)
    _say_sizes(frame.console, found)
    sizes = ", ".join(f"{name} {size(weight)}" for name, weight in found.bytes.items())
    frame.console.aside(f"sizes: {sizes}")
    for complaint in found.findings:
        _say_complaint(frame.console, complaint)
    if not found.findings:
        say("findings: none")
    if found.redactions is not None:
        _say_redactions(frame.console, found.redactions)


def _say_times(console: Console, found: Examination) -> None:
    times = found.record_times
    console.say(f"last record time: {instant(times.last) if times.last else 'none'}")
    if times.future:
        console.say(
            f"recorded later than now: {number(times.future, 'event')}: {_places(times.future_places, times.future)}"
        )
    if found.undated:
        lines = number(found.undated, "journal line")
        console.say(f"without a record time of their own: {lines}: {_places(found.undated_places, found.undated)}")
        console.say("    a merge may give them a later one; write recorded_at on them")


def _say_sizes(console: Console, found: Examination) -> None:
    counted = {name: number(count, name.removesuffix("s")) for name, count in found.rows.items()}
    alias = f" ({found.by_alias:,} by an alias)" if found.by_alias else ""
    console.say(f"notes: {found.rows['notes']:,}, {counted['spans']}, {counted['links']}{alias}, {counted['tags']}")
    console.say(f"record: {counted['events']}, {counted['beliefs']}")


def _say_complaint(console: Console, complaint: Complaint) -> None:
    colour = "red" if complaint.is_error else "yellow"
    counted = number(complaint.count, complaint.severity)
    console.say(f"{complaint.code}: {counted}: {_places(complaint.places, complaint.of)}", fg=colour)
    console.say(f"    {complaint.message}")
    if complaint.hint:
        console.say(f"    hint: {complaint.hint}")
    for offer in complaint.offers:
        console.say(f"      {offer}")
    if complaint.count > 1 and complaint.code not in DERIVED:
        console.say(f"    all: {_ALL.format(complaint.code)}")


def _say_redactions(console: Console, found: Redactions) -> None:
    console.say(f"against {found.against}: {number(found.of, 'line')} gone or changed, {found.added:,} added")
    for item in found.items:
        console.say(
            f"    {item.change}: {item.said} ({item.kind}, recorded {item.recorded_at}), was {item.path}:{item.line}"
        )
        if item.now is not None:
            console.say(f"        now: {item.now} at {item.now_at}")
    if found.shown < found.of:
        console.say(f"    showing {found.shown:,} of {found.of:,}")


def _places(places: Sequence[str], count: int) -> str:
    more = count - len(places)
    return ", ".join(places) + (f" and {more:,} more" if more > 0 else "")
