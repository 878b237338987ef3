"""This project, through the real tools of an engine in this process."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from messung.datasets import Entry
from messung.systems.protocol import Answer
from messung.unavailable import NotAvailable

if TYPE_CHECKING:
    from frugal.engine import Workspace

HIT = re.compile(r"^#(\d+) \[", re.MULTILINE)
FIRST_ID = re.compile(r"#(\d+)")
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


def open_workspace(folder: Path, clock: SteppingClock, mode_name: str = "memory") -> "Workspace":
    """Return the mode called *mode_name* over a fresh file in *folder*; raise `NotAvailable` while it lacks parts."""
    try:
        from frugal.engine import build_engine
        from frugal.settings import Options, load_settings
    except ImportError as error:
        raise NotAvailable(f"the engine cannot be imported: {error}") from error
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "MEMORY_LANG": "en",
        "MEMORY_DB": str(folder / "memory.db"),
        "MEMORY_NAME": "messung",
        "FRUGAL_MEMORY_NO_PLUGINS": "1",
    }
    engine = build_engine(load_settings(Options(), environ), clock=clock)
    for mode in engine.registry.modes:
        if mode.name == mode_name:
            return engine.open(mode)
    raise NotAvailable(f"no mode {mode_name}: install this project into the environment first")


class Ours:
    """The memory mode. *is_together* says whether the entries are stored in one sitting or each on its own."""

    def __init__(self, folder: Path, *, is_together: bool = False) -> None:
        self._clock = SteppingClock()
        self._step = TOGETHER if is_together else APART
        self.workspace = open_workspace(folder, self._clock)
        from frugal.call import Client

        self._client = Client()

    @property
    def version(self) -> str:
        """The version of this checkout."""
        import frugal

        return f"frugal-memory {frugal.__version__}"

    def _call(self, tool: str, **arguments: object) -> str:
        reply = self.workspace.call(self._client, tool, arguments)
        if reply.is_error:
            raise NotAvailable(f"{tool}: {reply.text[:200]}")
        return reply.text

    def store(self, entries: Sequence[Entry]) -> list[int]:
        """Remember *entries* one by one."""
        return [self.remember(entry.text, entry.tags) for entry in entries]

    def remember(self, text: str, tags: str = "") -> int:
        """Remember one text; return its id."""
        self._clock.now += self._step
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
        """Close the file."""
        self.workspace.close()
