"""A store of ours that grows fast: the work of `remember` itself, but hundreds of entries a transaction."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from itertools import islice
from pathlib import Path

from frugal.entries.remember import Draft, store
from frugal.model import NO_KIND
from messung.datasets import Entry
from messung.systems.ours import Ours
from messung.yardstick import file_bytes, table_sizes

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
        with closing(sqlite3.connect(self.path)) as db:
            return table_sizes(db)

    def index_bytes(self) -> int:
        """The bytes of all derived tables; without `dbstat`, what a packed copy of the file loses with them."""
        sizes = self.sizes()
        if "file" not in sizes:
            return sum(size for name, size in sizes.items() if name.startswith(DERIVED))
        copy = self.path.with_name("packed.db")
        with closing(sqlite3.connect(self.path)) as origin, closing(_connect(copy)) as db:
            origin.backup(db)
            return _bytes_lost(db)


def _connect(path: Path) -> sqlite3.Connection:
    path.unlink(missing_ok=True)
    return sqlite3.connect(path, isolation_level=None)


DERIVED_TABLES = """
    SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB :pattern
    ORDER BY sql NOT LIKE 'CREATE VIRTUAL%', name
"""


def _bytes_lost(db: sqlite3.Connection) -> int:
    """Return how much smaller the packed file gets when its derived tables are dropped."""
    with_them = _packed(db)
    for (name,) in db.execute(DERIVED_TABLES, {"pattern": f"{DERIVED}*"}).fetchall():
        db.execute(f'DROP TABLE IF EXISTS "{name}"')  # shadow tables go with their virtual one
    return with_them - _packed(db)


def _packed(db: sqlite3.Connection) -> int:
    db.execute("VACUUM")
    return file_bytes(db)
