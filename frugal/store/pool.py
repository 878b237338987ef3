"""The reading connections of one store: kept for the next call, interruptible, closed before the writer."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from sqlite3 import Connection

KEPT_READERS = 4


class Readers:
    """Idle and running reading connections; nobody ever waits for one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Connection] = []
        self._running: list[tuple[int, Connection]] = []
        self._of_this_file: set[Connection] = set()

    @contextmanager
    def lend(self, open_one: Callable[[], Connection]) -> Iterator[Connection]:
        """Yield an idle connection or a new one; its transaction ends with the block."""
        with self._changed:
            connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = open_one()
                self._of_this_file.add(connection)
            entry = self._start(connection)
        try:
            yield connection
        finally:
            self._give_back(connection, entry)

    @contextmanager
    def watch(self, connection: Connection) -> Iterator[None]:
        """Let `interrupt` reach a connection that is not kept."""
        with self._changed:
            entry = self._start(connection)
        try:
            yield
        finally:
            with self._changed:
                self._running.remove(entry)

    def take_out(self) -> Connection | None:
        """Return an idle connection that is no longer kept, None without one."""
        with self._changed:
            if not self._idle:
                return None
            connection = self._idle.pop()
            self._of_this_file.discard(connection)
            return connection

    def interrupt(self, thread_id: int | None) -> None:
        """Stop the statement that runs for *thread_id*, or every one."""
        with self._changed:
            for thread, connection in self._running:
                if thread_id in (None, thread):
                    connection.interrupt()

    def close(self, *, wait_s: float) -> bool:
        """Wait up to *wait_s* seconds for the running reads, close the idle ones, return whether that is all.

        A read that goes on closes its connection when it ends.
        """
        with self._changed:
            is_quiet = self._changed.wait_for(lambda: not self._running, timeout=wait_s)
            for connection in self._idle:
                _close(connection)
            self._idle.clear()
            self._of_this_file.clear()
        return is_quiet

    def _start(self, connection: Connection) -> tuple[int, Connection]:
        entry = (threading.get_ident(), connection)
        self._running.append(entry)
        return entry

    def _give_back(self, connection: Connection, entry: tuple[int, Connection]) -> None:
        is_sound = True
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            is_sound = False
        with self._changed:
            if is_sound and connection in self._of_this_file and len(self._idle) < KEPT_READERS:
                self._idle.append(connection)
            else:
                self._of_this_file.discard(connection)
                _close(connection)
            self._running.remove(entry)
            self._changed.notify_all()


def _close(connection: Connection) -> None:
    with suppress(sqlite3.Error):
        connection.close()
