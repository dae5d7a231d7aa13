"""One client on the wire: its lines become messages, and the server's messages lines, until it has nothing more to say.

At the end of its input, what it asked is answered first. A line that is no message is answered as the protocol has it.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from loreweave.mcp.wire import LONGEST, LOOK_SECONDS

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp_types import JSONRPCMessage

    from loreweave.mcp.wire import Wire

_AT_ONCE = 200
"""How many requests may be unanswered before another is taken."""

_DIGITS = 4_300
"""Digits that a whole number of a message may have."""

ANSWER_SECONDS = 3.0
"""How long what was asked may take to be answered once the client has nothing more to say."""


class Talk:
    """What one client says and is told."""

    def __init__(self, wire: Wire, over: anyio.Event) -> None:
        """``over`` is set once the client has nothing more to say; whoever sets it earlier ends the talk."""
        self._wire, self._over = wire, over
        self._unanswered: set[int | str] = set()
        self._answered, self._heard = anyio.Event(), anyio.Event()
        self._is_let_go = False
        self._inlet, self._incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        self._outgoing, self._outlet = anyio.create_memory_object_stream[SessionMessage](0)

    async def run(self, server: Server[Any]) -> None:
        """Serve the client until it has nothing more to say."""
        token = current_token()
        for run in (self._read, self._write):
            threading.Thread(target=run, args=(token,), daemon=True).start()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._tell)
            tasks.start_soon(self._end)
            await server.run(self._incoming, self._outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()
        for stream in (self._inlet, self._incoming, self._outgoing, self._outlet):
            stream.close()

    # ------------------------------------------------------------------------------------ in threads of their own

    def _read(self, token: Any) -> None:
        try:
            for line in self._wire.lines():
                from_thread.run(self._take, line, token=token)
            from_thread.run_sync(self._heard.set, token=token)
            from_thread.run_sync(self._over.set, token=token)
        except (RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return  # the server has ended meanwhile

    def _write(self, token: Any) -> None:
        self._wire.write()
        try:
            from_thread.run_sync(self._over.set, token=token)
        except RuntimeError:
            return  # as above

    # --------------------------------------------------------------------------------------------- in the loop

    async def _take(self, line: bytes | None) -> None:
        """Give the server the message that a line holds, or answer that it holds none."""
        if line is not None and not line.strip():
            return
        message = _message(line)
        if isinstance(message, Unreadable):
            self._send(message.answer)
            return
        if isinstance(message, JSONRPCRequest):
            await self._until_room()
            self._unanswered.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settled((message.params or {}).get("requestId"))
        await self._inlet.send(SessionMessage(message))

    async def _tell(self) -> None:
        async for told in self._outlet:
            self._send(told.message)
            self._settled(getattr(told.message, "id", None))

    async def _end(self) -> None:
        """Once the client has nothing more to say, have what it asked answered, and end."""
        await self._over.wait()
        with anyio.move_on_after(ANSWER_SECONDS):
            if self._is_let_go:
                await self._heard.wait()
            while self._unanswered and not self._wire.written.is_set():
                await self._next_answer()
        await self._inlet.aclose()

    async def _until_room(self) -> None:
        """Wait until another request may be taken; the end of what the client has to say is heeded meanwhile."""
        while len(self._unanswered) >= _AT_ONCE and not self._wire.written.is_set():
            with anyio.move_on_after(LOOK_SECONDS):
                await self._next_answer()
            if not self._is_let_go and self._wire.is_let_go():
                self._is_let_go = True
                self._over.set()

    async def _next_answer(self) -> None:
        if self._answered.is_set():
            self._answered = anyio.Event()
        await self._answered.wait()

    def _settled(self, name: Any) -> None:
        if isinstance(name, int | str):
            self._unanswered.discard(name)
        self._answered.set()

    def _send(self, message: JSONRPCMessage) -> None:
        self._wire.send(message.model_dump_json(by_alias=True, exclude_unset=True).encode())


class Unreadable(NamedTuple):
    """A line that is no message, and what it is answered."""

    answer: JSONRPCError


def _message(line: bytes | None) -> JSONRPCMessage | Unreadable:
    """Read a message, or say as the protocol has it that there is none."""
    if line is None:
        return _unreadable(INVALID_REQUEST, f"The message is longer than {LONGEST:,} bytes.")
    message: JSONRPCMessage | None = None
    with suppress(ValidationError):
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    if message is not None and not isinstance(message, JSONRPCNotification):
        return message
    try:
        found = json.loads(line, parse_int=_whole)
    except (ValueError, RecursionError):
        return _unreadable(PARSE_ERROR, "The message is not JSON.")
    if message is not None and "id" not in found:
        return message
    told = "The message is no request, notification or response of JSON-RPC 2.0, or holds what cannot be read:"
    told += " half a character, or a number of thousands of digits."
    return _unreadable(INVALID_REQUEST, told, found.get("id") if isinstance(found, dict) else None)


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= _DIGITS else None


def _unreadable(code: int, told: str, name: Any = None) -> Unreadable:
    error = ErrorData(code=code, message=told)
    return Unreadable(JSONRPCError(jsonrpc="2.0", id=name if _is_name(name) else None, error=error))


def _is_name(value: Any) -> bool:
    """Tell whether a value can be the id of a request, and be written."""
    if isinstance(value, str):
        return value.encode("utf-8", "ignore").decode() == value
    return isinstance(value, int) and not isinstance(value, bool)
