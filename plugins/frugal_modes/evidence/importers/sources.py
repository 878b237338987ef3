"""What is imported: one file, a folder or a zip, as a list of files that can be opened; nothing else ever is."""

import io
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from frugal.api import Refusal
from frugal_modes.evidence.importers.reading import SourceDamaged
from frugal_modes.evidence.importers.zips import BadZip, check_members, is_zip, members_of, open_zip

SNIFF_BYTES = 256 * 1024
_READ_FAILURES = (OSError, EOFError, zlib.error, BadZip, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True)
class SourceFile:
    """One file of a source: *name* as it stands there, with `/`; *size* in bytes as told by the folder or the archive."""

    name: str
    size: int
    open: Callable[[], BinaryIO]

    @property
    def path(self) -> PurePosixPath:
        """The name as a path."""
        return PurePosixPath(self.name)

    def head(self) -> bytes:
        """Return the first bytes, by which a format is told."""
        with self.open() as stream:
            return stream.read(SNIFF_BYTES)


@dataclass(frozen=True)
class Source:
    """*label* is the name of what was given, *stem* the same without its ending; *files* come in order of their names."""

    label: str
    stem: str
    files: tuple[SourceFile, ...]
    is_archive: bool = False
    is_folder: bool = False

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)


class Watched(io.RawIOBase):
    """A file whose every failure is `SourceDamaged`; *told* takes how many bytes came, and may refuse more."""

    def __init__(self, inner: BinaryIO, told: Callable[[int], None]) -> None:
        super().__init__()
        self._inner = inner
        self._told = told

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]  # a buffer is one of these
        """Fill *buffer*."""
        try:
            data = self._inner.read(len(buffer))
        except _READ_FAILURES as error:
            raise SourceDamaged(str(error) or type(error).__name__) from None
        buffer[: len(data)] = data
        self._told(len(data))
        return len(data)

    def close(self) -> None:
        """Close the file behind it too."""
        if not self.closed:
            self._inner.close()
        super().close()


def watched(inner: BinaryIO, told: Callable[[int], None]) -> BinaryIO:
    """Return *inner* read through a buffer, its failures as `SourceDamaged`."""
    return io.BufferedReader(Watched(inner, told), 1 << 18)


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Give the source at *path* as long as it is needed; raise `Refusal` for what may not be read."""
    if path.is_dir():
        yield folder_source(path)
        return
    try:
        head = _opener(path, follow=True)()
    except FileNotFoundError:
        raise Refusal("import_missing", path=str(path)) from None
    except OSError as error:
        raise Refusal("import_unreadable", path=str(path), reason=error.strerror or str(error)) from None
    with head:
        is_archive = is_zip(head)
    if is_archive:
        with open_zip(path) as archive:
            check_members(archive, path)
            files = tuple(
                SourceFile(name, size, opener) for name, size, opener in members_of(archive, path, watched)
            )
            yield Source(path.name, path.stem, files, is_archive=True)
        return
    file = SourceFile(path.name, path.stat().st_size, _opener(path, follow=True))
    yield Source(path.name, path.stem, (file,))


def folder_source(root: Path) -> Source:
    """Return the files below *root*; links are left alone, wherever they lead."""
    root = root.resolve()
    found: list[SourceFile] = []
    for folder, folders, names in os.walk(root, followlinks=False):
        folders.sort()
        for name in names:
            path = Path(folder) / name
            info = path.lstat()
            if stat.S_ISREG(info.st_mode):
                shown = path.relative_to(root).as_posix()
                found.append(SourceFile(shown, info.st_size, _opener(path, follow=False)))
    found.sort(key=lambda file: file.name)
    return Source(root.name, root.name, tuple(found), is_folder=True)


def _opener(path: Path, *, follow: bool) -> Callable[[], BinaryIO]:
    """Return what opens *path*; unless *follow*, a link that took its place meanwhile is refused."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    if not follow:
        flags |= getattr(os, "O_NOFOLLOW", 0)

    def open_it() -> BinaryIO:
        if follow and not path.is_file():  # a pipe or a device would be waited for
            raise FileNotFoundError(str(path))
        return watched(os.fdopen(os.open(path, flags), "rb", buffering=0), lambda _count: None)

    return open_it
