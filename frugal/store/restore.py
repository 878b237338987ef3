"""A backup comes back: its pages into the file in use, so that whoever has that open sees them at the next call."""

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from enum import Enum
from pathlib import Path
from sqlite3 import Connection
from tempfile import TemporaryDirectory
from typing import NamedTuple

from frugal.errors import (
    DamagedFile,
    EmptyFile,
    FileInUse,
    ForeignFile,
    OtherMode,
    PendingLog,
    StoreBusy,
    StoreError,
)
from frugal.store import connections, failures, files
from frugal.store.backup import copy_to
from frugal.store.recognition import Expectation, recognise

WAIT_S = 30.0
STEP_S = 0.1
LOCK_BYTES = (0x40000000, 512)
"""Where SQLite locks a file: whoever has one open in the log mode holds a lock on some of these bytes."""


class Restored(NamedTuple):
    """Where the file as it was before lies: a backup of it, or the damaged file itself; both None if there was none."""

    kept: Path | None = None
    damaged: Path | None = None


class State(Enum):
    """What lies where the backup is to go."""

    MISSING = "missing"
    EMPTY = "empty"
    SOUND = "sound"
    DAMAGED = "damaged"


def plan_restore(backup: Path, expected: Expectation, *, keep_as: Path, moment: datetime) -> Restored:
    """Return what `restore_file` would keep of the present file, and where; raise what it would find wrong.

    Nothing is changed; whether somebody else holds the write lock is not asked.
    """
    path = expected.path
    state = _examine(backup, expected)
    if state is State.DAMAGED:
        with _alone(files.resolve(path)):
            return Restored(damaged=files.name_of_damaged(path, moment))
    return Restored(kept=keep_as if state is State.SOUND else None)


def restore_file(
    backup: Path, expected: Expectation, *, keep_as: Path, moment: datetime, wait_s: float = WAIT_S
) -> Restored:
    """Give the file of *expected* the contents of *backup*; what it held is copied to the new file *keep_as* first.

    Raises a StoreError and changes nothing if the backup is damaged, of another layout or newer, if the file is not
    ours, or if another process holds the write lock for *wait_s* or has a damaged file open.
    """
    path = expected.path
    state = _examine(backup, expected)
    with failures.translated(path):
        if state in (State.MISSING, State.DAMAGED):
            damaged = _put_aside(path, moment) if state is State.DAMAGED else None
            copy_to(backup, path)
            return Restored(damaged=damaged)
        kept = keep_as if state is State.SOUND else None
        with _with_pages_of(path, backup) as source:
            _copy_pages(source, path, kept, deadline=time.monotonic() + wait_s)
        return Restored(kept=kept)


def _examine(backup: Path, expected: Expectation) -> State:
    """Return what the present file is; raise a StoreError if it or *backup* is not to be used."""
    check_backup(backup, replace(expected, path=backup))
    if reason := files.unwritable(expected.path):
        raise reason
    with failures.translated(expected.path):
        return _state(expected)


def check_backup(backup: Path, expected: Expectation) -> None:
    """Raise a StoreError unless *backup* is whole, of the mode of *expected* and not newer; it is not touched."""
    if not files.check_place(backup):
        raise files.missing(backup)
    with failures.translated(backup):
        if connections.look(backup, lambda connection: _is_fresh(connection, expected)):
            raise EmptyFile(path=str(backup))


def _is_fresh(connection: Connection, expected: Expectation) -> bool:
    found = str(connection.execute("PRAGMA integrity_check(1)").fetchone()[0])
    if found != "ok":
        raise DamagedFile(path=str(expected.path), reason=found, backup="")
    return recognise(connection, expected).is_fresh


def _state(expected: Expectation) -> State:
    """Return what the present file is; raise if it is another mode's or another program's."""
    try:
        if not files.check_place(expected.path):
            return State.MISSING
        is_fresh = connections.look(expected.path, lambda connection: _is_fresh(connection, expected))
    except (ForeignFile, OtherMode):
        raise
    except (DamagedFile, PendingLog):
        return State.DAMAGED
    except StoreError:  # newer than this program, or too old for it: it is backed up like any other
        return State.SOUND
    except sqlite3.Error as error:
        if failures.is_unfinished(error):  # a writer takes a killed write back
            return State.SOUND
        if not failures.is_damage(error):
            raise
        return State.DAMAGED
    return State.EMPTY if is_fresh else State.SOUND


# A sound file


def _copy_pages(source: Connection, path: Path, keep_as: Path | None, *, deadline: float) -> None:
    """Copy every page of *source* into *path* in one transaction, and first of all what is there to *keep_as*."""
    is_locked = False

    def watch(status: int, _remaining: int, _total: int) -> None:
        nonlocal is_locked
        if status in failures.LOCKED:
            if time.monotonic() > deadline:
                raise StoreBusy(path=str(path))
        elif not is_locked:
            # The first page is written, so the write lock is held: nothing is stored behind this copy's back.
            is_locked = True
            if keep_as is not None:
                copy_to(path, keep_as)

    with closing(connections.open_writer(path, busy_timeout_s=STEP_S)) as target:
        connections.use_log(target, deadline=deadline)
        source.backup(target, pages=1, progress=watch, sleep=STEP_S)


@contextmanager
def _with_pages_of(path: Path, backup: Path) -> Iterator[Connection]:
    """Yield a connection to *backup* with pages as large as those of *path*, which SQLite wants in the log mode."""
    size = connections.look(path, _page_size) if files.size_of(path) > 0 else 0
    bystander = connections.begin_bystander(backup)
    with closing(bystander.connection) as source:
        if size in (0, _page_size(source)):
            yield source
            return
        with TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "copy.db")) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            copy.execute(f"PRAGMA page_size = {size}").fetchall()
            copy.execute("VACUUM").fetchall()
            yield copy


def _page_size(connection: Connection) -> int:
    return int(connection.execute("PRAGMA page_size").fetchone()[0])


# A damaged file


def _put_aside(path: Path, moment: datetime) -> Path:
    """Give the damaged *path* another name, with its log; raise FileInUse if another process has it open."""
    place = files.resolve(path)
    target = files.name_of_damaged(path, moment)
    with _alone(place):
        # The log goes first: without its file it would be applied to the next one of that name.
        for suffix in (files.LOG, files.JOURNAL):
            with suppress(FileNotFoundError):
                files.side_file(place, suffix).rename(files.side_file(target, suffix))
        files.side_file(place, files.INDEX_OF_LOG).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            place.rename(target)
    return target


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Hold SQLite's locks on *place*, whatever is in it; raise FileInUse if another process holds one.

    On Windows nobody renames a file that is open, so the renaming itself tells.
    """
    if sys.platform == "win32":
        try:
            yield
        except PermissionError as error:
            raise FileInUse(path=str(place)) from error
    elif not place.exists():
        yield
    else:
        handle = os.open(place, os.O_RDWR)
        try:
            _lock(handle, place)
            yield
        finally:
            os.close(handle)


def _lock(handle: int, place: Path) -> None:
    import fcntl

    start, length = LOCK_BYTES
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)
    except OSError as error:
        raise FileInUse(path=str(place)) from error
