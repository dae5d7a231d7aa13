"""The protocol's side: tools, resources and prompts as handlers, each call answered in a thread of its own."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import anyio
from anyio import to_thread
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceResult,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ToolTold

from loreweave import __version__
from loreweave.errors import LoreError
from loreweave.mcp import prompts, resources
from loreweave.mcp.agents import name_of
from loreweave.mcp.quoting import sentence
from loreweave.reports.guidance import AGENTS
from loreweave.store.apart import UNWANTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext
    from mcp_types import (
        CallToolRequestParams,
        GetPromptRequestParams,
        PaginatedRequestParams,
        ReadResourceRequestParams,
    )

    from loreweave.mcp.desk import Desk
    from loreweave.mcp.tool import Tool

T = TypeVar("T")
Context: TypeAlias = "ServerRequestContext[Any, Any]"

_AT_ONCE, _SLOW_AT_ONCE = 8, 2
"""How many calls are answered at once, and how many of those that may take long."""

_LOOK_SECONDS = 0.1


class Handlers:
    """What answers each request, for one desk."""

    def __init__(self, desk: Desk, answered: Callable[[], None]) -> None:
        """``answered`` is called after each call."""
        self._desk, self._answered = desk, answered
        self._quick, self._slow = Places(_AT_ONCE), Places(_SLOW_AT_ONCE)

    async def list_tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        """List the tools."""
        return ListToolsResult(tools=[told(tool) for tool in self._desk.tools.values()])

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """Answer a call; what is wrong with it is told in the result."""
        tool = self._desk.tools.get(params.name)
        places = self._slow if tool is not None and tool.is_slow else self._quick
        asking = partial(self._desk.answer, params.name, params.arguments or {}, _client(context))
        reply = await in_thread(asking, places)
        self._answered()
        return CallToolResult(
            content=[TextContent(type="text", text=reply.text)],
            structured_content=reply.answer,
            is_error=reply.answer is None,
        )

    async def list_resources(self, _: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        """List the resources that are there by themselves."""
        return ListResourcesResult(resources=list(resources.RESOURCES))

    async def list_templates(self, _: Context, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
        """List how notes are named as resources."""
        return ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Give a note, or the list of views."""
        return await self._ask(resources.read, context, str(params.uri))

    async def list_prompts(self, _: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        """List the prompts."""
        return ListPromptsResult(prompts=list(prompts.PROMPTS))

    async def get_prompt(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Give the messages of a prompt."""
        return await self._ask(prompts.get, context, params.name, params.arguments or {})

    async def _ask(self, ask: Callable[..., T], context: Context, *given: object) -> T:
        """Ask in a thread; what is wrong becomes an error of the protocol."""
        try:
            return await in_thread(partial(ask, self._desk, _client(context), *given), self._quick)
        except (LoreError, OSError) as failed:
            raise MCPError(code=INVALID_PARAMS, message=sentence(failed)) from None


class Places:
    """So many calls are at work at once; one that was cancelled keeps its place until its work has ended."""

    def __init__(self, count: int) -> None:
        self.limiter = anyio.CapacityLimiter(count)
        self._free = threading.Semaphore(count)

    def taken(self, ask: Callable[[], T], unwanted: threading.Event) -> T:
        """Ask once there is a place, if anybody waits for it then."""
        while not self._free.acquire(timeout=_LOOK_SECONDS):
            if unwanted.is_set():
                raise TimeoutError("cancelled before it began")
        try:
            return ask()
        finally:
            self._free.release()


async def in_thread(ask: Callable[[], T], places: Places) -> T:
    """Ask in a thread; where the call is cancelled meanwhile, it is told there that nobody waits any more."""
    unwanted = threading.Event()
    UNWANTED.set(unwanted)
    try:
        asking = partial(places.taken, ask, unwanted)
        return await to_thread.run_sync(asking, abandon_on_cancel=True, limiter=places.limiter)
    finally:
        unwanted.set()


def server_of(handlers: Handlers) -> Server[Any]:
    """Give the server that answers with these handlers."""
    return Server(
        "loreweave",
        version=__version__,
        title="Loreweave",
        instructions=AGENTS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


def told(tool: Tool) -> ToolTold:
    """Give a tool as clients are told of it."""
    return ToolTold(
        name=tool.name,
        title=tool.title,
        description=tool.told,
        input_schema=tool.takes,
        output_schema=tool.answer,
        annotations=ToolAnnotations.model_validate(tool.hints),
    )


def _client(context: Context) -> str:
    """Give the name by which the client made itself known."""
    params = context.session.client_params
    return name_of(params.client_info.name if params is not None else None)
