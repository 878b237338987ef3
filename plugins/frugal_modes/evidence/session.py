"""The ledger of a shell session: a file of one's own that keeps accounts and query refs between commands."""

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from frugal_modes.evidence.errors import Denied, quoted
from frugal_modes.evidence.ledger import Ledger

FORMAT = 1
LARGEST_BYTES = 64 << 20


@contextmanager
def kept_ledger(path: Path, *, key: str, total_cap: int | None, is_reading: bool = False) -> Iterator[Ledger]:
    """Yield the ledger in the file *path*, new if there is none; write it back at the end, whatever happened.

    Other commands wait meanwhile. With *is_reading* the file has to be there and stays as it is; a new one in which
    nothing was begun does not stay. Raise `Denied` for a file that holds no ledger or is not one's own.
    """
    with _opened(path, is_reading=is_reading) as (file, is_new):
        ledger = _read(file.read(LARGEST_BYTES), path, key=key, total_cap=total_cap)
        if is_reading:
            yield ledger
            return
        with suppress(OSError, AttributeError):  # no permissions of this kind on Windows
            os.fchmod(file.fileno(), 0o600)
        try:
            yield ledger
        finally:
            if ledger.is_begun or not is_new:
                _write(file, ledger)
            else:
                with suppress(PermissionError):  # Windows removes no open file; an empty one does no harm
                    path.unlink()


@contextmanager
def _opened(path: Path, *, is_reading: bool) -> Iterator[tuple[BinaryIO, bool]]:
    """Yield the file, locked, and whether it was made for this command."""
    while True:
        descriptor, is_new = _descriptor(path, is_reading=is_reading)
        with os.fdopen(descriptor, "rb" if is_reading else "r+b") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _unusable(path, "no file")
            with _locked(descriptor):
                if is_reading or _is_at(path, descriptor):
                    yield file, is_new
                    return
        # Whoever made it has removed it again while this command waited.


def _descriptor(path: Path, *, is_reading: bool) -> tuple[int, bool]:
    """Open the file, or make it; return also whether it was made."""
    way = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        if is_reading:
            return os.open(path, os.O_RDONLY | way), False
        with suppress(FileExistsError):
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | way, 0o600), True
        return os.open(path, os.O_RDWR | os.O_CREAT | way, 0o600), False
    except OSError as error:
        raise _unusable(path, error.strerror or type(error).__name__) from None


def _is_at(path: Path, descriptor: int) -> bool:
    """Tell whether the open file is still the one that *path* names."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _write(file: BinaryIO, ledger: Ledger) -> None:
    data = json.dumps({"evidence_session": FORMAT, **ledger.as_record()}, ensure_ascii=False)
    file.seek(0)
    file.write(data.encode("utf-8", "backslashreplace"))
    file.truncate()
    file.flush()
    os.fsync(file.fileno())


def _read(data: bytes, path: Path, *, key: str, total_cap: int | None) -> Ledger:
    if not data.strip():
        return Ledger(key, total_cap=total_cap)
    try:
        record = json.loads(data.decode())
        if record["evidence_session"] != FORMAT:
            raise ValueError(record["evidence_session"])
        return Ledger.from_record(record, total_cap=total_cap)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Denied("bad_argument", key="bad_argument_not_session", path=quoted(str(path))) from None


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """Hold the file against other commands."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, LARGEST_BYTES, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            yield
        finally:
            os.lseek(descriptor, LARGEST_BYTES, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)


def _unusable(path: Path, reason: str) -> Denied:
    return Denied("bad_argument", key="bad_argument_session", path=quoted(str(path)), reason=reason)
