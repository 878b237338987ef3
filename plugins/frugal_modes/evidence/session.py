"""The ledger of a shell session: a file of one's own that keeps accounts and query refs between commands."""

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from frugal_modes.evidence.errors import Denied, quoted
from frugal_modes.evidence.ledger import Ledger

FORMAT = 1
LARGEST_BYTES = 64 << 20


@contextmanager
def kept_ledger(path: Path, *, key: str, total_cap: int | None, is_reading: bool = False) -> Iterator[Ledger]:
    """Yield the ledger in the file *path*, new if there is none; write it back at the end, whatever happened.

    Other commands wait meanwhile. With *is_reading* the file has to be there and stays as it is. Raise `Denied` for a
    file that holds no ledger or is not one's own.
    """
    flags = os.O_RDONLY if is_reading else os.O_RDWR | os.O_CREAT
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise _unusable(path, error.strerror or type(error).__name__) from None
    with os.fdopen(descriptor, "rb" if is_reading else "r+b") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _unusable(path, "no file")
        with _locked(descriptor):
            ledger = _read(file.read(LARGEST_BYTES), path, key=key, total_cap=total_cap)
            if is_reading:
                yield ledger
                return
            with suppress(OSError, AttributeError):  # no permissions of this kind on Windows
                os.fchmod(descriptor, 0o600)
            try:
                yield ledger
            finally:
                data = json.dumps({"evidence_session": FORMAT, **ledger.as_record()}, ensure_ascii=False)
                file.seek(0)
                file.write(data.encode("utf-8", "backslashreplace"))
                file.truncate()
                file.flush()
                os.fsync(descriptor)


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
