"""The MCP edge: one workspace served over stdio. The low-level server validates nothing, so everything is read here."""

import logging
import os
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from signal import SIGINT, SIGTERM, Signals
from typing import Any
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.abc import TaskStatus
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

import frugal
from frugal.call import Client
from frugal.engine import Reply, ToolDefinition, Workspace

READERS = 4
FINISH_S = 5.0
"""How long a running call may go on after a signal."""
EXIT_OF_SIGNAL = {SIGINT: 130, SIGTERM: 0}


class Edge:
    """The handlers of one workspace: reads run beside each other, writes one after another."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._readers = anyio.CapacityLimiter(READERS)
        self._writer = anyio.CapacityLimiter(1)
        self._clients: WeakKeyDictionary[Any, Client] = WeakKeyDictionary()
        self.running = 0

    async def list_tools(
        self, _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Answer `tools/list`, byte for byte the same at every call."""
        return types.ListToolsResult(tools=[as_tool(item) for item in self.workspace.definitions()])

    async def call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Answer `tools/call`; a refusal is a result marked as an error, never a protocol error."""
        self.running += 1
        try:
            reply = await self._run(self._client(context), params.name, params.arguments or {})
        finally:
            self.running -= 1
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=reply.text)]
        return types.CallToolResult(content=content, is_error=reply.is_error)

    def _client(self, context: ServerRequestContext[Any]) -> Client:
        return self._clients.setdefault(context.session, Client())

    async def _run(self, client: Client, name: str, arguments: Mapping[str, Any]) -> Reply:
        is_writing = self.workspace.is_writing(name)
        work = partial(self.workspace.call, client, name, arguments)
        # A write that has begun finishes although its client is gone; a read may be given up.
        return await anyio.to_thread.run_sync(
            work,
            limiter=self._writer if is_writing else self._readers,
            abandon_on_cancel=not is_writing,
        )

    def build(self) -> Server[Any]:
        """Return the protocol server."""
        return Server(
            "frugal-memory",
            version=frugal.__version__,
            instructions=self.workspace.instructions or None,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
        )


def as_tool(definition: ToolDefinition) -> types.Tool:
    """Return *definition* in the protocol's shape."""
    return types.Tool(
        name=definition.name,
        description=definition.description,
        input_schema=dict(definition.input_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=definition.is_read_only,
            destructive_hint=definition.is_destructive,
            idempotent_hint=definition.is_idempotent,
            open_world_hint=definition.is_open_world,
        ),
    )


def serve(workspace: Workspace) -> int:
    """Serve *workspace* over stdin and stdout until one of them closes or a signal comes; return the exit code."""
    logging.basicConfig(level=logging.CRITICAL, stream=sys.stderr)
    edge = Edge(workspace)
    try:
        code = anyio.run(_serve, edge)
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
        code = 0
    workspace.close()
    return code


async def _serve(edge: Edge) -> int:
    server = edge.build()
    async with _signals_watched(edge), stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())
    return 0


@asynccontextmanager
async def _signals_watched(edge: Edge) -> AsyncIterator[None]:
    async with anyio.create_task_group() as group:
        await group.start(_watch_signals, edge)
        yield
        group.cancel_scope.cancel()


async def _watch_signals(edge: Edge, *, task_status: TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(*EXIT_OF_SIGNAL) as signals:
        task_status.started()
        async for signal in signals:
            await _finish(edge, signal)


async def _finish(edge: Edge, signal: Signals) -> None:
    """Let running calls end, close the store and leave: the thread that reads stdin cannot be woken otherwise."""
    deadline = time.monotonic() + FINISH_S
    while edge.running and time.monotonic() < deadline:
        await anyio.sleep(0.01)
    edge.workspace.close()
    sys.stderr.flush()
    os._exit(EXIT_OF_SIGNAL[signal])
