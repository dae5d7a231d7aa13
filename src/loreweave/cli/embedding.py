"""Making vectors as a command shows it: a bar while it lasts, a line for each further attempt, and what came of it."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from loreweave.cli.phrases import number

if TYPE_CHECKING:
    from loreweave.cli.console import Console
    from loreweave.engine.embedding import Embedded, Told
    from loreweave.library import Lore


def make_vectors(console: Console, lore: Lore) -> Embedded | None:
    """Make the vectors that passages lack, where the settings name a provider."""
    with retries_told(console), _bar(console) as told:
        return lore.embed(told=told)


def say_embedded(console: Console, made: Embedded, at: str = "") -> None:
    """Say how many vectors were made, ``at`` being what stands before, and which were not, and why."""
    for note in made.notes:
        console.warn(note)
    if made.made:
        console.say(f"{at}embedded {number(made.made, 'passage')} by {made.model}")
    if made.failed:
        lacking = f"{number(made.left, 'passage')} left without a vector: " if made.left else "no vectors were made: "
        console.warn(f"{lacking}{made.failed}")
        console.hint(made.hint)
    elif made.refused:
        more = made.left - len(made.refused)
        places = f"{', '.join(made.refused)}{f' and {more:,} more' if more > 0 else ''}"
        console.warn(f"{number(made.left, 'passage')} left without a vector, which the model would not take: {places}")


@contextmanager
def retries_told(console: Console) -> Iterator[None]:
    """Tell as a warning whenever a provider is asked again."""
    log, handler = logging.getLogger("loreweave.providers"), _Warning(console)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


class _Warning(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        self._console.warn(record.getMessage())


@contextmanager
def _bar(console: Console) -> Iterator[Told | None]:
    """Give what shows on a terminal how far it is; nothing is shown until there is something to be made."""
    if console.quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    from rich.console import Console as Screen
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Screen(stderr=True), transient=True) as progress:
        task = progress.add_task("Embedding passages", total=None, visible=False)
        yield lambda made, of: progress.update(task, completed=made, total=of, visible=True)
