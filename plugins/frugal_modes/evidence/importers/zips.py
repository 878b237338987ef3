"""Zip archives, read in place: what their list of members may hold, and what a member may hold when it is read."""

import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from frugal.api import Refusal, echo

BadZip = zipfile.BadZipFile
MOST_MEMBERS = 200_000
MOST_BYTES = 20 * 1024**3
MOST_JSON_BYTES = 512 * 1024**2
MOST_RATIO = 200
RATIO_FROM_BYTES = 10 * 1024**2
LIST_BYTES_A_MEMBER = 46
MOST_LIST_BYTES = 64 * 1024**2
_ENCRYPTED = 0x1
_ARCHIVES = re.compile(r"\.(zip|jar|7z|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|lz4?|cab|iso)$", re.IGNORECASE)
_DRIVE = re.compile(r"^[A-Za-z]:")
_LIST_END = b"PK\x05\x06"
_TAIL_BYTES = 22 + 65_535

Wrap = Callable[[BinaryIO, Callable[[int], None]], BinaryIO]


def is_zip(stream: BinaryIO) -> bool:
    """Tell whether *stream* begins like an archive, an empty one too."""
    return stream.read(4) in (b"PK\x03\x04", _LIST_END, b"PK\x07\x08")


@contextmanager
def open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """Give the archive at *path*; raise `Refusal` if its list of members is damaged or too long to be read."""
    with path.open("rb") as stream:
        _check_list(stream, path)
        try:
            archive = zipfile.ZipFile(stream)
        except (BadZip, NotImplementedError, ValueError, OSError, UnicodeDecodeError) as error:
            raise _refused(path, "damaged", str(error)) from None
        with archive:
            yield archive


def _check_list(stream: BinaryIO, path: Path) -> None:
    """Refuse an archive by the size of its list, before the list is read into memory."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - _TAIL_BYTES))
    tail = stream.read(_TAIL_BYTES)
    at = tail.rfind(_LIST_END)
    stream.seek(0)
    if at < 0 or len(tail) - at < 22:
        return
    count = int.from_bytes(tail[at + 10 : at + 12], "little")
    list_bytes = int.from_bytes(tail[at + 12 : at + 16], "little")
    if (
        list_bytes == 0xFFFF_FFFF
        or (count != 0xFFFF and count > MOST_MEMBERS)
        or list_bytes > MOST_LIST_BYTES
    ):
        raise _refused(path, "too_many", f"{list_bytes // LIST_BYTES_A_MEMBER}")


def check_members(archive: zipfile.ZipFile, path: Path) -> None:
    """Raise `Refusal` for an archive that holds anything but plain members under plain names."""
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise _refused(path, "too_many", str(len(members)))
    if sum(member.file_size for member in members) > MOST_BYTES:
        raise _refused(path, "too_large", "")
    seen: set[str] = set()
    for member in members:
        name = member.orig_filename
        if reason := _fault(member, name):
            raise _refused(path, reason, name)
        plain = member.filename.rstrip("/")
        if plain in seen:
            raise _refused(path, "duplicate", name)
        seen.add(plain)


def _fault(member: zipfile.ZipInfo, name: str) -> str:
    """Return why *member* is refused, "" if it is not."""
    kind = stat.S_IFMT(member.external_attr >> 16)
    is_json = name.lower().endswith((".json", ".jsonl"))
    faults = {
        "control": "\0" in name or not name.strip("/"),
        "absolute": name.startswith("/"),
        "drive": bool(_DRIVE.match(name)),
        "backslash": "\\" in name,
        "parent": ".." in name.split("/"),
        "link": kind == stat.S_IFLNK,
        "special": kind not in (0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK),
        "encrypted": bool(member.flag_bits & _ENCRYPTED),
        "nested": bool(_ARCHIVES.search(name)),
        "ratio": member.file_size > max(RATIO_FROM_BYTES, MOST_RATIO * max(member.compress_size, 1)),
        "json_too_large": is_json and member.file_size > MOST_JSON_BYTES,
    }
    return next((fault for fault, is_so in faults.items() if is_so), "")


def members_of(
    archive: zipfile.ZipFile, path: Path, wrap: Wrap
) -> Iterator[tuple[str, int, Callable[[], BinaryIO]]]:
    """Yield name, size and opener of each file in *archive*, in order of names; what they read is counted together."""
    spent = [0]
    size = path.stat().st_size

    def opener(member: zipfile.ZipInfo) -> Callable[[], BinaryIO]:
        def open_it() -> BinaryIO:
            read = [0]

            def count(more: int) -> None:
                read[0] += more
                spent[0] += more
                _check_read(path, member.filename, read[0], spent[0], size)

            return wrap(_Late(archive, member), count)  # type: ignore[arg-type]  # only read and close are called

        return open_it

    for member in sorted(archive.infolist(), key=lambda item: item.filename):
        if not member.is_dir():
            yield member.filename, member.file_size, opener(member)


def _check_read(path: Path, name: str, read: int, spent: int, size: int) -> None:
    """Refuse what comes out larger than any honest archive of this size: the lists may lie."""
    if read > RATIO_FROM_BYTES and read > MOST_RATIO * size:
        raise _refused(path, "ratio", name)
    if name.lower().endswith((".json", ".jsonl")) and read > MOST_JSON_BYTES:
        raise _refused(path, "json_too_large", name)
    # A source is read up to three times: to tell its format, its order, its messages.
    if spent > 4 * MOST_BYTES:
        raise _refused(path, "too_large", name)


class _Late:
    """A member that is opened at its first read, so that what is wrong with it counts as a failure of reading."""

    def __init__(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
        self._archive = archive
        self._member = member
        self._stream: IO[bytes] | None = None

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        if self._stream is None:
            self._stream = self._archive.open(self._member)
        return self._stream.read(size)

    def close(self) -> None:
        """Close what was opened."""
        if self._stream is not None:
            self._stream.close()


def _refused(path: Path, reason: str, value: str) -> Refusal:
    return Refusal(f"zip_{reason}", path=path.name, value=echo(value))
