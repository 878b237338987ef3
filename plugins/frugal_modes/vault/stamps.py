"""How a unit looked when it was read: size, time of change, the stamps of what it depends on; and its bytes."""

import os
from dataclasses import dataclass
from hashlib import blake2b

from frugal_modes.vault.records import Problem, Unit

UNTRUSTED_NS = 2_000_000_000
"""A file changed less than this before it was read may be changed again without a trace in size and time."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Size in bytes, time of change in nanoseconds; *beside* says the same of the unit's `also`."""

    size: int
    mtime_ns: int
    beside: str = ""

    def is_trusted(self, now_ns: int) -> bool:
        """Whether an equal stamp proves that nothing changed since *now_ns*."""
        return self.mtime_ns <= now_ns - UNTRUSTED_NS


def stamp_of(unit: Unit) -> Stamp:
    """Return the stamp of *unit*; raise `OSError` if it is gone or cannot be looked at."""
    place = f"{unit.root}/{unit.path}" if unit.path else unit.root
    status = os.stat(place)  # noqa: PTH116  # a Path for each of 10,000 files costs as much as looking at it
    return Stamp(status.st_size, status.st_mtime_ns, _beside(unit) if unit.also else "")


def _beside(unit: Unit) -> str:
    parts: list[str] = []
    for path in unit.also:
        try:
            status = unit.root.joinpath(path).stat()
        except OSError:
            parts.append("-")
        else:
            parts.append(f"{status.st_size}.{status.st_mtime_ns}")
    return " ".join(parts)


def bytes_of(unit: Unit, stamp: Stamp) -> bytes | Problem:
    """Return the bytes of *unit*, or why they cannot be had."""
    if stamp.size > unit.most_bytes:
        return Problem(unit.path, f"too_large: {stamp.size}")
    try:
        return unit.file.read_bytes()
    except OSError as error:
        return Problem(unit.path, f"unreadable: {error.strerror or type(error).__name__}")


def hash_of(data: bytes) -> str:
    """Return the hash by which a file is known again."""
    return blake2b(data, digest_size=16).hexdigest()
