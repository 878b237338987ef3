"""This project, through the real tools of an engine in this process."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import frugal
from frugal.call import Client
from frugal.engine import Workspace, build_engine
from frugal.entries.recall import recall
from frugal.search import Retriever
from frugal.settings import Options, load_settings
from messung.systems.mcp_client import server_environment
from messung.systems.protocol import Answer
from messung.systems.toolbox import Toolbox, answer_of
from messung.unavailable import NotAvailable

START = datetime(2026, 1, 1, tzinfo=UTC)
APART = timedelta(minutes=31)
TOGETHER = timedelta(seconds=1)
"""Entries less than half an hour apart count as written together."""


class SteppingClock:
    """A clock that the measurement sets: it moves only when told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def open_workspace(folder: Path, clock: SteppingClock, mode_name: str = "memory") -> Workspace:
    """Return the mode called *mode_name* over a fresh file in *folder*, in English."""
    engine = build_engine(load_settings(Options(), server_environment(folder)), clock=clock)
    for mode in engine.registry.modes:
        if mode.name == mode_name:
            return engine.open(mode)
    raise NotAvailable(f"no mode {mode_name}: install this project into the environment first")


class Ours(Toolbox):
    """The memory mode. *is_together* says whether the entries are stored in one sitting or each on its own."""

    def __init__(self, folder: Path, *, is_together: bool = False) -> None:
        self.clock = SteppingClock()
        self.workspace = open_workspace(folder, self.clock)
        self.client = Client()
        self.retriever: Retriever | None = None
        """Another retriever behind the same recall; None = the shipped one."""
        self._step = TOGETHER if is_together else APART

    @property
    def version(self) -> str:
        """The version of this checkout."""
        return f"frugal-memory {frugal.__version__}"

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of one tool call; a call that stores moves the clock on first."""
        if tool == "remember":
            self.clock.now += self._step
        reply = self.workspace.call(self.client, tool, arguments)
        if reply.is_error:
            raise NotAvailable(f"{tool}: {reply.text[:200]}")
        return reply.text

    def ask(self, query: str, limit: int) -> Answer:
        """Return the answer of recall, with the other retriever behind it if there is one."""
        tool = self.workspace.surface.find_tool("recall")
        if self.retriever is None or tool is None:
            return super().ask(query, limit)
        values = self.workspace.surface.read_arguments(tool, {"query": query, "limit": limit})
        answer = recall(self.workspace.new_call(self.client), **values, retriever=self.retriever)
        return answer_of(answer.text)

    def close(self) -> None:
        """Close the file."""
        self.workspace.close()
