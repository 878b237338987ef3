"""Zips and gzipped members, read in memory: what is too large, packed too tightly or named to escape is left out."""

import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from frugal_modes.vault.records import Problem

MOST_UNPACKED_BYTES = 200 * 1024 * 1024
MOST_RATIO = 100
SMALL_BYTES = 128 * 1024
"""Up to this size a member may be packed more tightly: short repetitive texts are."""

SIGNATURE = b"PK\x03\x04"
_CHUNK_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Member:
    """One file inside an archive."""

    name: str
    data: bytes


def is_zip(data: bytes) -> bool:
    """Tell whether *data* begins like a zip."""
    return data.startswith(SIGNATURE)


def member_names(data: bytes) -> tuple[str, ...]:
    """Return the names in a zip, none if it is no zip."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return tuple(item.filename for item in archive.infolist() if not item.is_dir())
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return ()


def unpack(
    data: bytes, path: str, is_wanted: Callable[[str], bool]
) -> tuple[tuple[Member, ...], tuple[Problem, ...]]:
    """Return the members of the zip *data* (the unit *path*) that *is_wanted*, and what had to be left out."""
    members: list[Member] = []
    problems: list[Problem] = []
    room = MOST_UNPACKED_BYTES
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for item in archive.infolist():
                if item.is_dir() or not is_wanted(item.filename):
                    continue
                found = _unsafe(item) or _read(archive, item, room)
                if isinstance(found, str):
                    problems.append(Problem(path, found, item.filename))
                else:
                    members.append(Member(item.filename, found))
                    room -= len(found)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
        problems.append(Problem(path, f"bad_archive: {error}"[:200]))
    return tuple(members), tuple(problems)


def _unsafe(item: zipfile.ZipInfo) -> str:
    """Return why a member is not to be read, "" if it may be."""
    name = item.filename.replace("\\", "/")
    is_link = stat.S_ISLNK(item.external_attr >> 16)
    if is_link or name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
        return "unsafe_member"
    if item.file_size > MOST_UNPACKED_BYTES:
        return "unpacked_too_large"
    is_bomb = item.file_size > SMALL_BYTES and item.file_size > MOST_RATIO * max(item.compress_size, 1)
    return "packed_too_tightly" if is_bomb else ""


def _read(archive: zipfile.ZipFile, item: zipfile.ZipInfo, room: int) -> bytes | str:
    """Return the bytes of a member, or why they cannot be had."""
    parts: list[bytes] = []
    size = 0
    try:
        with archive.open(item) as file:
            while chunk := file.read(_CHUNK_BYTES):
                size += len(chunk)
                if size > room:
                    return "unpacked_too_large"
                parts.append(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        return f"bad_archive: {error}"[:200]  # encrypted ones raise RuntimeError
    return b"".join(parts)


def gunzip(data: bytes) -> bytes | str:
    """Return what gzip packed, or why it cannot be had; the limits are those of a zip."""
    most = min(max(len(data) * MOST_RATIO, SMALL_BYTES), MOST_UNPACKED_BYTES)
    parts: list[bytes] = []
    size = 0
    rest = data
    try:
        while rest:
            machine = zlib.decompressobj(wbits=31)
            while not machine.eof:
                chunk = machine.decompress(rest, _CHUNK_BYTES)
                rest = machine.unconsumed_tail
                size += len(chunk)
                if size > most:
                    return "unpacked_too_large" if size > MOST_UNPACKED_BYTES else "packed_too_tightly"
                parts.append(chunk)
                if not rest and not machine.eof and not chunk:
                    return "bad_archive: cut short"
            rest = machine.unused_data
    except zlib.error as error:
        return f"bad_archive: {error}"[:200]
    return b"".join(parts)
