"""Connections of every kind a client may have, each over a fresh file and used by the whole contract suite."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from connections import Connection, RawConnection, SdkConnection, Speaker, open_workspace
from mcp.client.client import Client
from mcp.server.lowlevel import Server
from stdio_client import StdioClient

from frugal.server.edge import Edge

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def connect(portal: BlockingPortal) -> Iterator[Callable[..., SdkConnection]]:
    """Open further connections to one server in this process."""
    with ExitStack() as stack:

        def open_one(server: Server[Any], mode: str = "auto") -> SdkConnection:
            client = Client(server, mode=mode)
            stack.enter_context(portal.wrap_async_context_manager(client))
            return SdkConnection(portal, client, "en")

        yield open_one


@pytest.fixture(scope="session", params=["auto-en", "legacy-en", "auto-de", "legacy-de", *VERSIONS])
def connection(
    request: pytest.FixtureRequest, portal: BlockingPortal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Connection]:
    """A connection of each kind; the tests share its file, so each brings words of its own."""
    folder = tmp_path_factory.mktemp("connection")
    with ExitStack() as stack:
        if request.param in VERSIONS:
            yield RawConnection(stack.enter_context(StdioClient(folder)), request.param)
            return
        mode, language = request.param.split("-")
        workspace = open_workspace(folder, language)
        stack.callback(workspace.close)
        client = Client(Edge(workspace).build(), mode=mode)
        stack.enter_context(portal.wrap_async_context_manager(client))
        yield SdkConnection(portal, client, language)


@pytest.fixture
def say(connection: Connection) -> Speaker:
    return Speaker(connection)
