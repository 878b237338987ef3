"""This project as an assistant meets it: a server process behind the official SDK's client over stdio."""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

from messung.datasets import Entry
from messung.systems.protocol import Answer
from messung.unavailable import NotAvailable

HIT = re.compile(r"^#(\d+) \[", re.MULTILINE)
FIRST_ID = re.compile(r"#(\d+)")


class OursOverStdio:
    """A fresh memory in *folder*, spoken to through `mcp.Client`; the client's event loop runs in a thread."""

    def __init__(self, folder: Path) -> None:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client
        from mcp.client.stdio import StdioServerParameters

        environ = {
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
            "HOME": str(folder),
            "MEMORY_DB": str(folder / "memory.db"),
            "MEMORY_NAME": "messung",
            "MEMORY_LANG": "en",
            "FRUGAL_MEMORY_NO_PLUGINS": "1",
        }
        server = StdioServerParameters(command=sys.executable, args=["-m", "frugal"], env=environ, cwd=folder)
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        try:
            context = self._portal.wrap_async_context_manager(Client(server))
            self._client: Any = self._stack.enter_context(context)
        except Exception as error:
            self._stack.close()
            raise NotAvailable(f"the server does not answer: {type(error).__name__}") from error

    @property
    def version(self) -> str:
        """The version of this checkout and of the client."""
        import frugal

        return f"frugal-memory {frugal.__version__} over stdio, client mcp {version('mcp')}"

    def _call(self, tool: str, **arguments: object) -> str:
        result = self._portal.call(self._client.call_tool, tool, arguments)
        text = "\n".join(item.text for item in result.content if item.type == "text")
        if result.is_error:
            raise NotAvailable(f"{tool}: {text[:200]}")
        return text

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Remember *entries* one by one."""
        return [self.remember(entry.text, entry.tags) for entry in entries]

    def remember(self, text: str, tags: str = "") -> int:
        """Remember one text; return its id."""
        answer = self._call("remember", text=text, tags=tags)
        found = FIRST_ID.search(answer)
        if found is None:
            raise NotAvailable(f"remember gave no id: {answer[:80]}")
        return int(found[1])

    def ask(self, query: str, limit: int) -> Answer:
        """Return the answer of recall and the ids of its hit lines."""
        text = self._call("recall", query=query, limit=limit)
        return Answer(tuple(map(int, HIT.findall(text))), text)

    def read(self, entry_id: int) -> str:
        """Return the answer of show."""
        return self._call("show", ids=str(entry_id))

    def close(self) -> None:
        """End the client and with it the server."""
        self._stack.close()
