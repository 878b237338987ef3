"""A file that appears whole or not at all: temporary file, flush, rename; whatever happens, an older one stays.

Everything is done relative to the opened folder, so that nobody can exchange it on the way, and no link is followed.
"""

import errno
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from frugal.api import FrugalError
from frugal_modes.evidence.errors import Denied

TEMPORARY = ".partial"
WAIT_S = 10.0
_PAUSE_S = 0.05
_FULL = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)})
_IS_SAFE = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

Step = Callable[[str], None]


def no_step(_name: str) -> None:
    """Do nothing between two steps."""


@dataclass(frozen=True)
class Written:
    """What stands in a file now; *is_unchanged* if it stood there before."""

    size_bytes: int
    sha256: str
    is_unchanged: bool


class Folder:
    """The folder of the exports, held open and locked. *step* is told what comes next, for tests that stop there."""

    def __init__(self, path: Path, descriptor: int | None, step: Step) -> None:
        self.path = path
        self._descriptor = descriptor
        self._step = step

    @property
    def free_bytes(self) -> int:
        """How much may be written."""
        return shutil.disk_usage(self.path).free

    def check_target(self, name: str) -> None:
        """Raise `Denied` if *name* is there and no regular file."""
        found = self._stat(name)
        if found is not None and not stat.S_ISREG(found.st_mode):
            kind = "link" if stat.S_ISLNK(found.st_mode) else "kind"
            raise unsafe(self.path / name, kind)

    def write(self, name: str, chunks: Iterable[bytes], *, most_bytes: int) -> Written:
        """Write *chunks* under *name*; raise `Denied` and leave what was there if they are more than *most_bytes*."""
        temporary = f".{name}.{os.getpid()}{TEMPORARY}"
        self._step("create")
        descriptor = os.open(self._place(temporary), _CREATE, 0o600, dir_fd=self._descriptor)
        try:
            with os.fdopen(descriptor, "wb") as file:
                size, digest = self._fill(file.write, chunks, most_bytes, name)
                self._step("flush")
                file.flush()
                self._step("sync")
                os.fsync(file.fileno())
            if self.digest(name) == digest:
                return Written(size, digest, is_unchanged=True)
            self.check_target(name)
            self._step("rename")
            self._rename(temporary, name)
        finally:
            with suppress(OSError):
                os.unlink(self._place(temporary), dir_fd=self._descriptor)
        self._step("sync folder")
        if self._descriptor is not None:
            os.fsync(self._descriptor)
        self._step("written")
        return Written(size, digest, is_unchanged=False)

    def _fill(
        self,
        write: Callable[[bytes], int],
        chunks: Iterable[bytes],
        most_bytes: int,
        name: str,
    ) -> tuple[int, str]:
        hashed = hashlib.sha256()
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > most_bytes:
                raise Denied("export_too_large", most=most_bytes, path=str(self.path / name))
            self._step("write")
            write(chunk)
            hashed.update(chunk)
        return size, hashed.hexdigest()

    def digest(self, name: str) -> str:
        """Return the SHA-256 of the file *name*, "" if there is none."""
        found = self._stat(name)
        if found is None or not stat.S_ISREG(found.st_mode):
            return ""
        hashed = hashlib.sha256()
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(self._place(name), flags, dir_fd=self._descriptor), "rb") as file:
            while block := file.read(1 << 20):
                hashed.update(block)
        return hashed.hexdigest()

    def read(self, name: str, most_bytes: int) -> bytes:
        """Return the start of the file *name*, nothing if there is none."""
        if not self.digest(name):
            return b""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(self._place(name), flags, dir_fd=self._descriptor), "rb") as file:
            return file.read(most_bytes)

    def remove_stale(self) -> None:
        """Remove what a killed export left: the folder is locked, so nobody is writing."""
        for name in os.listdir(self.path if self._descriptor is None else self._descriptor):  # noqa: PTH208 - of an opened folder
            if name.startswith(".c-") and name.endswith(TEMPORARY):
                with suppress(OSError):
                    os.unlink(self._place(name), dir_fd=self._descriptor)

    def _rename(self, temporary: str, name: str) -> None:
        if self._descriptor is None:
            Path(self._place(temporary)).replace(self._place(name))
        else:
            os.rename(temporary, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def _stat(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(self._place(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _place(self, name: str) -> str:
        return name if self._descriptor is not None else str(self.path / name)


@contextmanager
def opened_folder(path: Path, *, step: Step = no_step) -> Iterator[Folder]:
    """Yield the folder *path*, made 0700 if it is not there; raise `Denied` for one that is not safe to write into."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_folder(path)
        if not _IS_SAFE:
            folder = Folder(path, None, step)
            folder.remove_stale()
            yield folder
            return
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _lock(descriptor, path)
            folder = Folder(path, descriptor, step)
            folder.remove_stale()
            yield folder
        finally:
            os.close(descriptor)
    except OSError as error:
        raise failed(error, path) from error


def _check_folder(path: Path) -> None:
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise unsafe(path, "link")
    if not stat.S_ISDIR(found.st_mode):
        raise unsafe(path, "folder")
    if hasattr(os, "geteuid"):
        if found.st_uid != os.geteuid():
            raise unsafe(path, "owner")
        if found.st_mode & stat.S_IWOTH:
            raise unsafe(path, "mode")


def _lock(descriptor: int, path: Path) -> None:
    """Hold the folder against other exports; raise `Denied` if one does not end."""
    import fcntl

    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Denied("busy", key="busy_export", path=str(path)) from None
            time.sleep(_PAUSE_S)
        else:
            return


def unsafe(path: Path, reason: str) -> Denied:
    """Return the refusal to write to *path*; *reason* is the key of a text `reasons.<reason>`."""
    return Denied("unsafe_target", key=f"unsafe_target_{reason}", path=str(path))


def failed(error: OSError, path: Path) -> FrugalError:
    """Return what an error of the system means for an export."""
    if error.errno in _FULL:
        free = 0
        with suppress(OSError):
            free = shutil.disk_usage(path).free
        return Denied("no_space", path=str(path), free=free, needed="-")
    return Denied("write_failed", path=str(path), reason=error.strerror or type(error).__name__)
