"""Times of a source as milliseconds: seconds, milliseconds, "seconds.micros" read as text, ISO 8601."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, NamedTuple

from frugal_modes.evidence.moments import EARLIEST, LATEST, to_ms

MILLISECONDS_FROM = 10**11
"""Numbers below count seconds (until the year 5138), the others milliseconds (from 1973)."""

_DECIMAL = re.compile(r"([+-]?)([0-9]{1,18})(?:\.([0-9]{0,18}))?")
_SPACE_BEFORE_ZONE = re.compile(r"\s+(?=[+-]\d\d:?\d\d$)")
_LEAP_SECOND = re.compile(r"(?<=:\d\d):60(?!\d)")


class Moment(NamedTuple):
    """*ms* since 1970, UTC; *zone_known* is false if the time came without an offset, *local* is then the time as written.

    *local* is told in ms as if it stood in UTC: it says the same whatever zone is assumed.
    """

    ms: int
    zone_known: bool = True
    local: int | None = None

    @property
    def key(self) -> str:
        """The time as a part of what identifies a message: the zone that is assumed has no say in it."""
        return str(self.ms if self.local is None else self.local)


@dataclass(frozen=True)
class Real:
    """A JSON number with a fraction or an exponent, kept as it is written."""

    text: str


class NoMoment(Exception):
    """What came is no time: *is_text* if it has the type of one."""

    def __init__(self, *, is_text: bool) -> None:
        self.is_text = is_text
        super().__init__()


def read_moment(raw: Any, zone: tzinfo) -> Moment:
    """Return the time that *raw* stands for; one without an offset is read in *zone*."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return Moment(_checked(raw if abs(raw) >= MILLISECONDS_FROM else raw * 1000))
    if isinstance(raw, Real):
        return _decimal(raw.text)
    if not isinstance(raw, str):
        raise NoMoment(is_text=False)
    text = raw.strip()
    return _decimal(text) if _DECIMAL.fullmatch(text) else _iso(text, zone)


def _decimal(text: str) -> Moment:
    """Split *text* at its point: a float would lose the microseconds of seconds since 1970."""
    found = _DECIMAL.fullmatch(text)
    if not found:
        raise NoMoment(is_text=True)
    whole = int(found[2])
    if whole >= MILLISECONDS_FROM:
        return Moment(_checked(-whole if found[1] == "-" else whole))
    ms = whole * 1000 + int(((found[3] or "") + "000")[:3])
    return Moment(_checked(-ms if found[1] == "-" else ms))


def _iso(text: str, zone: tzinfo) -> Moment:
    text = _LEAP_SECOND.sub(":59", _SPACE_BEFORE_ZONE.sub("", text))
    if text[-1:] in "zZ" or text[-4:].upper() in (" UTC", " GMT"):
        text = text.rstrip("zZ") if text[-1:] in "zZ" else text[:-4]
        text += "+00:00"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise NoMoment(is_text=True) from None
    return from_datetime(found, zone)


def from_datetime(found: datetime, zone: tzinfo) -> Moment:
    """Return the moment of *found*; without an offset it is read in *zone*."""
    is_known = found.tzinfo is not None
    try:
        moved = (found if is_known else found.replace(tzinfo=zone)).astimezone(UTC)
    except (OverflowError, ValueError):
        raise NoMoment(is_text=True) from None
    return Moment(to_ms(moved), is_known, None if is_known else to_ms(found.replace(tzinfo=UTC)))


def _checked(ms: int) -> int:
    if not EARLIEST <= ms <= LATEST:
        raise NoMoment(is_text=True)
    return ms
