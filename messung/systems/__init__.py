"""The systems that are measured side by side, by name."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from messung.systems.bm25s_library import Bm25s
from messung.systems.fts5 import PlainFts5
from messung.systems.mcp_client import OursOverStdio
from messung.systems.ours import Ours
from messung.systems.predecessor import Predecessor
from messung.systems.protocol import Answer, System

__all__ = ["COMPARED", "LABELS", "SYSTEMS", "Answer", "System", "open_system"]

SYSTEMS: dict[str, Callable[[Path], System]] = {
    "fts5": lambda _folder: PlainFts5(),
    "bm25s": lambda _folder: Bm25s(),
    "predecessor": Predecessor,
    "ours": Ours,
    "ours-together": lambda folder: Ours(folder, is_together=True),
    "ours-stdio": OursOverStdio,
}

COMPARED = ("fts5", "bm25s", "predecessor", "ours", "ours-together")
"""The systems of a comparison in one process; `ours-stdio` is the slow road to the same engine."""

LABELS = {
    "fts5": "plain FTS5",
    "bm25s": "bm25s",
    "predecessor": "frugal-memory 0.2.0",
    "ours": "frugal-memory",
    "ours-together": "frugal-memory, written together",
    "ours-stdio": "frugal-memory over stdio",
}


@contextmanager
def open_system(name: str) -> Iterator[System]:
    """Give the system called *name*, empty, in a temporary folder; raise `NotAvailable` if it cannot be had."""
    with tempfile.TemporaryDirectory(prefix="messung-") as folder:
        system = SYSTEMS[name](Path(folder))
        try:
            yield system
        finally:
            system.close()
