"""This project as an assistant meets it: a server process behind the official SDK's client over stdio."""

import sys
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import frugal
from messung.stdio import bare_environment
from messung.systems.toolbox import Toolbox
from messung.unavailable import NotAvailable


class OursOverStdio(Toolbox):
    """A fresh memory in *folder*, spoken to through `mcp.Client`; the client's event loop runs in a thread."""

    def __init__(self, folder: Path) -> None:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters, stdio_client

        server = StdioServerParameters(
            command=sys.executable, args=["-m", "frugal"], env=server_environment(folder), cwd=folder
        )
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        try:
            errors = self._stack.enter_context((folder / "stderr.txt").open("w", encoding="utf-8"))
            context = self._portal.wrap_async_context_manager(Client(stdio_client(server, errors)))
            self._client: Any = self._stack.enter_context(context)
        except Exception as error:
            self._stack.close()
            raise NotAvailable(f"the server does not answer: {type(error).__name__}") from error

    @property
    def version(self) -> str:
        """The version of this checkout and of the client."""
        return f"frugal-memory {frugal.__version__} over stdio, client mcp {version('mcp')}"

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of one tool call."""
        result = self._portal.call(self._client.call_tool, tool, arguments)
        text = "\n".join(item.text for item in result.content if item.type == "text")
        if result.is_error:
            raise NotAvailable(f"{tool}: {text[:200]}")
        return text

    def close(self) -> None:
        """End the client and with it the server."""
        self._stack.close()


def server_environment(folder: Path) -> dict[str, str]:
    """Return the environment of a server process of ours over `memory.db` in *folder*."""
    return bare_environment(folder) | {
        "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        "MEMORY_DB": str(folder / "memory.db"),
        "MEMORY_NAME": "messung",
        "FRUGAL_MEMORY_NO_PLUGINS": "1",
    }
