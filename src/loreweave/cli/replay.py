"""``lore replay``: the index made from the files, what came of it, and its digest."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import number, waits
from loreweave.errors import BadRequest
from loreweave.reports.waiting import Waiting

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.errors import Finding
    from loreweave.library import Lore
    from loreweave.reports.tally import Tally

_DIGEST = re.compile("[0-9a-f]{64}", re.IGNORECASE).fullmatch


class Digest(click.ParamType[str]):
    """A digest as ``--digest`` prints it."""

    name = "digest"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the text; raise BadRequest for one that no digest can equal, above all an empty one."""
        del param, ctx
        if not _DIGEST(value):
            told = f'--expect-digest: "{value}" is not a digest.'
            raise BadRequest(told, "give the 64 hexadecimal digits that --digest prints")
        return value.lower()


@click.command("replay")
@click.option("--check", is_flag=True, help="Exit 1 on an error finding, or where values wait to be recorded.")
@click.option("--cold", is_flag=True, help="Read every file, whatever the index holds already.")
@click.option(
    "--digest",
    type=click.Choice(("all", "answers")),
    is_flag=False,
    flag_value="all",
    help="Print the digest, and one for each table; answers leaves out origins and the text of notes.",
)
@click.option("--expect-digest", type=Digest(), metavar="DIGEST", help="Exit 1 if the digest is another.")
@framed_options
@pass_frame
def replay_command(frame: Frame, /, check: bool, cold: bool, digest: str | None, expect_digest: str | None) -> None:
    """Make the index from the record and the notes: read only what changed, or everything with --cold.

    Writes nothing but .lore/: what notes state and nobody recorded yet is counted, and `lore index` records it.
    Equal files give equal digests on any machine.
    """
    began = time.perf_counter()
    with frame.open() as lore:
        with frame.console.working("Replaying the record"):
            made = lore.replay(cold=cold, digest=digest or (None if expect_digest is None else "all"))
        if frame.console.json:
            frame.console.say_json(made)
        else:
            _say(frame, made, show_digest=digest is not None)
        frame.console.aside(f"in {time.perf_counter() - began:.2f} s")
        told = waits(Waiting(made.unrecorded, made.departed, lore.observer()))
        if told:
            frame.console.note(told)
        if check:
            _check(frame, lore, made)
    if expect_digest is not None:
        _compare(frame, made, expect_digest)


def _compare(frame: Frame, made: Tally, expected: str) -> None:
    """Leave with 1 where the digest is another."""
    found = made.digest["whole"] if made.digest else ""
    if found != expected:
        frame.console.fail(f'The digest is {found}, not "{expected}".')
        frame.exit_code = 1


def _say(frame: Frame, made: Tally, *, show_digest: bool) -> None:
    say = frame.console.say
    say(f"notes: {made.notes:,}")
    say(f"record: {number(made.files, 'file')}, {number(made.lines, 'line')}, {number(made.events, 'event')}")
    say(f"beliefs: {made.beliefs:,}")
    say(f"findings: {number(made.errors, 'error')}, {number(made.warnings, 'warning')}")
    if show_digest and made.digest is not None:
        for name, digest in made.digest.items():
            say(f"{'digest' if name == 'whole' else f'  {name}':<12} {digest}")


def _check(frame: Frame, lore: Lore, made: Tally) -> None:
    """List what is in error, and leave with 1."""
    for finding in lore.errors():
        say_finding(frame, finding)
    if not made.is_clean:
        frame.exit_code = 1
        frame.console.hint("`lore doctor` counts the findings by code")


def say_finding(frame: Frame, finding: Finding) -> None:
    """Say on standard error what is wrong with a line."""
    place = f"{finding.path}:{finding.line}" if finding.line else finding.path
    frame.console.fail(f"{place}: {finding.message} [{finding.code}]", finding.hint)
