"""A server from its start to its end: what is asked is answered, what is written is whole, and it leaves with 0."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Awaitable, Callable

import anyio
import attrs

from loreweave.mcp.agents import Agents
from loreweave.mcp.desk import Desk
from loreweave.mcp.fitting import MOST
from loreweave.mcp.following import Following
from loreweave.mcp.server import Handlers, server_of
from loreweave.mcp.talk import Talk
from loreweave.mcp.wire import Wire

WRITE_SECONDS = 0.5
"""How long what is being written, and what was answered, may take to be so once everything else has ended."""

Serve = Callable[[Handlers, anyio.Event], Awaitable[None]]
"""Serves clients until they have nothing more to say, or the event is set."""


@attrs.frozen(kw_only=True)
class Options:
    """What a server is started with; none of it can be changed by a client."""

    vault: str | None = None
    scope: str | None = None
    name: str | None = None
    read_only: bool = False
    room: int = MOST


def serve_stdio(options: Options) -> None:
    """Serve one client on standard input and output until its input ends."""
    by_hand = sys.stdin is not None and sys.stdin.isatty()
    wire = Wire.taken()
    agents = Agents(options.vault, options.scope, options.name)
    if by_hand:
        _say(f"serving {agents.root} on standard input: a client starts this program and talks to it there")

    async def serve(handlers: Handlers, over: anyio.Event) -> None:
        await Talk(wire, over).run(server_of(handlers))

    is_quiet = _run(agents, options, serve)
    wire.end()
    _leave(agents, at_once=not (wire.written.wait(WRITE_SECONDS) and is_quiet))


def serve_http(options: Options, at: str) -> None:
    """Serve clients over HTTP on loopback until a signal ends it; the address is told on standard error."""
    from loreweave.mcp import http

    host, port = http.address(at)
    agents = Agents(options.vault, options.scope, options.name)
    taken = http.bound(host, port)

    async def serve(handlers: Handlers, over: anyio.Event) -> None:
        _say(f"serving {agents.root} at {http.shown(taken)}")
        await http.serve(server_of(handlers), taken, over)

    _leave(agents, at_once=not _run(agents, options, serve))


def _run(agents: Agents, options: Options, serve: Serve) -> bool:
    """Serve, with the vault watched, until clients or a signal say so; tell whether nothing is at work any more."""
    desk = Desk(agents, read_only=options.read_only, room=options.room)
    following = Following(agents.lore.engine)

    async def run() -> None:
        over = anyio.Event()
        handlers = Handlers(desk, following.begin)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_heed_signals, over)
            await serve(handlers, over)
            tasks.cancel_scope.cancel()

    if not options.read_only:
        following.start()
    anyio.run(run)
    has_ended = following.stop(WRITE_SECONDS)
    return agents.settle(WRITE_SECONDS) and has_ended


def _say(told: str) -> None:
    sys.stderr.write(f"{told}\n")
    sys.stderr.flush()


async def _heed_signals(over: anyio.Event) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            over.set()


def _leave(agents: Agents, *, at_once: bool) -> None:
    """Close the vault, unless something is still at work, and leave: nobody waits for what cannot be stopped."""
    if not (at_once or agents.is_busy()):
        agents.close()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
