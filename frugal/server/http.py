"""Streamable HTTP: one store for any number of clients, each session with a memory of its own.

The SDK speaks the protocol, uvicorn speaks HTTP; who may come in is decided before either sees a request.
"""

import logging
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from signal import SIGINT
from typing import Any

import anyio
import uvicorn
from anyio.abc import TaskGroup, TaskStatus
from mcp.server.streamable_http_manager import (
    DEFAULT_SESSION_IDLE_TIMEOUT,
    StreamableHTTPSessionManager,
)
from starlette.responses import PlainTextResponse

from frugal.call import Client
from frugal.engine import Workspace
from frugal.server import EXIT_OF_SIGNAL, PATH
from frugal.server.door import Door
from frugal.server.edge import Context, Edge
from frugal.server.life import FINISH_S, SETTLE_S, Ending

LARGEST_BODY_BYTES = 4 * 1024 * 1024
SESSION = b"mcp-session-id"
KEPT_S = DEFAULT_SESSION_IDLE_TIMEOUT + 60
"""How long the memory of a session that says nothing is kept: a little longer than the SDK keeps the session."""
TICK_S = 0.02

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass
class Kept:
    """What one session asked, how many of its requests are in work, and when the last one ended."""

    client: Client = field(default_factory=Client)
    in_work: int = 0
    since: float = 0.0


class Sessions:
    """The memory of every session, for as long as the session may live."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._kept: dict[str, Kept] = {}

    def client(self, session: str | None) -> Client:
        """Return the memory of *session*; without one, as newer clients come, one that nobody sees again."""
        if session is None:
            return Client()
        if session not in self._kept:
            self._forget_old()
            self._kept[session] = Kept(since=self._now())
        return self._kept[session].client

    def begin(self, session: str) -> None:
        """Note that a request of *session* is in work."""
        if kept := self._kept.get(session):
            kept.in_work += 1

    def end(self, session: str) -> None:
        """Note that it has ended."""
        if kept := self._kept.get(session):
            kept.in_work = max(kept.in_work - 1, 0)
            kept.since = self._now()

    def _forget_old(self) -> None:
        oldest = self._now() - KEPT_S
        for session in [
            name for name, kept in self._kept.items() if not kept.in_work and kept.since < oldest
        ]:
            del self._kept[session]


class HttpEdge(Edge):
    """The handlers for many clients: the SDK enters the lifespan once, so a session is known by its id."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.sessions = Sessions()

    def client_of(self, context: Context) -> Client:
        """Return the memory of the session that a request belongs to."""
        request = context.request
        return self.sessions.client(request.headers.get(SESSION.decode()) if request else None)


REASONS = {
    401: "the header Authorization: Bearer TOKEN is missing, or its token is wrong.",
    403: "the Origin of this request is not let in; [http] origins in the config file lists others.",
    404: "there is nothing at this path; the address of the server ends with /mcp.",
    421: "the Host of this request is not the address listened at; [http] hosts in the config file lists others.",
    503: "the server is ending; start it again.",
}


class Entrance:
    """The ASGI application: refuses, or hands on to the SDK; counts the requests in work, streams that wait apart."""

    def __init__(self, door: Door, manager: StreamableHTTPSessionManager, sessions: Sessions) -> None:
        self._door = door
        self._manager = manager
        self._sessions = sessions
        self.in_work = 0
        self.is_open = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        status = self._door.refusal(scope["headers"])
        if not status and scope["path"] != PATH:
            status = 404
        if not status and not self.is_open:
            status = 503
        if status:
            await _refusal(status)(scope, receive, send)
            return
        with self._noted(scope):
            await self._manager.handle_request(scope, receive, send)

    @contextmanager
    def _noted(self, scope: Scope) -> Any:
        session = next((value.decode("latin-1") for name, value in scope["headers"] if name == SESSION), "")
        is_counted = scope["method"] != "GET"
        self.in_work += is_counted
        self._sessions.begin(session)
        try:
            yield
        finally:
            self._sessions.end(session)
            self.in_work -= is_counted

    async def settle(self, timeout_s: float) -> None:
        """Let nobody in any more, and wait until what is in work has its reply, at most *timeout_s* seconds."""
        self.is_open = False
        with anyio.move_on_after(timeout_s):
            while self.in_work:
                await anyio.sleep(TICK_S)


def _refusal(status: int) -> PlainTextResponse:
    """Return a refusal that says in a sentence what its status means, and nothing of what is served here."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    body = f"{status}: {REASONS[status]}\n"
    return PlainTextResponse(body, status_code=status, headers={**headers, "Connection": "close"})


class HttpServer(uvicorn.Server):
    """uvicorn without its own idea of signals: it would raise them again after it has ended."""

    @contextmanager
    def capture_signals(self) -> Any:
        """Leave the signals to us."""
        yield


def run(workspace: Workspace, door: Door, sockets: list[socket.socket]) -> int:
    """Serve *workspace* on *sockets* until a signal comes; return the exit code."""
    logging.disable()  # what the SDK and uvicorn have to report may hold texts of the user
    ending = Ending()
    try:
        anyio.run(_serve, workspace, door, sockets, ending)
    except KeyboardInterrupt:  # Windows, where the event loop watches no signals
        ending.code = EXIT_OF_SIGNAL[SIGINT]
    return ending.code


async def _serve(workspace: Workspace, door: Door, sockets: list[socket.socket], ending: Ending) -> None:
    edge = HttpEdge(workspace)
    manager = StreamableHTTPSessionManager(
        edge.build(), json_response=True, max_request_body_size=LARGEST_BODY_BYTES
    )
    entrance = Entrance(door, manager, edge.sessions)
    config = uvicorn.Config(
        entrance,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        http="h11",
        proxy_headers=False,
        server_header=False,
    )
    server = HttpServer(config)
    async with manager.run(), _signals_watched(server, entrance, ending):
        await server.serve(sockets)


@asynccontextmanager
async def _signals_watched(server: HttpServer, entrance: Entrance, ending: Ending) -> AsyncIterator[None]:
    """Let the block go on until a signal comes; then let running calls finish and end the server."""
    async with anyio.create_task_group() as group:
        if sys.platform != "win32":  # there the event loop turns an interrupt into KeyboardInterrupt
            await group.start(_watch_signals, server, entrance, ending, group)
        yield
        group.cancel_scope.cancel()


async def _watch_signals(
    server: HttpServer,
    entrance: Entrance,
    ending: Ending,
    group: TaskGroup,
    *,
    task_status: TaskStatus[None],
) -> None:
    with anyio.open_signal_receiver(*EXIT_OF_SIGNAL) as signals:
        task_status.started()
        async for number in signals:
            if not entrance.is_open:
                ending.now()
            ending.code = EXIT_OF_SIGNAL[number]
            ending.come_within(FINISH_S + SETTLE_S)
            group.start_soon(_finish, server, entrance)


async def _finish(server: HttpServer, entrance: Entrance) -> None:
    await entrance.settle(FINISH_S)
    server.should_exit = server.force_exit = True
    # From Python 3.12 on a closing listener waits for every connection, a stream that waits for news among them.
    for connection in list(server.server_state.connections):
        connection.transport.abort()
