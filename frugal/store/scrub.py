"""Nothing deleted stays: the file rewritten, its log emptied, and which backups still hold what was deleted."""

import sqlite3
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import StoreError
from frugal.store import connections, files

LAYOUTS = (("entry", "text"), ("eintrag", "content"), ("mem", "content"))
"""Where texts lie in files of ours and of the published predecessor."""
HAS_COLUMN = "SELECT 1 FROM pragma_table_info(:table) WHERE name = :column"
HOLDS = 'SELECT 1 FROM "{table}" WHERE "{column}" = :text LIMIT 1'


def rewrite(connection: Connection, *, deadline: float) -> bool:
    """Write the whole file anew and empty its log; return whether the log is empty.

    Deleted text lies in free pages, between the rows of pages in use, and in the log; only this reaches all of them.
    A reader in another process keeps the log from being emptied; *deadline* is on the monotonic clock.
    """
    connection.execute("PRAGMA secure_delete = ON").fetchall()
    try:
        connection.execute("VACUUM").fetchall()
    finally:
        connection.execute("PRAGMA secure_delete = OFF").fetchall()
    connection.execute("PRAGMA busy_timeout = 0").fetchall()  # the next write sets its own
    while True:
        is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if not is_busy or time.monotonic() > deadline:
            return not is_busy
        connections.pause(0)


def backups_holding(
    path: Path, texts: Collection[str], layouts: Sequence[tuple[str, str]] = LAYOUTS
) -> tuple[list[Path], list[Path]]:
    """Return the backups of *path* that hold one of *texts*, and those that cannot be read.

    *layouts* are the tables and columns to look in; a backup need not have them all.
    """
    holding: list[Path] = []
    unreadable: list[Path] = []
    for backup in [*files.backups_of(path), *files.damaged_copies_of(path)]:
        try:
            if connections.look(backup, lambda connection: _holds(connection, texts, layouts)):
                holding.append(backup)
        except (sqlite3.Error, StoreError, OSError):
            unreadable.append(backup)
    return holding, unreadable


def _holds(connection: Connection, texts: Collection[str], layouts: Sequence[tuple[str, str]]) -> bool:
    for table, column in layouts:
        if connection.execute(HAS_COLUMN, {"table": table, "column": column}).fetchone() is None:
            continue
        statement = HOLDS.format(table=table, column=column)
        if any(connection.execute(statement, {"text": text}).fetchone() for text in texts):
            return True
    return False
