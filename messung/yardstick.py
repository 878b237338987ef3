"""Raw FTS5 over the same rows: a contentless porter index in a file of its own, nothing around it."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from messung.systems.fts5 import or_query

CREATE = "CREATE VIRTUAL TABLE plain USING fts5 (text, content = '', tokenize = 'porter unicode61')"
INSERT = "INSERT INTO plain (rowid, text) VALUES (:id, :text)"
BEST = "SELECT rowid FROM plain WHERE plain MATCH :query ORDER BY bm25(plain) LIMIT 8"
BATCH = 1000


class RawIndex:
    """The index as a file in *folder*; grows by `extend`."""

    def __init__(self, folder: Path) -> None:
        self._db = sqlite3.connect(folder / "raw.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = wal")
        self._db.execute(CREATE)
        self._last_id = 0

    def extend(self, texts: Iterable[str]) -> None:
        """Add *texts*, a thousand a transaction."""
        batch: list[dict[str, Any]] = []
        for text in texts:
            self._last_id += 1
            batch.append({"id": self._last_id, "text": text})
            if len(batch) == BATCH:
                self._write(batch)
                batch = []
        self._write(batch)

    def _write(self, batch: Sequence[dict[str, Any]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(INSERT, batch)
        self._db.execute("COMMIT")

    def ask(self, query: str) -> list[int]:
        """Return the 8 best rows for the words of *query*, which holds no stop word any more."""
        return [row[0] for row in self._db.execute(BEST, {"query": or_query(query, ())})]

    def size_bytes(self) -> int:
        """The bytes of the index."""
        return sum(table_sizes(self._db).values())

    def close(self) -> None:
        """Close the file."""
        self._db.close()


PAGES = """
    SELECT coalesce(object.tbl_name, dbstat.name), sum(dbstat.pgsize)
    FROM dbstat LEFT JOIN sqlite_schema AS object ON object.name = dbstat.name
    GROUP BY 1
    ORDER BY 1
"""


def table_sizes(db: sqlite3.Connection) -> dict[str, int]:
    """Return the bytes of every table of *db*, its indexes included; an FTS table appears as its shadow tables.

    Where SQLite was built without `dbstat`, one number stands for the whole file, under the name `file`.
    """
    if has_page_statistics(db):
        return dict(db.execute(PAGES).fetchall())
    return {"file": file_bytes(db)}


def file_bytes(db: sqlite3.Connection) -> int:
    """Return the bytes of all pages of *db*."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (page_bytes,) = db.execute("PRAGMA page_size").fetchone()
    return int(pages * page_bytes)


def has_page_statistics(db: sqlite3.Connection) -> bool:
    """Tell whether this SQLite can say which table a page belongs to."""
    return "ENABLE_DBSTAT_VTAB" in (row[0] for row in db.execute("PRAGMA compile_options"))
