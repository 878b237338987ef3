"""One file of one mode: a writing connection, reading connections, snapshots, refusals."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import EmptyFile, NotWritable, OutdatedFile, SqliteTooOld, StoreBusy, StoreError
from frugal.model import MigrationSet
from frugal.store import connections, failures, files, migrations, scrub
from frugal.store.pool import Readers
from frugal.store.predecessor import Takeover
from frugal.store.recognition import Expectation, recognise

LEAST_SQLITE = (3, 37, 0)
"""The first version with STRICT tables."""

BUSY_TIMEOUT_S = 30.0
DRAIN_S = 5.0
LEAST_WAIT_S = 0.05
FAREWELLS = 2

Report = Callable[[str, Mapping[str, object]], None]


def say_nothing(key: str, data: Mapping[str, object]) -> None:
    """Drop a report."""


class Store:
    """The file of one mode, for any number of threads; it is opened at the first `read()` or `write()`."""

    def __init__(  # noqa: PLR0913 - a composition root passes each of them once
        self,
        path: Path | str,
        *,
        mode: str,
        setting: str,
        migrations: Sequence[MigrationSet],
        clock: Callable[[], datetime],
        version: str,
        language: str | None = None,
        read_only: bool = False,
        command: str = "frugal-memory",
        takeover: Takeover | None = None,
        report: Report = say_nothing,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
    ) -> None:
        self.path = Path(path)
        self.mode = mode
        self.read_only = read_only
        self._setting = setting
        self._sets = tuple(migrations)
        self._clock = clock
        self._version = version
        self._language = language
        self._command = command
        self._takeover = takeover
        self._report = report
        self._busy_timeout_s = busy_timeout_s
        self._writing = threading.Lock()
        self._writing_thread: int | None = None
        self._readers = Readers()
        self._writer: Connection | None = None
        self._opened: files.Identity | None = None
        self._log: files.Identity | None = None
        self._old_log: files.Identity | None = None
        self._known_schema = -1
        self._expected: Expectation | None = None

    def at(self, path: Path) -> "Store":
        """Return a store of the same mode over the file at *path*."""
        return Store(
            path,
            mode=self.mode,
            setting=self._setting,
            migrations=self._sets,
            clock=self._clock,
            version=self._version,
            language=self._language,
        )

    @contextmanager
    def write(self, *, wait_s: float | None = None) -> Iterator[Connection]:
        """Yield the writing connection in a transaction: committed at the end, rolled back on any exception.

        Waits for other threads and other processes, *wait_s* (30 s if not given) in all, then raises StoreBusy.
        Not to be nested.
        """
        deadline = time.monotonic() + (self._busy_timeout_s if wait_s is None else wait_s)
        with self._turn(deadline), failures.translated(self.path):
            self._refuse_unwritable()
            connection = self._begin_write(deadline)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                self._roll_back(connection)
                raise

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Yield a reading connection with one snapshot; it never waits for a writer."""
        with failures.translated(self.path):
            if not self.read_only and files.has_no_folder(self.path):
                reading = self._reading_nothing()
            elif self.read_only or (self._opened is None and files.unwritable(self.path)):
                reading = self._standing_by()
            else:
                reading = self._reading()
            with reading as connection:
                yield connection

    def scrub(self) -> bool:
        """Rewrite the file so that nothing deleted is left in it; return whether its log is empty too.

        Waits like `write`; a reader in another process that does not end within 5 s keeps the log.
        """
        deadline = time.monotonic() + self._busy_timeout_s
        with self._turn(deadline), failures.translated(self.path):
            self._refuse_unwritable()
            connection = self._begin_write(deadline)
            self._roll_back(connection)  # it was begun to be sure that the file is current
            return scrub.rewrite(connection, deadline=min(deadline, time.monotonic() + DRAIN_S))

    @property
    def expected(self) -> Expectation:
        """What this store wants to find in its file."""
        return self._expectation()

    def is_writable(self) -> bool:
        """Return whether `write()` may be tried: not opened read-only, and the permissions allow it."""
        return not self.read_only and files.unwritable(self.path) is None

    def interrupt(self, thread_id: int | None = None) -> None:
        """Stop the running reads of a thread (`threading.get_ident()`) or of all; they raise StoreFailed."""
        self._readers.interrupt(thread_id)

    def close(self, *, wait_s: float = DRAIN_S) -> None:
        """Close readers, then the writer; the last process leaves no side files. Another call opens again.

        Waits *wait_s* for the running write, then raises StoreBusy.
        """
        with self._turn(time.monotonic() + wait_s):
            if self._opened is None:
                self._shut()
            elif not self._is_at_its_path():
                self._let_go_of_replaced()
            else:
                self._shut()
                self._say_farewell()

    @contextmanager
    def _turn(self, deadline: float) -> Iterator[None]:
        """Hold the right to write, to open and to close: one thread at a time."""
        if self._writing_thread == threading.get_ident():
            raise RuntimeError("write() is not to be nested")
        if not self._writing.acquire(timeout=max(deadline - time.monotonic(), LEAST_WAIT_S)):
            raise StoreBusy(path=str(self.path))
        self._writing_thread = threading.get_ident()
        try:
            yield
        finally:
            self._writing_thread = None
            self._writing.release()

    def _refuse_unwritable(self) -> None:
        if self.read_only:
            raise NotWritable(path=str(self.path), mode="")
        if reason := files.unwritable(self.path):
            raise reason

    def _begin_write(self, deadline: float) -> Connection:
        """Return the writer inside a transaction on a file that is current; the caller has the turn."""
        while True:
            self._make_ready(deadline)
            if self._writer is None:
                self._writer = self._open_writer(deadline)
            wait_ms = int(max(deadline - time.monotonic(), LEAST_WAIT_S) * 1000)
            self._writer.execute(f"PRAGMA busy_timeout = {wait_ms}").fetchall()
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                if self._is_current(self._writer):
                    return self._writer
            except BaseException:
                self._roll_back(self._writer)
                raise
            self._roll_back(self._writer)
            self._opened = None

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Yield a kept reading connection inside a transaction on a file that is current."""
        while True:
            is_in_write = self._writing_thread == threading.get_ident()
            if not is_in_write and not self._is_at_its_path():
                deadline = time.monotonic() + self._busy_timeout_s
                with self._turn(deadline):
                    self._make_ready(deadline)
            with self._readers.lend(self._open_reader) as connection:
                connection.execute("BEGIN")
                if self._is_current(connection):
                    yield connection
                    return
            self._opened = None

    @contextmanager
    def _reading_nothing(self) -> Iterator[Connection]:
        """Yield what a new file would hold: reading makes no folders, for a path may be mistyped."""
        self._check_library()
        with closing(connections.open_empty()) as connection:
            migrations.bring_up_to_date(connection, self._expectation(), clock=self._clock)
            connection.execute("PRAGMA query_only = ON").fetchall()
            with self._readers.watch(connection):
                yield connection

    @contextmanager
    def _standing_by(self) -> Iterator[Connection]:
        """Yield a connection that changes neither file nor folder: for guests, or without permission."""
        self._check_library()
        if not files.check_place(self.path):
            raise files.missing(self.path)
        try:
            bystander = connections.begin_bystander(self.path)
        except sqlite3.Error as error:
            if failures.is_unfinished(error):
                raise self._outdated() from error
            raise
        try:
            with closing(bystander.connection), self._readers.watch(bystander.connection):
                finding = recognise(bystander.connection, self._expectation())
                if finding.pending:
                    raise EmptyFile(path=str(self.path)) if finding.is_fresh else self._outdated()
                yield bystander.connection
        except (sqlite3.Error, StoreError) as error:
            if bystander.is_torn(self.path):
                raise StoreBusy(path=str(self.path)) from error
            raise
        if bystander.is_torn(self.path):
            raise StoreBusy(path=str(self.path))

    def _outdated(self) -> OutdatedFile:
        return OutdatedFile(path=str(self.path), command=self._command)

    def _is_current(self, connection: Connection) -> bool:
        """Return whether the file has our schema: another process may have upgraded or restored it."""
        schema = int(connection.execute("PRAGMA schema_version").fetchone()[0])
        if schema == self._known_schema:
            return True
        if recognise(connection, self._expectation()).pending:
            return False
        self._known_schema = schema
        self._log = self._identity_of_log()
        return True

    def _make_ready(self, deadline: float) -> None:
        """Open, create, upgrade or reopen the file unless it is the one in use; the caller has the turn."""
        if self._is_at_its_path():
            return
        if self._opened is not None:
            self._let_go_of_replaced()
        self._shut()
        self._check_library()
        if self._old_log is not None and self._old_log == self._identity_of_log():
            # It stands where the new file's would, and another process keeps it: together they would be mixed.
            raise StoreBusy(path=str(self.path))
        self._old_log = None
        if not files.check_place(self.path):
            files.create_file(self.path)
        if self._is_behind():
            try:
                self._upgrade(deadline)
            except BaseException:
                self._shut()
                raise
        self._known_schema = -1
        self._opened = files.identity_of(self.path)

    def _is_at_its_path(self) -> bool:
        return self._opened is not None and self._opened == files.identity_of(self.path)

    def _let_go_of_replaced(self) -> None:
        """Close a file whose path names another one now, and note the log that it may leave."""
        last = self._writer or self._readers.take_out()
        self._writer = None
        self._shut()
        if last is not None:
            connections.take_log_away(last)
        # Asked at once: a log made later may have the number of the one that is gone.
        self._old_log = self._log if self._identity_of_log() == self._log else None

    def _identity_of_log(self) -> files.Identity | None:
        return files.identity_of(files.side_file(files.resolve(self.path), files.LOG))

    def _check_library(self) -> None:
        if sqlite3.sqlite_version_info < LEAST_SQLITE:
            needed = ".".join(map(str, LEAST_SQLITE))
            raise SqliteTooOld(path=str(self.path), found=sqlite3.sqlite_version, needed=needed)

    def _is_behind(self) -> bool:
        """Return whether there is something to apply; raise the refusals. The file is not touched."""
        if files.size_of(self.path) == 0:
            return True
        try:
            return connections.look(self.path, lambda it: recognise(it, self._expectation()).is_to_be_changed)
        except sqlite3.Error as error:
            # A write was killed before the file had its log: only a writer can take that back.
            if failures.is_unfinished(error):
                return True
            raise

    def _upgrade(self, deadline: float) -> None:
        expected = self._expectation()
        with closing(connections.open_writer(self.path, busy_timeout_s=self._busy_timeout_s)) as stranger:
            found = recognise(stranger, expected)  # refused before anything is switched
        # A file of the predecessor keeps its way of logging until it is ours: undone means as it was.
        self._writer = self._open_writer(deadline, keeps_log=found.old is not None)
        done = migrations.bring_up_to_date(self._writer, expected, clock=self._clock)
        connections.use_log(self._writer, deadline=deadline)
        where = {"path": str(self.path), "backup": str(done.backup or "")}
        if done.taken is not None:
            self._report("taken_over", {**where, "taken": done.taken})
        elif done.backup is not None:
            applied = ", ".join(f"{step.set_name}/{step.name}" for step in done.finding.pending)
            self._report("backup_made", {**where, "applied": applied})

    def _open_writer(self, deadline: float, *, keeps_log: bool = False) -> Connection:
        wait_s = max(deadline - time.monotonic(), LEAST_WAIT_S)
        connection = connections.open_writer(self.path, busy_timeout_s=wait_s)
        try:
            if not keeps_log:
                connections.use_log(connection, deadline=deadline)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_reader(self) -> Connection:
        return connections.open_reader(self.path, busy_timeout_s=self._busy_timeout_s)

    def _expectation(self) -> Expectation:
        if self._expected is None:
            self._expected = Expectation(
                path=self.path,
                mode=self.mode,
                setting=self._setting,
                version=self._version,
                language=self._language,
                migrations=migrations.in_order(self._sets),
                command=self._command,
                takeover=self._takeover,
            )
        return self._expected

    def _roll_back(self, connection: Connection) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._writer = None
            with suppress(sqlite3.Error):
                connection.close()

    def _shut(self) -> None:
        """Close everything, readers first: whoever closes last takes the side files away."""
        self._readers.close(wait_s=DRAIN_S)
        writer, self._writer, self._opened = self._writer, None, None
        if writer is not None:
            with suppress(sqlite3.Error):
                writer.close()

    def _say_farewell(self) -> None:
        """Take the log away if several processes closed at once, each seeing another: then nobody did."""
        log = files.side_file(files.resolve(self.path), files.LOG)
        for _ in range(FAREWELLS):
            if not log.exists() or files.unwritable(self.path):
                return
            connections.pause(0)
            with (
                suppress(sqlite3.Error),
                closing(connections.open_writer(self.path, busy_timeout_s=0)) as connection,
            ):
                connection.execute("PRAGMA schema_version").fetchall()
