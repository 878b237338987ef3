"""What SQLite's errors mean here; nothing but its short text leaves the store."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from frugal.errors import DamagedFile, DiskFull, StoreBusy, StoreError, StoreFailed
from frugal.store import files

LOCKED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
REFUSED_BY_SYSTEM = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY})


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code, -1 for an error raised by the Python module itself."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return -1 if code is None else code & 0xFF


def is_locked(error: sqlite3.Error) -> bool:
    """Return whether another connection was in the way: waiting helps."""
    return primary_code(error) in LOCKED


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether SQLite calls the file damaged or no database."""
    return primary_code(error) in DAMAGED


def is_unfinished(error: sqlite3.Error) -> bool:
    """Return whether a killed write lies in a rollback journal that a reader may not take back."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY_ROLLBACK


def translate(error: sqlite3.Error, path: Path) -> StoreError:
    """Return the error of ours for one of SQLite about the file *path*. A lock is never called damage."""
    code, place, reason = primary_code(error), str(path), str(error)
    if code in LOCKED:
        return StoreBusy(path=place)
    if code in DAMAGED:
        return DamagedFile(path=place, reason=reason, backup=str(files.newest_backup(path) or ""))
    if code == sqlite3.SQLITE_FULL or (code in REFUSED_BY_SYSTEM and files.is_full(files.resolve(path))):
        return DiskFull(path=place)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and (unwritable := files.unwritable(path)):
        return unwritable
    return StoreFailed(path=place, reason=reason)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise SQLite's errors of the block as errors of ours about *path*."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, path) from error
