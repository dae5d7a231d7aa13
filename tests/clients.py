"""Clients of a server for agents: within the process, over standard input and output, and by lines written by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, Implementation

from house.tree import PACKAGE
from loreweave.mcp.agents import Agents
from loreweave.mcp.desk import Desk
from loreweave.mcp.fitting import MOST
from loreweave.mcp.server import Handlers, server_of

T = TypeVar("T")
SECONDS = 60
"""How long anything is waited for before it is missed."""

NAME = "test-agent"


def within(
    vault: Path, talk: Callable[[Client], Awaitable[T]], *, scope: str | None = None, name: str = NAME, **options: Any
) -> T:
    """Serve a vault within this process, and give what a client makes of it."""
    agents = Agents(vault, scope, options.pop("called", None))
    desk = Desk(agents, **{"read_only": False, "room": MOST, **options})

    async def run() -> T:
        server = server_of(Handlers(desk, lambda: None))
        async with Client(server, client_info=Implementation(name=name, version="1"), cache=None) as client:
            return await talk(client)

    try:
        return anyio.run(run)
    finally:
        desk.agents.close()


def program(vault: Path, *words: str, **environment: str) -> StdioServerParameters:
    """Give the server as a program that a client starts."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "loreweave", "--vault", str(vault), "serve", "--mcp", *words],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)} | environment,
    )


def over_stdio(
    server: StdioServerParameters, talk: Callable[[Client], Awaitable[T]], *, mode: str = "auto", name: str = NAME
) -> T:
    """Start a server, and give what a client makes of it."""

    async def run() -> T:
        with anyio.fail_after(SECONDS):
            async with Client(server, client_info=Implementation(name=name, version="1"), mode=mode) as client:
                return await talk(client)

    return anyio.run(run)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; give its answer, held to its schema and to the text beside it."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    schemas = {each.name: each.output_schema for each in (await client.list_tools()).tools}
    Draft202012Validator(schemas[tool] or {}).validate(result.structured_content)
    assert json.loads(text_of(result)) == result.structured_content
    answer: dict[str, Any] = result.structured_content
    return answer


async def refusal(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Call a tool; give the sentence by which it was refused."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    assert result.structured_content is None
    told = text_of(result)
    assert len(told) < 1_200
    assert "Traceback" not in told
    assert "\n" not in told
    return told


def text_of(result: CallToolResult) -> str:
    """Give the one text of a result."""
    (content,) = result.content
    assert content.type == "text"
    return content.text


class Lines:
    """A server as a program, and the lines that are written to it and read from it by hand."""

    def __init__(self, vault: Path, *words: str, **environment: str) -> None:
        started = program(vault, *words, **environment)
        pipe = subprocess.PIPE
        command = [started.command, *started.args]
        self.process = subprocess.Popen(command, env=started.env, stdin=pipe, stdout=pipe, stderr=pipe)
        self._number = 0

    def say(self, line: bytes) -> None:
        """Write a line."""
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Read a line, which must be a message."""
        assert self.process.stdout
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert message["jsonrpc"] == "2.0"
        return message

    def ask(self, method: str, **params: Any) -> int:
        """Write a request; give its number."""
        self._number += 1
        self.say(json.dumps({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}).encode())
        return self._number

    def greet(self, name: str = NAME) -> dict[str, Any]:
        """Begin as clients do; give what the server says of itself."""
        about = {"name": name, "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=about)
        greeting = self.hear()
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        result: dict[str, Any] = greeting["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; give its result."""
        number = self.ask("tools/call", name=tool, arguments=arguments)
        message = self.hear()
        assert message["id"] == number
        result: dict[str, Any] = message["result"]
        return result

    def leave(self) -> tuple[int, list[dict[str, Any]], str]:
        """Close the server's input; give its exit code, the messages it still had, and what it said beside."""
        said, told = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, [json.loads(line) for line in said.splitlines()], told.decode()
