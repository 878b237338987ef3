"""A store of ours that grows fast: the work of `remember` itself, but hundreds of entries a transaction."""

import sqlite3
from collections.abc import Iterable
from datetime import timedelta
from itertools import islice
from pathlib import Path

from frugal.entries.remember import Draft, store
from frugal.model import NO_KIND
from messung.datasets import Entry
from messung.systems.ours import Ours
from messung.yardstick import table_sizes

BATCH = 500
SITTING = 20
"""Entries that are written together before the clock moves on by more than half an hour."""

HIDDEN_EVERY = 10
"""One entry in so many is of a kind that a search leaves out, so that every recall filters and counts."""

DERIVED = "search_"
"""The prefix of every table that can be rebuilt from the entries."""


class GrowingStore(Ours):
    """The memory mode over a file in *folder*, filled in bulk through the storage layer of the entries."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = folder / "memory.db"

    def extend(self, entries: Iterable[Entry]) -> None:
        """Store *entries* as remember does, sitting by sitting."""
        rest = iter(entries)
        shown = [kind for kind in self.workspace.mode.kinds.kinds if not kind.is_hidden]
        hidden = self.workspace.mode.kinds.hidden
        call = self.workspace.new_call(self.client)
        while batch := list(islice(rest, BATCH)):
            with call.store.write() as db:
                for number, entry in enumerate(batch):
                    self.clock.now += timedelta(minutes=31) if number % SITTING == 0 else timedelta(seconds=1)
                    kinds = hidden if hidden and number % HIDDEN_EVERY == 0 else shown
                    kind = kinds[number % len(kinds)] if kinds else NO_KIND
                    store(call, db, Draft(entry.text, tuple(entry.tags.split()), kind, (), ""))

    def sizes(self) -> dict[str, int]:
        """Return the bytes of every table."""
        db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        try:
            return table_sizes(db)
        finally:
            db.close()

    def index_bytes(self) -> int:
        """The bytes of all derived tables."""
        return sum(size for name, size in self.sizes().items() if name.startswith(DERIVED))
