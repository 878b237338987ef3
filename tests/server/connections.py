"""Connections of every kind a client may have, and one way to speak over all of them."""

from pathlib import Path
from typing import Any, Protocol

from anyio.from_thread import BlockingPortal
from mcp.client.client import Client
from stdio_client import StdioClient, isolated, text_of

from frugal.engine import Workspace, build_engine
from frugal.settings import Options, load_settings


class Connection(Protocol):
    """One client in conversation with one server; results are the objects that went over the wire."""

    language: str

    def instructions(self) -> str: ...

    def list_tools(self) -> dict[str, Any]: ...

    def call(self, tool: str, arguments: dict[str, object]) -> dict[str, Any]: ...


class SdkConnection:
    """The SDK's client against the server in this process."""

    def __init__(self, portal: BlockingPortal, client: Client, language: str) -> None:
        self._portal = portal
        self.client = client
        self.language = language

    def instructions(self) -> str:
        return self.client.instructions or ""

    def list_tools(self) -> dict[str, Any]:
        return as_wire(self._portal.call(lambda: self.client.list_tools(cache_mode="bypass")))

    def call(self, tool: str, arguments: dict[str, object]) -> dict[str, Any]:
        return as_wire(self._portal.call(self.client.call_tool, tool, arguments))


class RawConnection:
    """A server process, spoken to in one version of the protocol."""

    language = "en"

    def __init__(self, client: StdioClient, version: str) -> None:
        self.client = client
        self.greeting = client.initialize(version)

    def instructions(self) -> str:
        return str(self.greeting["instructions"])

    def list_tools(self) -> dict[str, Any]:
        return self.client.ask("tools/list")["result"]

    def call(self, tool: str, arguments: dict[str, object]) -> dict[str, Any]:
        return self.client.ask("tools/call", name=tool, arguments=arguments)["result"]


def as_wire(result: Any) -> dict[str, Any]:
    """Return the object that arrived."""
    return result.model_dump(by_alias=True, exclude_unset=True, mode="json")


def open_workspace(folder: Path, language: str = "en", **overrides: Any) -> Workspace:
    """Return the memory over a file in *folder*, in this process."""
    environ = {**isolated(folder), "MEMORY_LANG": language}
    engine = build_engine(load_settings(Options(), environ), **overrides)
    return engine.open(engine.registry.modes[0] if "modes" in overrides else engine.registry.default())


WORDS = {
    "de": {
        "show": "zeige",
        "topics": "themen",
        "forget": "vergessen",
        "classify": "einordnen",
        "consolidate": "verdichten",
        "check": "pruefe",
        "kind": "art",
        "supersedes": "ersetzt",
        "tag": "marke",
        "full": "voll",
    }
}


class Speaker:
    """A connection spoken to in English words, whatever its language."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._words = WORDS.get(connection.language, {})

    def word(self, english: str) -> str:
        """Return the name of a tool or parameter in the connection's language."""
        return self._words.get(english, english)

    def ask(self, tool: str, /, **arguments: object) -> dict[str, Any]:
        """Return the whole result of a call."""
        named = {self.word(name): value for name, value in arguments.items()}
        return self.connection.call(self.word(tool), named)

    def __call__(self, tool: str, /, **arguments: object) -> str:
        """Return the text of an answer; a refusal fails the test."""
        result = self.ask(tool, **arguments)
        assert not result["isError"], text_of(result)
        return text_of(result)

    def refused(self, tool: str, /, **arguments: object) -> str:
        """Return the text of a refusal; an answer fails the test."""
        result = self.ask(tool, **arguments)
        assert result["isError"], text_of(result)
        return text_of(result)
