"""The handlers of the protocol. The low-level server validates nothing, and on older connections the text of whatever
they raise reaches the client: everything is caught here."""

import sys
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import cached_property, partial
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

import frugal
from frugal.call import Client
from frugal.engine import Reply, ToolDefinition, Workspace
from frugal.errors import FrugalError

READERS = 4

Context = ServerRequestContext[Client]


class Edge:
    """The handlers of one workspace: reads run beside each other, writes one after another."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._readers = anyio.CapacityLimiter(READERS)
        self._writer = anyio.CapacityLimiter(1)

    def build(self) -> Server[Client]:
        """Return the protocol server; it serves any number of connections, each with a memory of its own."""
        return Server(
            "frugal-memory",
            version=frugal.__version__,
            instructions=self.workspace.instructions or None,
            lifespan=connection,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
        )

    @cached_property
    def _tools(self) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[as_tool(item) for item in self.workspace.definitions()])

    async def list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Answer `tools/list`, byte for byte the same at every call."""
        try:
            return self._tools
        except Exception:  # see the head of this module
            self._report()
            raise MCPError(types.INTERNAL_ERROR, self.workspace.surface.render(FrugalError())) from None

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer `tools/call`; a refusal is a result marked as an error, never a protocol error."""
        try:
            client = self.client_of(context)
            client.agent = client.agent or agent_of(context)
            reply = await self._run(client, params.name, params.arguments or {})
        except (Exception, SystemExit):  # see the head of this module; a tool may try to leave
            self._report()
            reply = Reply(self.workspace.surface.render(FrugalError()))
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=reply.text)]
        structured = reply.answer.structured if reply.answer is not None else None
        return types.CallToolResult(
            content=content,
            structured_content=None if structured is None else dict(structured),
            is_error=reply.is_error,
        )

    def client_of(self, context: Context) -> Client:
        """Return the memory of the connection that a request came over."""
        return context.lifespan_context

    async def _run(self, client: Client, name: str, arguments: Mapping[str, Any]) -> Reply:
        work = partial(self.workspace.call, client, name, arguments)
        if self.workspace.is_writing(name):
            # A write that has begun finishes although its client is gone.
            return await anyio.to_thread.run_sync(work, limiter=self._writer)
        reading = Reading(work)
        try:
            return await anyio.to_thread.run_sync(reading.run, limiter=self._readers, abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            reading.interrupt(self.workspace)
            raise

    def _report(self) -> None:
        with suppress(OSError, ValueError):  # stderr may be gone
            traceback.print_exc(file=sys.stderr)


class Reading:
    """One read in a worker thread, which the store can be told to give up."""

    def __init__(self, work: Callable[[], Reply]) -> None:
        self._work = work
        self._guard = threading.Lock()
        self._thread: int | None = None

    def run(self) -> Reply:
        """Read, and remember the thread meanwhile."""
        with self._guard:
            self._thread = threading.get_ident()
        try:
            return self._work()
        finally:
            with self._guard:
                self._thread = None

    def interrupt(self, workspace: Workspace) -> None:
        """Stop the read if it runs; never the next one in the same thread."""
        with self._guard:
            if self._thread is not None:
                workspace.store.interrupt(self._thread)


@asynccontextmanager
async def connection(_server: Server[Client]) -> AsyncIterator[Client]:
    """Give each connection its own memory of what it asked; the SDK enters this once a connection."""
    yield Client()


def agent_of(context: Context) -> str:
    """Return `name@version` of the client, "" if it did not say."""
    info = context.session.client_params.client_info if context.session.client_params else None
    return f"{info.name}@{info.version}" if info else ""


def as_tool(definition: ToolDefinition) -> types.Tool:
    """Return *definition* in the protocol's shape."""
    return types.Tool(
        name=definition.name,
        description=definition.description,
        input_schema=dict(definition.input_schema),
        output_schema=None if definition.output_schema is None else dict(definition.output_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=definition.is_read_only,
            destructive_hint=definition.is_destructive,
            idempotent_hint=definition.is_idempotent,
            open_world_hint=definition.is_open_world,
        ),
    )
