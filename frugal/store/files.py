"""The files of one store: its place, its side files, its permissions, its backups."""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from frugal.errors import (
    DiskFull,
    MissingFile,
    NotAFolder,
    NotReadable,
    NotWritable,
    PathIsFolder,
    PendingLog,
    StoreFailed,
)

LOG, INDEX_OF_LOG, JOURNAL = "-wal", "-shm", "-journal"
UNFINISHED = ".part"
FILE_MODE, FOLDER_MODE = 0o600, 0o700
LEAST_ROOM_BYTES = 65_536
BACKUP_STAMP = re.compile(r"\d{8}-\d{6}(-\d+)?")


class Identity(NamedTuple):
    """Which file a path names at the moment."""

    device: int
    inode: int


class Stamp(NamedTuple):
    """What changes when somebody writes to the file itself."""

    identity: Identity
    size_bytes: int
    mtime_ns: int


def resolve(path: Path) -> Path:
    """Return the path that SQLite uses too: side files lie beside the target of a symbolic link."""
    return Path(os.path.realpath(path))


def side_file(path: Path, suffix: str) -> Path:
    """Return the side file of *path*, e.g. its write-ahead log."""
    return path.with_name(path.name + suffix)


def size_of(path: Path) -> int:
    """Return the size in bytes, -1 for a missing file."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def identity_of(path: Path) -> Identity | None:
    """Return which file *path* names, None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Identity(found.st_dev, found.st_ino)


def stamp_of(path: Path) -> Stamp | None:
    """Return identity, size and change time of the file, None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(Identity(found.st_dev, found.st_ino), found.st_size, found.st_mtime_ns)


def has_live_log(place: Path) -> bool:
    """Return whether somebody may be writing: an empty log without its index is nobody's."""
    log, index = side_file(place, LOG), side_file(place, INDEX_OF_LOG)
    return log.exists() and (size_of(log) > 0 or index.exists())


def check_place(path: Path) -> bool:
    """Return if a file is there; raise a StoreError (PathIsFolder, PendingLog ...) if it is not to be opened."""
    try:
        is_there = stat.S_ISREG(path.stat().st_mode)
        if not is_there:
            raise (
                PathIsFolder(path=str(path))
                if path.is_dir()
                else StoreFailed(path=str(path), reason="no file")
            )
    except FileNotFoundError:
        is_there = False
    except PermissionError as error:
        raise NotReadable(path=str(path)) from error
    except NotADirectoryError as error:
        raise not_a_folder(path) from error
    except OSError as error:
        raise StoreFailed(path=str(path), reason=error.strerror or "") from error
    if is_there and not _access(path, os.R_OK):
        raise NotReadable(path=str(path))
    # The size is asked last: a creation that runs elsewhere fills the file before its log.
    if size_of(side_file(resolve(path), LOG)) > 0 and size_of(path) <= 0:
        raise PendingLog(path=str(path))
    return is_there


def has_no_folder(path: Path) -> bool:
    """Return whether the folder of the file *path* is not there yet."""
    return not os.path.lexists(path) and not os.path.lexists(resolve(path).parent)


def not_a_folder(path: Path) -> NotAFolder:
    """Return the refusal of a *path* that leads through a file."""
    return NotAFolder(path=str(path), part=str(_nearest(path)))


def refuse_path_through_file(path: Path) -> None:
    """Raise NotAFolder if a part of *path* that ought to be a folder is none."""
    nearest = _nearest(path)
    if nearest.exists() and not nearest.is_dir():
        raise not_a_folder(path)


def _nearest(path: Path) -> Path:
    """Return the nearest part of *path* that is there and might be its folder."""
    return next((parent for parent in path.parents if os.path.lexists(parent)), path.parent)


def missing(path: Path) -> MissingFile:
    """Return the refusal of a reader that finds no file."""
    import platform

    return MissingFile(path=str(path), host=platform.node())


def unwritable(path: Path) -> NotWritable | NotAFolder | None:
    """Return why nothing can be written to *path*: its file or its folder; None if writing is allowed.

    SQLite makes and removes side files, so the folder counts as well.
    """
    place = resolve(path)
    folder = place.parent
    if identity_of(place) is not None and not _access(place, os.W_OK):
        return _not_writable(place)
    while identity_of(folder) is None and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        return not_a_folder(path)
    return None if _access(folder, os.W_OK | os.X_OK) else _not_writable(folder)


def create_file(path: Path) -> None:
    """Make the folders (0700) and the empty file (0600) of a new store; whoever comes second finds them."""
    place = resolve(path)
    try:
        _make_folders(place.parent)
        # O_EXCL: opening and closing a file that SQLite holds in this process would drop its locks.
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_RDWR, FILE_MODE))
    except FileExistsError:
        if not place.exists():
            raise StoreFailed(path=str(path), reason="File exists") from None
    except PermissionError as error:
        raise unwritable(path) or _not_writable(place.parent) from error
    except NotADirectoryError as error:
        raise not_a_folder(path) from error
    except OSError as error:
        if is_full(place):
            raise DiskFull(path=str(path)) from error
        raise StoreFailed(path=str(path), reason=error.strerror or "") from error


def _make_folders(folder: Path) -> None:
    if folder.exists():
        return
    _make_folders(folder.parent)
    with suppress(FileExistsError):
        folder.mkdir(mode=FOLDER_MODE)


def is_full(path: Path) -> bool:
    """Return whether the disk below *path* has no room left; False where that cannot be told."""
    import shutil

    try:
        usage = shutil.disk_usage(path.parent)
        return usage.total > 0 and usage.free < LEAST_ROOM_BYTES  # /proc and the like have no room at all
    except OSError:
        return False


def stamp_text(moment: datetime) -> str:
    """Return *moment* as `YYYYMMDD-HHMMSS` in UTC, for names of backups."""
    return (moment.astimezone(UTC) if moment.tzinfo else moment).strftime("%Y%m%d-%H%M%S")


def name_of_upgrade_backup(path: Path, moment: datetime) -> Path:
    """Return a free name beside *path* for the backup before an upgrade."""
    place = resolve(path)
    return _free(place.parent, f"{place.name}.", stamp_text(moment), ".bak")


def name_of_backup(path: Path, moment: datetime) -> Path:
    """Return a free name in `backups/` beside *path* for a backup that somebody asked for."""
    place = resolve(path)
    return _free(place.parent / "backups", f"{place.stem}-", stamp_text(moment), ".db")


def name_of_damaged(path: Path, moment: datetime) -> Path:
    """Return a free name beside *path* under which a damaged file is kept."""
    place = resolve(path)
    return _free(place.parent, f"{place.name}.damaged-", stamp_text(moment), "")


def _free(folder: Path, start: str, stamp: str, end: str) -> Path:
    target = folder / f"{start}{stamp}{end}"
    number = 1
    while target.exists():
        number += 1
        target = folder / f"{start}{stamp}-{number}{end}"
    return target


def unfinished_copy(target: Path) -> Path:
    """Return the temporary name under which a copy is made before it gets the name *target*."""
    return target.with_name(f".{target.name}.{os.getpid()}{UNFINISHED}")


def remove_unfinished_backups(path: Path) -> None:
    """Remove what killed upgrades left beside *path*; the caller holds the write lock, so none is being made."""
    place = resolve(path)
    for file in place.parent.iterdir():
        if file.name.startswith(f".{place.name}.") and ".bak." in file.name and UNFINISHED in file.name:
            file.unlink(missing_ok=True)


def newest_backup(path: Path) -> Path | None:
    """Return the newest backup of *path*, beside it or in `backups/`, by the stamp in its name, or None."""
    found = backups_of(path)
    return found[-1] if found else None


def backups_of(path: Path) -> list[Path]:
    """Return the backups of *path*, beside it or in `backups/`, by the stamps in their names, newest last."""
    place = resolve(path)
    found = [
        *_stamped(place.parent, f"{place.name}.", ".bak"),
        *_stamped(place.parent / "backups", f"{place.stem}-", ".db"),
    ]
    return [file for _, file in sorted(found)]


def damaged_copies_of(path: Path) -> list[Path]:
    """Return what was put aside when a damaged *path* was restored."""
    place = resolve(path)
    return [file for _, file in sorted(_stamped(place.parent, f"{place.name}.damaged-", ""))]


def _stamped(folder: Path, start: str, end: str) -> Iterator[tuple[str, Path]]:
    """Yield the files of *folder* whose name has a stamp between *start* and *end*, with that stamp."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are compared before any path is made
    except OSError:
        return
    for name in names:
        stamp = name[len(start) : len(name) - len(end)]
        if name.startswith(start) and name.endswith(end) and BACKUP_STAMP.fullmatch(stamp):
            yield stamp, folder / name


def _access(path: Path, rights: int) -> bool:
    return os.access(path, rights, effective_ids=os.access in os.supports_effective_ids)


def _not_writable(path: Path) -> NotWritable:
    try:
        rights = f"{path.stat().st_mode & 0o777:04o}"
    except OSError:
        rights = ""
    return NotWritable(path=str(path), mode=rights)
