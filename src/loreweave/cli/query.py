"""``lore query``: one SELECT over the index, its rows in the format asked for, streamed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import attrs
import click

from loreweave.cli.bounds import bounded
from loreweave.cli.console import visible_json, visible_lines
from loreweave.cli.options import TIME, framed_options, pass_frame, refresh_option
from loreweave.cli.table import as_table
from loreweave.errors import BadRequest
from loreweave.reports import rows

if TYPE_CHECKING:
    from loreweave.cli.options import Frame
    from loreweave.library import Lore
    from loreweave.reports.rows import Batches

FORMATS = ("table", "json", "jsonl", "csv", "markdown", "parquet", "arrow")
BINARY = ("parquet", "arrow")


@attrs.frozen
class Wanted:
    """Where the rows go, and as what; ``screen`` is the width of the terminal that a table is shown on."""

    format: str
    output: str | None
    force: bool
    on_terminal: bool
    screen: int | None

    @property
    def writing(self) -> rows.Writing:
        """Give what writes the rows as text, on a terminal without any control character."""
        write = rows.TEXTS.get(self.format, partial(as_table, screen=self.screen))
        if not self.on_terminal:
            return write
        shown = visible_json if self.format in ("json", "jsonl") else visible_lines
        return lambda columns, batches: map(shown, write(columns, batches))


@click.command("query")
@click.argument("sql", required=False, metavar="[SQL]")
@click.option("--as-of", type=TIME, metavar="TIME", help="The instant for which the view facts answers.")
@click.option(
    "--as-known-at", type=TIME, metavar="TIME", help="What was known then, for the view facts; else as best known."
)
@click.option("--param", "parameters", multiple=True, metavar="NAME=VALUE", help="Bind $NAME to a text; repeatable.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Else table on a terminal, csv in a pipe.")
@click.option("--output", metavar="FILE", help="Write to a file, which must not exist yet.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@click.option("--fail-if-rows", is_flag=True, help="Exit 1 if there are rows, once they are printed.")
@click.option("--fail-if-empty", is_flag=True, help="Exit 1 if there are none.")
@click.option("--timeout", type=float, default=60.0, show_default=True, metavar="SECONDS", help="The time it may take.")
@click.option("--memory-limit", default="2GB", show_default=True, metavar="SIZE", help="Memory the query may use.")
@refresh_option
@framed_options
@pass_frame
def query_command(frame: Frame, /, sql: str | None, **asked: Any) -> None:
    """Answer one SELECT over the tables, views and macros of the index.

    The SQL is the argument, the text of a file given as @FILE, or standard input. docs/views.md lists what
    may be asked. The view facts answers for the moment of --as-of and --as-known-at. Nothing can be written.
    """
    wanted = _wanted(frame, asked)
    limits = {"timeout": asked["timeout"], "memory_limit": asked["memory_limit"]}
    moment = {"as_of": asked["as_of"], "as_known_at": asked["as_known_at"]}
    bound = dict(_parameter(text) for text in asked["parameters"])
    text = _read(sql)
    bound_to = bounded(asked["memory_limit"], with_arrow=wanted.format in BINARY)
    # the index is brought up to date before the bound holds
    with frame.asking(refresh=not asked["no_refresh"]) as lore, bound_to:
        count = _answer(frame, lore, wanted, {"sql": text, "parameters": bound, **moment, **limits}, asked)
    if wanted.screen:
        frame.console.note("1 row" if count == 1 else f"{count:,} rows")
    if count if asked["fail_if_rows"] else asked["fail_if_empty"] and not count:
        frame.exit_code = 1


def _answer(frame: Frame, lore: Lore, wanted: Wanted, question: dict[str, Any], asked: dict[str, Any]) -> int:
    """Write the rows; give how many there were."""
    if wanted.format in BINARY:
        with _file(lore, wanted) as file:
            return lore.query_to(file, wanted.format, **question)
    with lore.query(**question) as answer:
        batches = _begun(answer.batches())
        if asked["fail_if_rows"]:
            batches = _failing(frame, batches)
        with _file(lore, wanted) as file:
            return rows.write(file, answer.columns, batches, wanted.writing)


def _begun(batches: Batches) -> Batches:
    """Have the first rows at hand, so that what goes wrong at once does so before anything is written."""
    given = iter(batches)
    first = next(given, None)
    return given if first is None else chain([first], given)


def _failing(frame: Frame, batches: Batches) -> Iterator[list[tuple[Any, ...]]]:
    """Leave with 1 once there is a row, even if the reader has gone by then."""
    for batch in batches:
        frame.exit_code = 1
        yield batch


def _wanted(frame: Frame, asked: dict[str, Any]) -> Wanted:
    on_terminal = frame.console.is_terminal and asked["output"] is None
    format_ = asked["format_"] or ("json" if frame.console.json else "table" if on_terminal else "csv")
    if on_terminal and format_ in BINARY:
        raise BadRequest(f"{format_} is not for a terminal.", "give --output FILE, or send it through a pipe")
    screen = shutil.get_terminal_size().columns if on_terminal and format_ == "table" else None
    return Wanted(format_, asked["output"], asked["force"], on_terminal, screen)


@contextmanager
def _file(lore: Lore, wanted: Wanted) -> Iterator[IO[bytes]]:
    """Give standard output, or the file that was named."""
    place = nullcontext(sys.stdout.buffer) if wanted.output is None else lore.output(wanted.output, force=wanted.force)
    with place as file:
        yield file
        file.flush()


def _read(sql: str | None) -> str:
    if sql is None or sql == "-":
        if sql is None and sys.stdin.isatty():
            raise BadRequest("There is no SQL.", 'give it as `lore query "select …"`, as @FILE, or on standard input')
        try:
            return sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadRequest("The SQL on standard input is not UTF-8.", "give it as UTF-8 text") from None
    if not sql.startswith("@"):
        return sql
    try:
        return Path(sql[1:]).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as failed:
        reason = getattr(failed, "strerror", None) or "it is not UTF-8"
        raise BadRequest(f'"{sql[1:]}" cannot be read: {reason}.', "give a file of SQL after the @") from None


def _parameter(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise BadRequest(f'--param: "{text}" is not NAME=VALUE.', "such as --param subject=Vendor, for $subject")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise BadRequest(f"--param: the value of {name} is not UTF-8.", "give it as UTF-8 text")
    return name, value
