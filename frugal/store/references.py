"""Rows that point to rows which are not there."""

from collections.abc import Iterator
from sqlite3 import Connection
from typing import NamedTuple

from frugal.store.predecessor import TABLES

TABLE_NAMES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
BROKEN = 'SELECT "table", rowid, parent FROM pragma_foreign_key_check(:table)'
IS_OURS = "SELECT 1 FROM sqlite_schema WHERE name = 'ledger'"


class Broken(NamedTuple):
    """A row that points to no row of *parent*; *rowid* is None in a table without row numbers."""

    table: str
    rowid: int | None
    parent: str


def broken_references(connection: Connection) -> Iterator[Broken]:
    """Yield the rows of every table that point to nothing.

    Tables that the predecessor left in a file of ours are passed over: they refer to one whose place a view has taken,
    and asked about all tables at once SQLite gives up at that.
    """
    is_ours = connection.execute(IS_OURS).fetchone() is not None
    old = {name for names in TABLES.values() for name in names} if is_ours else set()
    for (table,) in connection.execute(TABLE_NAMES).fetchall():
        if table not in old:
            for row in connection.execute(BROKEN, {"table": table}):
                yield Broken(*row)
