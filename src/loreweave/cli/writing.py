"""``lore assert``, ``invalidate``, ``retract`` and ``import``: lines for the record, told by what they change."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from loreweave.cli.effects import flat, say_outcome, value_of
from loreweave.cli.options import TIME, framed_options, pass_frame
from loreweave.errors import BadRequest

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.engine.importing import Imported
    from loreweave.engine.outcome import Outcome

_F = TypeVar("_F", bound=Callable[..., Any])


def writer() -> str | None:
    """Name whoever runs the command, None where the system does not know."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return None


def by_option(command: _F) -> _F:
    """Let a command take who says it."""
    help_ = "Who says it; else LORE_BY, else the user's name."
    return click.option("--by", envvar="LORE_BY", metavar="WHO", default=writer, help=help_)(command)


def who_options(command: _F) -> _F:
    """Let a command take who says it, why, and whether to write at all."""
    because = click.option("--because", metavar="TEXT", help="Why.")
    dry = click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
    return by_option(because(dry(framed_options(command))))


@click.command("assert")
@click.argument("subject")
@click.argument("predicate")
@click.argument("words", metavar="OBJECT…", nargs=-1, required=True)
@click.option("--valid-from", type=TIME, metavar="TIME", help="Since when it holds; else from now on.")
@click.option("--valid-until", type=TIME, metavar="TIME", help="Until when; else until something else starts.")
@click.option("--then-resume", is_flag=True, help="What held before holds again from --valid-until on.")
@click.option("--confidence", type=float, metavar="NUMBER", help="From 0 to 1; else 1.")
@click.option("--source", type=click.Choice(["stated", "inferred"]), default="stated", help="Who vouches; else stated.")
@click.option("--many/--single", default=None, help="One of several at once, or the only one; else as the slot is.")
@click.option("--episode", metavar="TEXT", help="What it was heard in.")
@who_options
@pass_frame
def assert_command(frame: Frame, /, subject: str, predicate: str, words: tuple[str, ...], **said: Any) -> None:
    """State a value: OBJECT may be several words.

    The value it follows ends where it starts; a value with the same start is corrected by it.
    """
    with frame.open() as lore:
        made = lore.assert_fact(subject, predicate, " ".join(words), **said)
    _keep_place(frame, made)
    if frame.console.json:
        frame.console.say_json(flat(made))
        return
    if not made.written and not made.dry_run:
        frame.console.say(f"{value_of(made)} is on record already; nothing was written.")
        frame.console.say(f"  journal: {made.path}:{made.line_number}")
        return
    say_outcome(frame.console, made)


@click.command("invalidate")
@click.argument("subject")
@click.argument("predicate")
@click.argument("words", metavar="[OBJECT…]", nargs=-1)
@click.option("--valid-until", type=TIME, metavar="TIME", help="From when on it no longer holds; else from now on.")
@who_options
@pass_frame
def invalidate_command(frame: Frame, /, subject: str, predicate: str, words: tuple[str, ...], **said: Any) -> None:
    """Say that something stopped being true: a value, or OBJECT alone."""
    with frame.open() as lore:
        made = lore.invalidate_fact(subject, predicate, " ".join(words) if words else None, **said)
    _keep_place(frame, made)
    if frame.console.json:
        frame.console.say_json(flat(made))
        return
    say_outcome(frame.console, made)


@click.command("retract")
@click.argument("subject")
@click.argument("predicate")
@click.argument("words", metavar="[OBJECT…]", nargs=-1)
@click.option("--valid-from", type=TIME, metavar="TIME", help="Only what was said to start then.")
@who_options
@pass_frame
def retract_command(frame: Frame, /, subject: str, predicate: str, words: tuple[str, ...], **said: Any) -> None:
    """Say that something was never right: what a subject was said to have, or OBJECT alone.

    What it displaced holds again.
    """
    with frame.open() as lore:
        made = lore.retract_fact(subject, predicate, " ".join(words) if words else None, **said)
    _keep_place(frame, made)
    if frame.console.json:
        frame.console.say_json(flat(made))
        return
    say_outcome(frame.console, made)


@click.command("import")
@click.argument("file")
@click.option("--format", "format", type=click.Choice(["csv", "jsonl", "parquet"]), help="Else by the ending of FILE.")
@click.option("--recorded-at-column", metavar="COLUMN", help="The column that holds the record time of each row.")
@click.option("--column", "columns", metavar="FIELD=COLUMN", multiple=True, help="The column that holds a field.")
@who_options
@pass_frame
def import_command(
    frame: Frame, /, file: str, columns: tuple[str, ...], recorded_at_column: str | None, **said: Any
) -> None:
    """Assert every row of FILE, in one append, or none of them; - is standard input.

    The columns subject, predicate and object are needed; valid_from, valid_until, confidence, source, scope, many, by,
    because and episode are taken where they are there. Rows without a record time get one and the same, that of the
    import. Only the column many and lore/config.toml make a value one of several at once. What is on record already
    is left out.
    """
    named = _named([*columns, *([] if recorded_at_column is None else [f"recorded_at={recorded_at_column}"])])
    with frame.open() as lore, frame.console.working("Importing"):
        made = lore.import_facts(file, columns=named, **said)
    if made.written:
        frame.standing = f"What was imported stands in {made.path}:{_range(made)}."
    if made.unused:
        frame.console.warn(f"columns not used: {', '.join(name or '(without a name)' for name in made.unused)}")
    if frame.console.json:
        frame.console.say_json(made)
        return
    _say_import(frame, made, file)


def _named(texts: Iterable[str]) -> dict[str, str]:
    """Read which columns hold which fields; raise BadRequest where a field is given two."""
    named: dict[str, str] = {}
    for text in texts:
        field, equals, column = (part.strip() for part in text.partition("="))
        if not equals:
            raise BadRequest(f'--column: "{text}" is not FIELD=COLUMN.', "write --column object=status")
        if named.setdefault(field, column) != column:
            told = f'--column: two columns are named for "{field}": "{named[field]}" and "{column}".'
            raise BadRequest(told, "name one")
    return named


def _say_import(frame: Frame, made: Imported, file: str) -> None:
    say = frame.console.say
    new = made.last_line - made.first_line + 1 if made.last_line else 0
    source = "standard input" if file == "-" else file
    head = f"{new:,} of {made.rows:,} rows of {source}"
    say(f"would write: {head}" if made.dry_run else f"✓ {head} imported")
    if made.skipped:
        say(f"  on record already: {made.skipped:,}")
    if made.dated:
        say(f"  with a record time of their own: {made.dated:,}")
    for text in made.lines if made.dry_run else ():
        say(f"  line: {text}")
    if new:
        say(f"  journal: {made.path}:{_range(made)}" + (" (nothing was written)" if made.dry_run else ""))


def _range(made: Imported) -> str:
    return str(made.first_line) + (f"-{made.last_line}" if made.last_line > made.first_line else "")


def _keep_place(frame: Frame, made: Outcome) -> None:
    """Have the place at hand for where the answer cannot be written."""
    if made.written:
        frame.standing = f"The line stands in {made.path}:{made.line_number}."
