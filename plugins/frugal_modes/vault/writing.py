"""Write into the vault so that a killed writer leaves a temporary file at most, and nothing is overwritten by mistake."""

import os
import secrets
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from frugal.api import Refusal

LOCK_NAME = ".frugal-memory.lock"
LOCK_TIMEOUT_S = 10.0
STALE_AFTER_S = 3600.0
TEMPORARY_PREFIX, TEMPORARY_SUFFIX = ".frugal-memory-", ".tmp"

_PAUSE_S = 0.02
_HOLDER_CHARACTERS = 200


class VaultTrouble(Refusal):
    """The vault cannot be written: busy, missing, no permission, no room. *key* names the text, `errors.<key>`."""

    exit_code = 2


@contextmanager
def locked(vault: Path, holder: str, *, timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[None]:
    """Hold the one lock on writing into *vault*, which exists; *holder* is told to whoever waits in vain.

    Raise `VaultTrouble` after *timeout_s*, with what the present holder said of itself.
    """
    path = vault / LOCK_NAME
    with told(path), _opened(path, timeout_s) as stream:
        try:
            _sign(stream, f"{holder}, process {os.getpid()} on {socket.gethostname()}")
            yield
        finally:
            _sign(stream, "")
            _unlock(stream)


def _opened(path: Path, timeout_s: float) -> IO[bytes]:
    """Return the lock file, locked; a file that was put in its place meanwhile, by a program that syncs, counts."""
    while True:
        stream = path.open("a+b")
        try:
            with suppress(OSError):
                path.chmod(0o600)
            _wait(stream, path, timeout_s)
            if os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                return stream
        except FileNotFoundError:
            pass
        except BaseException:
            stream.close()
            raise
        stream.close()


def _wait(stream: IO[bytes], path: Path, timeout_s: float) -> None:
    until = time.monotonic() + timeout_s
    while not _try_lock(stream):
        if time.monotonic() >= until:
            with suppress(OSError):
                stream.seek(0)
                found = stream.read(_HOLDER_CHARACTERS).decode("utf-8", "replace")
                raise VaultTrouble(
                    "vault_locked", path=path, holder=found.strip() or "?", seconds=f"{timeout_s:g}"
                )
            raise VaultTrouble("vault_locked", path=path, holder="?", seconds=f"{timeout_s:g}")
        time.sleep(_PAUSE_S)


def _sign(stream: IO[bytes], text: str) -> None:
    with suppress(OSError):
        stream.seek(0)
        stream.truncate()
        stream.write(text.encode("utf-8", "replace"))
        stream.flush()


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # the lock lies behind the text, which others want to read

    def _try_lock(stream: IO[bytes]) -> bool:
        try:
            stream.seek(_FAR)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(stream: IO[bytes]) -> None:
        stream.seek(_FAR)
        msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _try_lock(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(stream: IO[bytes]) -> None:
        fcntl.flock(stream, fcntl.LOCK_UN)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn what the system refuses into `VaultTrouble`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise VaultTrouble("vault_not_writable", path=error.filename or path, reason=reason) from error


def create(target: Path, data: bytes) -> None:
    """Write a new file; raise `FileExistsError` if there is one of that name."""
    _with_temporary(target, data, lambda temporary: _link(temporary, target))


def replace(target: Path, data: bytes) -> None:
    """Write *data* in the place of the file *target*, or of what it links; the permissions stay."""
    target = target.resolve()

    def swap(temporary: Path) -> None:
        with suppress(OSError):
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)

    _with_temporary(target, data, swap)


def move(source: Path, target: Path) -> None:
    """Give *source* another name; raise `FileExistsError` if there is a file of that name.

    Killed between its two steps it leaves both names.
    """
    make_folder(target.parent)
    _link(source, target)
    sync_folder(target.parent)
    source.unlink(missing_ok=True)
    sync_folder(source.parent)


def append_line(target: Path, line: str) -> None:
    """Add *line* to a file of lines; a last line that was cut off stays a line of its own."""
    make_folder(target.parent)
    is_new = not target.exists()
    with target.open("a+b") as stream:
        if stream.tell():
            stream.seek(-1, os.SEEK_END)
            line = line if stream.read(1) == b"\n" else f"\n{line}"
        stream.write(f"{line}\n".encode(errors="backslashreplace"))  # half a character as JSON writes it
        stream.flush()
        os.fsync(stream.fileno())
    if is_new:
        with suppress(OSError):
            target.chmod(0o600)
        sync_folder(target.parent)


def make_folder(folder: Path) -> None:
    """Make *folder* and those above it, for its owner alone."""
    missing: list[Path] = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for path in reversed(missing):
        path.mkdir(mode=0o700, exist_ok=True)
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Let the names in *folder* outlast a power cut, where the system can do that."""
    if sys.platform == "win32":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_stale(folder: Path, *, now_s: float | None = None) -> None:
    """Remove the temporary files in *folder* that writers left more than an hour before *now_s* (seconds since 1970)."""
    before = (time.time() if now_s is None else now_s) - STALE_AFTER_S
    with suppress(OSError):
        for path in folder.glob(f"{TEMPORARY_PREFIX}*{TEMPORARY_SUFFIX}"):
            with suppress(OSError):
                if path.stat().st_mtime < before:
                    path.unlink()


def _with_temporary(target: Path, data: bytes, finish: Callable[[Path], None]) -> None:
    make_folder(target.parent)
    remove_stale(target.parent)
    temporary = target.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}{TEMPORARY_SUFFIX}")
    try:
        descriptor = os.open(
            temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
        )
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        finish(temporary)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def _link(source: Path, target: Path) -> None:
    """Give the file *source* the name *target* as well, unless that is taken."""
    if sys.platform == "win32":
        source.rename(target)  # refuses a name that is taken
        return
    try:
        target.hardlink_to(source)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links. Other writers of ours wait for the lock; an editor could only slip in
        # between these two lines.
        if os.path.lexists(target):
            raise FileExistsError(os.fspath(target)) from None
        source.rename(target)
