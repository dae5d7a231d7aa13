"""``lore completion``: what a shell needs to complete commands and options."""

from __future__ import annotations

import click

from loreweave.cli.options import framed_options

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@framed_options
@click.pass_context
def completion_command(ctx: click.Context, /, shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    For bash, put eval "$(lore completion bash)" into ~/.bashrc; for zsh the same with zsh into ~/.zshrc; for
    fish, lore completion fish > ~/.config/fish/completions/lore.fish.
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is not None:
        click.echo(made(ctx.find_root().command, {}, "lore", "_LORE_COMPLETE").source())
