"""The same over HTTP, on loopback alone: whoever is on the machine, by one of its own names, and no web page.

Host and Origin are checked against the very address that is served, so that no page can reach it under another name.
"""

from __future__ import annotations

import logging
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import anyio
import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from loreweave.errors import BadRequest
from loreweave.mcp.wire import LONGEST
from loreweave.notes.visible import excerpt

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    Message: TypeAlias = MutableMapping[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[Message]]
    Send: TypeAlias = Callable[[Message], Awaitable[None]]
    App: TypeAlias = Callable[[Message, Receive, Send], Awaitable[None]]

PATH = "/mcp"
NAMES = ("127.0.0.1", "localhost", "::1")
"""The names of this machine that may be served."""

_LEAVE_SECONDS = 2

_IDLE_SECONDS, _SESSIONS = 1_800, 1_000
"""After so long without a request a session is forgotten, and so many are kept at a time, those asked last."""

_BEGINNING = 100
"""How many more may be at their beginning, before the one idle longest has given way to each."""

_SESSION = b"mcp-session-id"


def address(text: str) -> tuple[str, int]:
    """Read ``[HOST:]PORT``; raise BadRequest for what is none, and for any host but this machine."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or NAMES[0]
    if not (port.isascii() and port.isdigit() and len(port) <= 5 and int(port) < 65_536):
        raise BadRequest(f"http: {excerpt(text)} is not [HOST:]PORT.", "give one such as 8765 or 127.0.0.1:8765")
    if host not in NAMES:
        told = f"http: {excerpt(host)} is not this machine alone, and whoever reaches the port"
        told += " reads and writes the vault."
        raise BadRequest(told, f"give one of {', '.join(NAMES)}, or a port by itself")
    return host, int(port)


def bound(host: str, port: int) -> socket.socket:
    """Take an address; raise BadRequest where it is taken already."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((NAMES[0] if host == "localhost" else host, port))
        made.listen()
    except OSError as failed:
        made.close()
        told = f"http: {host}:{port} cannot be served: {failed.strerror}."
        raise BadRequest(told, "give another port; 0 takes any that is free") from None
    return made


def shown(taken: socket.socket) -> str:
    """Write the address that clients are to be given."""
    host, port = taken.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"


async def serve(server: Server[Any], taken: socket.socket, over: anyio.Event) -> None:
    """Serve until ``over`` is set; then what is being answered has two seconds to be."""
    port = taken.getsockname()[1]
    names = [f"{f'[{name}]' if ':' in name else name}:{port}" for name in NAMES]
    checked = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=names,
        allowed_origins=[f"http://{name}" for name in names],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=checked,
        max_request_body_size=LONGEST,
        session_idle_timeout=_IDLE_SECONDS,
        max_sessions=_SESSIONS + _BEGINNING,
    )
    config = uvicorn.Config(
        _Sessions(app), log_level="warning", timeout_graceful_shutdown=_LEAVE_SECONDS, lifespan="on"
    )
    web = _Web(config)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_leave, web, over)
        await web.serve(sockets=[taken])
        tasks.cancel_scope.cancel()


async def _leave(web: uvicorn.Server, over: anyio.Event) -> None:
    await over.wait()
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # that streams are cut off at the end is no news
    web.should_exit = True


class _Sessions:
    """What is served, with the sessions begun in it: where there are too many, the one idle longest is ended."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._known: dict[bytes, None] = {}  # the one asked last comes last
        self._asked: Counter[bytes] = Counter()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, and note of which session it is."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        session = dict(scope["headers"]).get(_SESSION, b"")

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun = dict(message["headers"]).get(_SESSION, b"")
                self._note(session or begun, scope["method"], message["status"])
                if begun and not session:
                    await self._give_way(begun, scope)
            await send(message)

        self._asked[session] += 1
        try:
            await self._app(scope, receive, noting)
        finally:
            self._asked[session] -= 1
            self._asked += Counter()  # keeps those that are asked

    def _note(self, session: bytes, method: str, status: int) -> None:
        is_over = status == 404 or (method == "DELETE" and status < 400)
        if is_over or status < 400:
            self._known.pop(session, None)
        if session and status < 400 and not is_over:
            self._known[session] = None

    async def _give_way(self, begun: bytes, scope: Message) -> None:
        """End the sessions idle longest, as their clients would, where the one that has begun is one too many."""
        idle = (session for session in self._known if session != begun and not self._asked[session])
        for session in list(islice(idle, max(0, len(self._known) - _SESSIONS))):
            self._known.pop(session, None)
            host = [header for header in scope["headers"] if header[0] == b"host"]
            ending = {**scope, "method": "DELETE", "headers": [*host, (_SESSION, session)]}
            await self._app(ending, _nothing, _unheard)


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(_: Message) -> None:
    """Nobody asked."""


class _Web(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield
