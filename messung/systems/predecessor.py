"""The published frugal-memory 0.2.0, through its own MCP server over stdio."""

import os
from pathlib import Path

from messung.stdio import StdioServer, bare_environment
from messung.systems.toolbox import Toolbox
from messung.unavailable import NotAvailable

VARIABLE = "FRUGAL_PREDECESSOR"


def executable() -> str:
    """Return the path of the predecessor's command from `FRUGAL_PREDECESSOR`; raise `NotAvailable` without one."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        raise NotAvailable(f"set {VARIABLE} to the command of an installed frugal-memory==0.2.0")
    if not os.access(given, os.X_OK):
        raise NotAvailable(f"{VARIABLE} names no executable file")
    return given


class Predecessor(Toolbox):
    """A fresh file in *folder* and one server process over it; English, no kinds."""

    def __init__(self, folder: Path) -> None:
        environ = bare_environment(folder) | {"MEMORY_DB": str(folder / "predecessor.db")}
        self.server = StdioServer([executable()], environ=environ, folder=folder)

    @property
    def version(self) -> str:
        """What the server says of itself."""
        return f"frugal-memory {self.server.greeting['serverInfo']['version']} over stdio"

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of one tool call."""
        return self.server.call(tool, **arguments)

    def close(self) -> None:
        """End the server."""
        self.server.close()
