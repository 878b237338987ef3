"""How a file is opened: for writing, for reading beside writers, and as a bystander that leaves no trace."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple, TypeVar

from frugal.errors import StoreError
from frugal.store import failures, files

READ_WAIT_S = 5.0
ATTEMPTS = 10
CACHE_KIB = 16_384
LOG_LIMIT_BYTES = 8_388_608
KEPT_STATEMENTS = 256

Answer = TypeVar("Answer")


class Bystander(NamedTuple):
    """A connection that changes neither file nor folder; *before* is set if it takes no notice of writers."""

    connection: Connection
    before: files.Stamp | None

    def is_torn(self, path: Path) -> bool:
        """Return whether somebody wrote to the file that was read as if nobody could."""
        return self.before is not None and self.before != files.stamp_of(path)


def open_writer(path: Path, *, busy_timeout_s: float) -> Connection:
    """Return a connection that may write to the existing file *path*; BEGIN and COMMIT are the caller's."""
    connection = _connect(path, "mode=rw", busy_timeout_s)
    _tell(connection, "foreign_keys = ON", "synchronous = FULL", f"journal_size_limit = {LOG_LIMIT_BYTES}")
    return connection


def open_empty() -> Connection:
    """Return a connection to a database of its own that is gone when it is closed."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


def open_reader(path: Path, *, busy_timeout_s: float) -> Connection:
    """Return a reading connection of a store that may be written.

    It is opened for writing and told not to write: a `mode=ro` connection that closes last leaves the log.
    """
    connection = _connect(path, "mode=rw", min(busy_timeout_s, READ_WAIT_S))
    _tell(connection, "query_only = ON")
    return connection


def begin_bystander(path: Path) -> Bystander:
    """Return a bystander in a transaction; tries again while another process makes or removes the log."""
    for attempt in range(ATTEMPTS):
        bystander = _open_bystander(path)
        try:
            bystander.connection.execute("BEGIN")
            bystander.connection.execute("PRAGMA schema_version").fetchone()
        except sqlite3.Error as error:
            bystander.connection.close()
            if attempt == ATTEMPTS - 1 or not _is_passing(error, is_torn=bystander.is_torn(path)):
                raise
        else:
            return bystander
        pause(attempt)
    raise AssertionError  # the last attempt returns or raises


def look(path: Path, question: Callable[[Connection], Answer]) -> Answer:
    """Return the answer to *question*, without touching the file; asks again if somebody wrote meanwhile."""
    for attempt in range(ATTEMPTS):
        bystander = begin_bystander(path)
        try:
            with closing(bystander.connection):
                answer = question(bystander.connection)
        except (sqlite3.Error, StoreError):
            if attempt == ATTEMPTS - 1 or not bystander.is_torn(path):
                raise
        else:
            if not bystander.is_torn(path):
                return answer
        pause(attempt)
    raise sqlite3.OperationalError("database is locked")


def use_log(connection: Connection, *, deadline: float) -> None:
    """Switch the file to write-ahead logging, which it keeps; *deadline* is on the monotonic clock.

    SQLite does not wait for others here, so we do. Nothing is written if the file has it already.
    """
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if not failures.is_locked(error) or time.monotonic() > deadline:
                raise
            pause(0)
        else:
            return


def take_log_away(last: Connection) -> None:
    """Move the log of a file that is no longer at its path into it, remove the log, close the connection *last*.

    SQLite does neither when such a file is closed. Leaving the log mode does both, but only for the very last
    connection; beside others the log is at least emptied into its file.
    """
    with closing(last), suppress(sqlite3.Error):
        _tell(
            last, "query_only = OFF", "busy_timeout = 0", "wal_checkpoint(TRUNCATE)", "journal_mode = DELETE"
        )


def _open_bystander(path: Path) -> Bystander:
    """Open *path* without a trace.

    Without a log nobody is writing, and SQLite would have to make one: then the file is opened as immutable
    and its stamp is compared afterwards. With a log it is read together with it.
    """
    place = files.resolve(path)
    before = files.stamp_of(place)
    is_alone = files.size_of(files.side_file(place, files.JOURNAL)) <= 0 and not files.has_live_log(place)
    connection = _connect(place, "mode=ro&immutable=1" if is_alone else "mode=ro", READ_WAIT_S)
    return Bystander(connection, before if is_alone else None)


def _is_passing(error: sqlite3.Error, *, is_torn: bool) -> bool:
    return is_torn or failures.primary_code(error) in failures.REFUSED_BY_SYSTEM


def pause(attempt: int) -> None:
    """Sleep 1 to 10 ms times *attempt* + 1; the processes that met once are not to meet again."""
    time.sleep((1 + os.urandom(1)[0] % 10) / 1000 * (attempt + 1))


def _connect(path: Path, how: str, busy_timeout_s: float) -> Connection:
    connection = sqlite3.connect(
        f"{files.resolve(path).as_uri()}?{how}",
        uri=True,
        timeout=busy_timeout_s,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=KEPT_STATEMENTS,
    )
    connection.row_factory = sqlite3.Row
    _tell(connection, f"cache_size = -{CACHE_KIB}", "temp_store = MEMORY")
    return connection


def _tell(connection: Connection, *pragmas: str) -> None:
    """Run *pragmas*; a connection that refuses one is closed."""
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}").fetchall()
    except sqlite3.Error:
        connection.close()
        raise
