"""The published frugal-memory 0.2.0, through its own MCP server over stdio."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from messung.datasets import Entry
from messung.stdio import StdioServer
from messung.systems.protocol import Answer
from messung.unavailable import NotAvailable

VARIABLE = "FRUGAL_PREDECESSOR"
HIT = re.compile(r"^#(\d+) \[", re.MULTILINE)
FIRST_ID = re.compile(r"#(\d+)")


def executable() -> str:
    """Return the path of the predecessor's command from `FRUGAL_PREDECESSOR`; raise `NotAvailable` without one."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        raise NotAvailable(f"set {VARIABLE} to the command of an installed frugal-memory==0.2.0")
    if not os.access(given, os.X_OK):
        raise NotAvailable(f"{VARIABLE} names no executable file")
    return given


class Predecessor:
    """A fresh file in *folder* and one server process over it; English, no kinds."""

    def __init__(self, folder: Path) -> None:
        environ = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder),
            "MEMORY_DB": str(folder / "predecessor.db"),
            "MEMORY_LANG": "en",
        }
        self._server = StdioServer([executable()], environ=environ, folder=folder)

    @property
    def version(self) -> str:
        """What the server says of itself."""
        return f"frugal-memory {self._server.greeting['serverInfo']['version']}"

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Remember *entries* one by one."""
        return [self.remember(entry.text, entry.tags) for entry in entries]

    def remember(self, text: str, tags: str = "") -> int:
        """Remember one text; return its id."""
        answer = self._server.call("remember", text=text, tags=tags)
        found = FIRST_ID.search(answer)
        if found is None:
            raise NotAvailable(f"remember gave no id: {answer[:80]}")
        return int(found[1])

    def ask(self, query: str, limit: int) -> Answer:
        """Return the answer of recall and the ids of its hit lines."""
        text = self._server.call("recall", query=query, limit=limit)
        return Answer(tuple(map(int, HIT.findall(text))), text)

    def read(self, entry_id: int) -> str:
        """Return the answer of show."""
        return self._server.call("show", ids=str(entry_id))

    def close(self) -> None:
        """End the server."""
        self._server.close()
