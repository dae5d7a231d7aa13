"""``lore watch``: the notes recorded and the index brought up to date whenever something changes, a line for each."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import click

from loreweave import clock
from loreweave.cli.console import visible_json
from loreweave.cli.embedding import retries_told, say_embedded
from loreweave.cli.options import framed_options, pass_frame
from loreweave.cli.phrases import number
from loreweave.reports.codec import plain
from loreweave.times import show_instant

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.engine.observing import Indexed
    from loreweave.engine.watching import Seen

_SECOND = 1_000_000


@click.command("watch")
@click.option("--poll", is_flag=True, help="Look every 2 s, as for a network drive of whose changes nobody tells.")
@framed_options
@pass_frame
def watch_command(frame: Frame, /, poll: bool) -> None:
    """Do what `lore index` does whenever something in the vault changes, and print a line each time.

    A change is seen once files have been quiet for 0.2 s, at the latest after 2 s. A refresh that fails is told, and
    watching goes on. Ctrl-C ends it when the refresh that runs is done; a second one at once.
    """
    with frame.open() as lore, _until_told() as stop, retries_told(frame.console):
        for seen in lore.watch(stop, poll=poll):
            _say(frame, seen)


@contextmanager
def _until_told() -> Iterator[threading.Event]:
    """Give an event that the first SIGINT or SIGTERM sets; the second does what it does by itself."""
    stop = threading.Event()
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)}

    def tell(name: int, _: FrameType | None) -> None:
        signal.signal(name, before[signal.Signals(name)])
        stop.set()

    try:
        for name in before:
            signal.signal(name, tell)
        yield stop
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _say(frame: Frame, seen: Seen) -> None:
    from loreweave.engine.embedding import Embedded
    from loreweave.engine.watching import Begun
    from loreweave.errors import LoreError

    console = frame.console
    if isinstance(seen, LoreError):
        console.fail(seen.message, seen.hint)
    elif isinstance(seen, Begun):
        console.note(f"watching {seen.root}")
        if seen.polling:
            console.note(f"looking for changes every 2 s: {seen.polling}")
    elif console.json:
        told = {"embedded": seen} if isinstance(seen, Embedded) else seen
        click.echo(visible_json(json.dumps(plain(told), ensure_ascii=False)))
    elif isinstance(seen, Embedded):
        say_embedded(console, seen, f"{_now()} ")
    else:
        console.say(_line(seen))


def _line(made: Indexed) -> str:
    """Put a refresh into one line."""
    notes = made.notes
    parts = [f"notes: +{notes.added} ~{notes.changed} -{notes.removed} ={notes.unchanged}"]
    if made.elsewhere is not None:
        parts.append(f"{made.elsewhere} observes this vault")
    elif made.path is None:
        parts.append("nothing to record")
    else:
        parts.append(f"observed {number(made.observed, 'value')}, withdrew {number(made.withdrawn, 'value')}")
    parts += [f"{one.old} is now {one.new}: {number(one.ended, 'belief')} ended" for one in made.renamed]
    if made.refused:
        parts.append(f"{number(len(made.refused), 'value')} cannot be recorded, `lore doctor` tells why")
    return f"{_now()} {'; '.join(parts)}"


def _now() -> str:
    now = clock.now()
    return show_instant(now - now % _SECOND)
