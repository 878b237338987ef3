"""Databases of other programs: copied away with their log and read there, so that nothing appears beside them."""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from frugal.errors import NotReadable, StoreFailed

LOG_SUFFIX = "-wal"
MOST_ATTEMPTS = 3
"""How often a copy is taken again because its owner wrote meanwhile."""

Stamp = tuple[tuple[int, int] | None, ...]


def copied_rows(
    path: Path, query: str, values: Mapping[str, str | int] | None = None
) -> list[tuple[object, ...]]:
    """Return the rows that *query* finds in a copy of the SQLite file *path*, its log included.

    Raise `NotReadable` where the file cannot be copied, `StoreFailed` (field `reason`) where SQLite cannot read it.
    """
    with TemporaryDirectory(prefix="frugal-memory-") as folder:
        copy = Path(folder) / "copy.db"
        try:
            _copy(path, copy)
        except OSError as error:
            raise NotReadable(path=str(path), reason=error.strerror or str(error)) from None
        try:
            with closing(sqlite3.connect(copy)) as db:
                return [tuple(row) for row in db.execute(query, values or {})]
        except (sqlite3.Error, ValueError) as error:  # ValueError: text that is no UTF-8
            raise StoreFailed(path=str(path), reason=str(error)[:120]) from None


def _copy(path: Path, copy: Path) -> None:
    """Copy the file and its log as they are at one moment, at the last attempt as they can be had."""
    log, copied_log = path.with_name(path.name + LOG_SUFFIX), copy.with_name(copy.name + LOG_SUFFIX)
    for _ in range(MOST_ATTEMPTS):
        before = _stamp(path, log)
        shutil.copyfile(path, copy)
        copied_log.unlink(missing_ok=True)
        if before[1] is not None:
            shutil.copyfile(log, copied_log)
        if _stamp(path, log) == before:
            return


def _stamp(*paths: Path) -> Stamp:
    return tuple(_size_and_time(path) for path in paths)


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_size, status.st_mtime_ns
