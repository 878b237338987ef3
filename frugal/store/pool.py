"""The reading connections of one store: kept for the next call, interruptible, closed before the writer."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from sqlite3 import Connection

KEPT_READERS = 4
STEPS_BETWEEN_LOOKS = 50_000
"""Instructions of SQLite's machine after which a running statement asks whether it is still wanted: about 1 ms."""


class _Lent:
    """A connection in use by one thread. SQLite forgets an interruption that comes between two statements, so that
    it is kept here as well, and looked at by every statement that follows."""

    def __init__(self, connection: Connection) -> None:
        self.thread = threading.get_ident()
        self.connection = connection
        self.is_interrupted = False
        connection.set_progress_handler(self._is_unwanted, STEPS_BETWEEN_LOOKS)

    def interrupt(self) -> None:
        self.is_interrupted = True
        self.connection.interrupt()

    def end(self) -> None:
        self.connection.set_progress_handler(None, 0)

    def _is_unwanted(self) -> bool:
        return self.is_interrupted


class Readers:
    """Idle and running reading connections; nobody ever waits for one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Connection] = []
        self._running: list[_Lent] = []
        self._of_this_file: set[Connection] = set()

    @contextmanager
    def lend(self, open_one: Callable[[], Connection]) -> Iterator[Connection]:
        """Yield an idle connection or a new one; its transaction ends with the block."""
        with self._changed:
            connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = open_one()
                self._of_this_file.add(connection)
            lent = self._start(connection)
        try:
            yield connection
        finally:
            self._give_back(connection, lent)

    @contextmanager
    def watch(self, connection: Connection) -> Iterator[None]:
        """Let `interrupt` reach a connection that is not kept."""
        with self._changed:
            lent = self._start(connection)
        try:
            yield
        finally:
            with self._changed:
                self._running.remove(lent)

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
            for lent in self._running:
                if thread_id in (None, lent.thread):
                    lent.interrupt()

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

    def _start(self, connection: Connection) -> _Lent:
        lent = _Lent(connection)
        self._running.append(lent)
        return lent

    def _give_back(self, connection: Connection, lent: _Lent) -> None:
        is_sound = True
        try:
            lent.end()  # before the rollback, which no interruption may stop
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
            self._running.remove(lent)
            self._changed.notify_all()


def _close(connection: Connection) -> None:
    with suppress(sqlite3.Error):
        connection.close()
