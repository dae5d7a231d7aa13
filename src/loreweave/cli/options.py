"""Options that several commands share, and the frame that carries those which every command takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loreweave.cli.console import Console
from loreweave.cli.phrases import waits
from loreweave.errors import BadRequest
from loreweave.times import HINT, from_datetime, read_instant, show_instant

if TYPE_CHECKING:
    from loreweave.library import Lore
    from loreweave.reports.answer import Answer

_F = TypeVar("_F", bound=Callable[..., Any])


class Frame:
    """What was said of every command: the vault, the scope, how to answer; and how the program will leave.

    ``standing`` is a sentence on what was written to the record, for where the answer is lost.
    """

    def __init__(self) -> None:
        self.vault: str | None = None
        self.scope: str | None = None
        self.exit_code = 0
        self.standing = ""
        self.console = Console()

    def open(self, *, refresh: bool = True) -> Lore:
        """Open the vault that was named, or the nearest."""
        from loreweave.library import Lore

        return Lore(self.vault, scope=self.scope, refresh=refresh)

    @contextmanager
    def asking(self, *, refresh: bool = True) -> Iterator[Lore]:
        """Open the vault for questions that are all answered from one state of it; at the end tell what waits."""
        with self.open(refresh=refresh) as lore, ExitStack() as undo:
            with self.console.working("Reading the vault"):
                undo.enter_context(lore.settled())
            yield lore
            told = waits(lore.waiting())
        if told:
            click.get_current_context().call_on_close(partial(self.console.note, told))

    def open_here(self) -> Lore:
        """Open the folder that was named, or this one, whatever stands above it."""
        from loreweave.library import Lore

        return Lore(os.curdir if self.vault is None else self.vault, scope=self.scope)

    def say_ending(self, answer: Answer[Any], noun: str = "") -> None:
        """Say below a list how much of it was shown, and which instants were used."""
        if answer.shown < answer.of:
            self.console.say(f"showing {answer.shown:,} of {answer.of:,}{noun and ' '}{noun}")
        self.console.say(instants(answer.as_of, answer.as_known_at))


pass_frame = click.make_pass_decorator(Frame, ensure=True)


def instants(as_of: datetime | None, as_known_at: datetime | None) -> str:
    """Say which instants an answer is for."""
    about = "all valid time" if as_of is None else f"as of {show_instant(from_datetime(as_of))}"
    known = "as best known" if as_known_at is None else f"as known at {show_instant(from_datetime(as_known_at))}"
    return f"{about}, {known}"


class Time(click.ParamType[str]):
    """A time as the whole program reads it; given on as written."""

    name = "time"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the text; raise BadRequest with the sentence."""
        del ctx
        try:
            read_instant(value)
        except ValueError as unreadable:
            raise BadRequest(f"{param.opts[0] if param else 'time'}: {unreadable}.", HINT) from None
        return value


TIME = Time()


class Date(click.ParamType[str]):
    """A date in any form that people write, which bounds a search; given on as written."""

    name = "date"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Check the text; raise BadRequest with the sentence."""
        del ctx
        from loreweave import clock
        from loreweave.search.dates import bound

        bound(param.opts[0] if param else "date", value, clock.now())
        return value


DATE = Date()

_OF_ALL = {
    "--vault": ("DIR", "The vault; else the nearest folder upwards that has lore/ or .lore/, else this one."),
    "--scope": ("NAME", "The scope asked or written; else default, and for query every scope."),
    "--json": (None, "Print the answer as one JSON object."),
    "--quiet": (None, "Print nothing but the answer and errors."),
}
"""The options of every command: what each takes, and what it is for."""


def frame_options(command: _F) -> _F:
    """Let a command take the options of the whole program."""
    return _framing(command, hidden=False)


def framed_options(command: _F) -> _F:
    """Let the options of the whole program stand behind a command too; the program's own page shows them."""
    return _framing(command, hidden=True)


def _framing(command: _F, *, hidden: bool) -> _F:
    for name, (metavar, text) in reversed(_OF_ALL.items()):
        option = click.option(
            name,
            metavar=metavar,
            is_flag=metavar is None,
            help=text,
            hidden=hidden,
            expose_value=False,
            callback=_keep,
        )
        command = option(command)
    return command


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    frame = ctx.ensure_object(Frame)
    if value is None or value is False:
        return
    if param.name in ("vault", "scope"):
        setattr(frame, param.name, value)
    elif param.name:
        setattr(frame.console, param.name, value)


def moment_options(command: _F) -> _F:
    """Let a command take the instant asked about and the instant asked from."""
    as_of = click.option("--as-of", type=TIME, metavar="TIME", help="The instant asked about; else now.")
    return as_of(known_option(command))


def known_option(command: _F) -> _F:
    """Let a command take the instant asked from."""
    help_ = "Answer with what was known at this instant; else as best known."
    return click.option("--as-known-at", type=TIME, metavar="TIME", help=help_)(command)


def refresh_option(command: _F) -> _F:
    """Let a command answer from the index as it stands."""
    help_ = "Answer from the index as it stands, without looking at the files."
    return click.option("--no-refresh", is_flag=True, help=help_)(command)


def limit_option(default: int) -> Callable[[_F], _F]:
    """Let a command show more or fewer items than it does by itself."""
    settings: dict[str, Any] = {"type": click.IntRange(min=1), "default": default, "show_default": True, "metavar": "N"}
    return click.option("--limit", **settings, help="How many to show at most.")
