"""What surrounds a tool: it may fail, take long or be given up, and neither client nor server suffers."""

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from connections import SdkConnection, open_workspace
from mcp.server.lowlevel import Server
from probe import PROBE, SECRET, STAGES, Stage
from stdio_client import text_of

from frugal.engine import Workspace, read_migrations
from frugal.server.edge import Edge

MODES = ("auto", "legacy")
WAIT_S = 20.0


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = open_workspace(tmp_path, modes=[PROBE])
    yield workspace
    workspace.close()


@pytest.fixture
def server(workspace: Workspace) -> Server[Any]:
    return Edge(workspace).build()


@pytest.fixture
def stage() -> Iterator[Stage]:
    STAGES["stage"] = Stage()
    yield STAGES["stage"]
    STAGES["stage"].may_go_on.set()


def call(connection: SdkConnection, tool: str, word: str = "stage") -> dict[str, Any]:
    return connection.call(tool, {"word": word})


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("word", ["raise", "exit"])
def test_the_text_of_an_exception_stays_in_the_house(
    connect: Callable[..., SdkConnection],
    server: Server[Any],
    capfd: pytest.CaptureFixture[str],
    mode: str,
    word: str,
) -> None:
    connection = connect(server, mode)

    result = call(connection, "fail", word)

    assert result["isError"]
    assert SECRET not in str(result)
    assert "Internal error" in text_of(result)
    assert "Traceback" in capfd.readouterr().err
    assert text_of(call(connection, "count")) == "0"


@pytest.mark.parametrize("mode", MODES)
def test_a_failing_definition_does_not_reach_the_client(
    connect: Callable[..., SdkConnection], workspace: Workspace, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    def broken() -> object:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(workspace, "definitions", broken)
    connection = connect(Edge(workspace).build(), mode)

    with pytest.raises(Exception, match="Internal error") as caught:
        connection.list_tools()

    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_read_is_interrupted_and_the_next_call_works(
    connect: Callable[..., SdkConnection],
    server: Server[Any],
    portal: BlockingPortal,
    stage: Stage,
    mode: str,
) -> None:
    connection = connect(server, mode)
    waiting = portal.start_task_soon(connection.client.call_tool, "endless", {"word": "stage"})
    assert stage.has_begun.wait(WAIT_S)

    waiting.cancel()

    with pytest.raises(CancelledError):
        waiting.result(WAIT_S)
    assert stage.has_ended.wait(WAIT_S)
    assert stage.error is not None
    assert "interrupt" in str(stage.error.data)
    assert text_of(call(connection, "count")) == "0"


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_write_finishes_and_the_next_call_works(
    connect: Callable[..., SdkConnection],
    server: Server[Any],
    portal: BlockingPortal,
    stage: Stage,
    mode: str,
) -> None:
    connection = connect(server, mode)
    waiting = portal.start_task_soon(connection.client.call_tool, "slow", {"word": "stage"})
    assert stage.has_begun.wait(WAIT_S)

    waiting.cancel()
    stage.may_go_on.set()

    assert stage.has_ended.wait(WAIT_S)
    assert text_of(call(connection, "slow", "other"))
    assert text_of(call(connection, "count")) == "1"


def test_reads_do_not_wait_for_a_write(
    connect: Callable[..., SdkConnection], server: Server[Any], portal: BlockingPortal, stage: Stage
) -> None:
    connection = connect(server)
    waiting = portal.start_task_soon(connection.client.call_tool, "slow", {"word": "stage"})
    assert stage.has_begun.wait(WAIT_S)

    counted = text_of(call(connection, "count"))

    assert counted == "0"
    stage.may_go_on.set()
    assert not waiting.result(WAIT_S).is_error


def test_two_connections_to_one_server_do_not_share_what_they_asked(
    connect: Callable[..., SdkConnection], workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    original = workspace.call

    def listen(client: Any, name: str, arguments: Any) -> Any:
        seen.append(id(client))
        return original(client, name, arguments)

    monkeypatch.setattr(workspace, "call", listen)
    server = Edge(workspace).build()
    first, second, third = connect(server), connect(server, "legacy"), connect(server)

    for connection in (first, second, third, first, second, third):
        call(connection, "count")

    assert [seen.index(client) for client in seen] == [0, 1, 2, 0, 1, 2]


def test_first_calls_that_come_together_share_one_store(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = Barrier(2)

    def meet(mode: Any) -> Any:
        with suppress(BrokenBarrierError):
            both.wait(0.3)
        return read_migrations(mode)

    monkeypatch.setattr("frugal.engine.read_migrations", meet)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: workspace.store, range(2))

    assert first is second
