"""A mode may answer with an object beside its text, and tell its failures in the same way."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from connections import SdkConnection, open_workspace
from probe import SCHEMA, STRUCTURED
from stdio_client import text_of

from frugal.engine import Workspace
from frugal.server.edge import Edge

MODES = ("auto", "legacy")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = open_workspace(tmp_path, modes=[STRUCTURED])
    yield workspace
    workspace.close()


@pytest.fixture(params=MODES)
def connection(
    connect: Callable[..., SdkConnection], workspace: Workspace, request: pytest.FixtureRequest
) -> SdkConnection:
    return connect(Edge(workspace).build(), request.param)


def test_the_object_goes_beside_the_text_as_it_is(connection: SdkConnection) -> None:
    result = connection.call("structured", {"word": "a" * 50})

    assert text_of(result) == "said " + "a" * 50
    assert result["structuredContent"]["word"] == "a" * 50
    assert not result.get("isError")


def test_a_tool_learns_the_name_and_version_of_the_client(connection: SdkConnection) -> None:
    result = connection.call("structured", {"word": "who"})

    assert result["structuredContent"]["agent"].startswith("mcp@")


def test_the_schema_of_the_object_is_published(connection: SdkConnection) -> None:
    (tool,) = connection.list_tools()["tools"]

    assert tool["outputSchema"] == SCHEMA


def test_a_parameter_of_the_shell_is_neither_offered_nor_taken(connection: SdkConnection) -> None:
    (tool,) = connection.list_tools()["tools"]

    result = connection.call("structured", {"word": "a", "secret": "b"})

    assert list(tool["inputSchema"]["properties"]) == ["word"]
    assert result["structuredContent"] == {"code": "refused", "tool": "structured"}
    assert result["isError"]


def test_an_unknown_tool_is_told_in_the_way_of_the_mode(connection: SdkConnection) -> None:
    result = connection.call("nothing", {})

    assert result["structuredContent"]["tool"] == "nothing"
    assert result["isError"]
