"""The program ``lore``: one group of commands, each in a module that is imported when the command is run.

The only place that catches ``LoreError``: ``error:`` and ``hint:`` on standard error, then the exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from loreweave import __version__
from loreweave.cli.console import Console
from loreweave.cli.options import Frame, frame_options
from loreweave.cli.streams import Unwritable, guard_streams
from loreweave.errors import LoreError

INTERRUPTED = 130
STOPPED = "Query interrupted"
"""What the database says when it sees Ctrl-C before Python does."""

ALSO = "Also: --vault DIR, --scope NAME, --json, --quiet; see `lore --help`."
"""The end of every command's page."""

MODULES = {
    "init": "init",
    "index": "index",
    "watch": "watch",
    "serve": "serve",
    "assert": "writing",
    "invalidate": "writing",
    "retract": "writing",
    "import": "writing",
    "propose": "propose",
    "proposals": "proposals",
    "approve": "approve",
    "reject": "reject",
    "capture": "capture",
    "mark-used": "mark_used",
    "search": "search",
    "ask": "ask",
    "facts": "facts",
    "why": "why",
    "diff": "diff",
    "timeline": "timeline",
    "resume": "resume",
    "count": "count",
    "review": "review",
    "dream": "dream",
    "stats": "stats",
    "query": "query",
    "replay": "replay",
    "export": "export",
    "graph": "graph",
    "doctor": "doctor",
    "completion": "completion",
}
"""The commands in the order of the help, and the module of ``loreweave.cli`` where each is ``<name>_command``."""


class Program(click.Group):
    """Commands found by name, imported one at a time; errors told in two lines."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """List the names in the order in which one meets them."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - see above
        """Import the one module that holds the command."""
        if cmd_name not in MODULES:
            return None
        module = import_module(f"loreweave.cli.{MODULES[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        command.epilog = ALSO
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List each command with its first sentence, whole."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        rows = [(name, command.get_short_help_str(200)) for name, command in commands.items() if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader who has seen enough ends it quietly."""
        frame = ctx.ensure_object(Frame)
        try:
            code = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            return frame.exit_code
        except Unwritable as failed:
            raise Unwritable(f"{failed.message}{frame.standing and f' {frame.standing}'}", failed.hint) from None
        return code if isinstance(code, int) else frame.exit_code

    def main(  # type: ignore[override] # it always leaves by itself
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run the program, called ``lore`` whatever it was started as, and leave with its exit code."""
        del prog_name
        guard_streams()
        extra["standalone_mode"] = False
        try:
            code = super().main(args, "lore", **extra)
        except click.Abort:
            code = INTERRUPTED
        except RuntimeError as failed:
            if str(failed) != STOPPED:
                raise
            code = INTERRUPTED
        except click.ClickException as error:
            code = _tell(error)
        except LoreError as error:
            Console().fail(error.message, error.hint)
            code = error.exit_code
        with suppress(BrokenPipeError, Unwritable):
            sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)


def _tell(error: click.ClickException) -> int:
    """Say what is wrong with a command line."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "lore"
    message = error.format_message()
    ending = "" if message.endswith((".", "?")) else "."
    hint = f"`{path} --help` says what it takes"
    if path == "lore query" and isinstance(error, click.NoSuchOption):
        hint = "SQL that begins with a dash may stand in a file, given as @FILE, on standard input, or behind --"
    Console().fail(f"{message}{ending}", hint)
    return error.exit_code


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@frame_options
@click.version_option(__version__, prog_name="lore", message="%(prog)s %(version)s")
def main() -> None:
    """Say what is true and since when, and ask what was known at any time.

    A vault is a folder of Markdown files whose record stands under lore/.
    Times are YYYY-MM-DD, or that with a time of day such as 2024-06-01T09:30:00Z; a day means its first instant, UTC.
    The options of this page may stand before or after the command.
    """
