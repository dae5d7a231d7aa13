"""What a command says: data on standard output, everything else on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

from loreweave.cli.screen import rows, width
from loreweave.notes.turning import turning
from loreweave.reports.codec import plain

REPLACED = "\ufffd"
PATIENCE = 0.7
"""Seconds after which long work says on a terminal what it is at."""

_ESCAPED = re.compile(turning("").pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))


def visible(text: str) -> str:
    """Replace what would move the cursor, turn the reading direction or pass for none: one line stays one line."""
    return text if text.isascii() and text.isprintable() else turning(text).sub(REPLACED, text)


def visible_lines(text: str) -> str:
    """Make several lines visible, each by itself."""
    return "\n".join(map(visible, text.split("\n")))


def visible_json(text: str) -> str:
    """Write what would move the cursor or turn the reading direction as JSON escapes; the meaning stays the same."""
    return _ESCAPED.sub(lambda found: json.dumps(found[0])[1:-1], text)


class Console:
    """The screen of one command. ``json`` and ``quiet`` are the options of those names."""

    def __init__(self, *, json: bool = False, quiet: bool = False) -> None:
        self.json = json
        self.quiet = quiet

    @property
    def is_terminal(self) -> bool:
        """Tell whether standard output is read by a person."""
        return sys.stdout.isatty()

    def say(self, text: str = "", *, room: int | None = None, **style: object) -> None:
        """Print one line of an answer, on a terminal in rows of its width or of ``room``; what turns it is U+FFFD."""
        for row in rows(visible(text), room or width()):
            click.echo(self.styled(row, sys.stdout, **style))

    def say_json(self, answer: object) -> None:
        """Print an answer as one JSON object."""
        click.echo(visible_json(json.dumps(plain(answer), ensure_ascii=False, indent=2)))

    def note(self, text: str) -> None:
        """Say something about the answer on standard error, unless asked to be quiet."""
        if not self.quiet:
            click.echo(self.styled(visible(text), sys.stderr, dim=True), err=True)

    def aside(self, text: str) -> None:
        """Say on a terminal alone what differs from run to run."""
        if sys.stderr.isatty():
            self.note(text)

    def warn(self, text: str) -> None:
        """Say on standard error what is likely not meant to be so."""
        click.echo(f"{self.styled('warning:', sys.stderr, fg='yellow')} {visible(text)}", err=True)

    def hint(self, text: str) -> None:
        """Say on standard error what to do next, unless asked to be quiet."""
        if text and not self.quiet:
            click.echo(f"{self.styled('hint:', sys.stderr, fg='cyan')} {visible(text)}", err=True)

    def fail(self, message: str, hint: str = "") -> None:
        """Say on standard error why there is no answer; the text of an error may have several lines."""
        lines = "\n".join(visible(line) for line in message.split("\n"))
        click.echo(f"{self.styled('error:', sys.stderr, fg='red', bold=True)} {lines}", err=True)
        if hint:
            click.echo(f"{self.styled('hint:', sys.stderr, fg='cyan')} {visible(hint)}", err=True)

    def styled(self, text: str, stream: object, **style: object) -> str:
        """Colour a text where a terminal shows it and ``NO_COLOR`` is not set."""
        coloured = bool(style) and getattr(stream, "isatty", bool)() and not os.environ.get("NO_COLOR")
        return click.style(text, **style) if coloured else text  # type: ignore[arg-type]

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Show that something is being done, once it has taken a while, on a terminal that can take it back."""
        if self.quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            yield
            return
        done = threading.Event()
        shower = threading.Thread(target=_show_work, args=(what, done), daemon=True)
        shower.start()
        try:
            yield
        finally:
            done.set()
            shower.join()


def _show_work(what: str, done: threading.Event) -> None:
    if done.wait(PATIENCE):
        return
    from rich.console import Console as Screen
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Screen(stderr=True), transient=True) as progress:
        progress.add_task(f"{what} …", total=None)
        done.wait()
