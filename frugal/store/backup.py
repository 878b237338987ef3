"""A verified copy of a whole file, made while others go on writing."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from sqlite3 import Connection

from frugal.errors import (
    DamagedFile,
    DiskFull,
    ForeignFile,
    OtherMode,
    PredecessorFile,
    StoreError,
    StoreFailed,
)
from frugal.store import connections, failures, files
from frugal.store.recognition import Expectation, recognise

PLAIN_TABLES = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"


def refuse_stranger(expected: Expectation) -> None:
    """Raise a StoreError if the file is another mode's or another program's; a newer or an older one of ours is none."""
    with failures.translated(expected.path):
        try:
            connections.look(expected.path, lambda connection: recognise(connection, expected))
        except (ForeignFile, OtherMode, PredecessorFile):
            raise
        except StoreError:
            return  # whoever brings such a file up to date wants a copy of it first


def copy_to(source: Path, target: Path) -> None:
    """Copy the database *source* to the new file *target* (0600): one snapshot, checked before it is named.

    The source is left as it is. Raises FileExistsError if *target* exists, which stays, or a StoreError.
    """
    if target.exists():
        raise FileExistsError(target)
    place = files.resolve(target)
    unfinished = files.unfinished_copy(place)
    try:
        files.create_file(unfinished)
    except StoreError as error:
        error.data["path"] = str(target)  # the name that was asked for
        raise
    try:
        counts = connections.look(source, lambda connection: _copy(connection, unfinished))
        _check(unfinished, counts)
        _publish(unfinished, place)
    except sqlite3.Error as error:
        at_fault = source if failures.is_damage(error) else target
        raise failures.translate(error, at_fault) from error
    finally:
        for file in (
            unfinished,
            *(files.side_file(unfinished, end) for end in (files.LOG, files.INDEX_OF_LOG)),
        ):
            file.unlink(missing_ok=True)


def _copy(source: Connection, unfinished: Path) -> dict[str, int]:
    """Copy one snapshot of *source*; return the rows of its tables."""
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
        source.backup(copy)
        # A single file that any program opens anywhere; whoever takes it into use turns the log on again.
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
    return _counts(source)


def _check(unfinished: Path, counts: dict[str, int]) -> None:
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
        found = str(copy.execute("PRAGMA integrity_check(1)").fetchone()[0])
        if found != "ok":
            raise DamagedFile(path=str(unfinished), reason=found, backup="")
        if _counts(copy) != counts:
            raise StoreFailed(path=str(unfinished), reason="row counts differ")


def _counts(connection: Connection) -> dict[str, int]:
    tables = [str(name) for (name,) in connection.execute(PLAIN_TABLES)]
    return {name: int(connection.execute(_count_of(name)).fetchone()[0]) for name in tables}


def _count_of(table: str) -> str:
    quoted = table.replace('"', '""')
    return f'SELECT COUNT(*) FROM "{quoted}"'


def _publish(unfinished: Path, target: Path) -> None:
    """Give the checked copy its name, never over another file."""
    try:
        _sync(unfinished)
        try:
            os.link(unfinished, target)
        except FileExistsError:
            raise
        except OSError:  # no hard links here
            if target.exists():
                raise FileExistsError(target) from None
            unfinished.rename(target)
        with suppress(OSError):  # Windows opens no folders
            _sync(target.parent)
    except FileExistsError:
        raise
    except OSError as error:
        if files.is_full(target):
            raise DiskFull(path=str(target)) from error
        raise StoreFailed(path=str(target), reason=error.strerror or "") from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
