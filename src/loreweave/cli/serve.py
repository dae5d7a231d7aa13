"""``lore serve``: the vault for agents, as tools of the Model Context Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from loreweave.cli.options import framed_options, pass_frame
from loreweave.errors import BadRequest
from loreweave.mcp.fitting import LEAST, MOST

if TYPE_CHECKING:
    from loreweave.cli.options import Frame


@click.command("serve")
@click.option("--mcp", is_flag=True, help="Serve the Model Context Protocol, on standard input and output.")
@click.option("--read-only", is_flag=True, help="Serve no tool that writes.")
@click.option("--as", "name", metavar="NAME", help="Who writes, whatever name a client gives itself.")
@click.option("--http", metavar="[HOST:]PORT", help="Serve over HTTP instead, on this machine alone.")
@click.option(
    "--max-result-chars", type=int, default=MOST, show_default=True, metavar="N", help="What a result may have."
)
@framed_options
@pass_frame
def serve_command(frame: Frame, /, mcp: bool, http: str | None, max_result_chars: int, **said: Any) -> None:
    """Serve the vault to agents, until their input ends.

    The name by which a client makes itself known is the name under which it writes, unless --as gives it one. The
    scope is --scope, else default, and nothing that a client asks widens it, SQL included. The vault is watched
    meanwhile, unless the server only reads. docs/tools.md lists the tools.
    """
    if not mcp:
        raise BadRequest("There is one protocol to serve, and it is to be named.", "give --mcp")
    if max_result_chars < LEAST:
        told = f"max-result-chars: {max_result_chars} is less than {LEAST:,}."
        raise BadRequest(told, f"give {LEAST:,} or more")
    from loreweave.mcp.serving import Options, serve_http, serve_stdio

    options = Options(vault=frame.vault, scope=frame.scope, room=max_result_chars, **said)
    if http is None:
        serve_stdio(options)
    else:
        serve_http(options, http)
