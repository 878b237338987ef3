"""Points in time, ms since 1970, UTC; a query gives them as such, in ISO 8601, or as a date: midnight in its zone."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DIGITS = re.compile(r"-?\d{1,15}")
_ZONE = re.compile(r"[A-Za-z0-9_+-]{1,32}(/[A-Za-z0-9_+-]{1,32}){0,3}")
EARLIEST, LATEST = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond of the calendar: years 1 to 9999."""


def to_ms(moment: datetime) -> int:
    """Return an aware *moment* as ms since 1970; what is finer is cut off."""
    return (moment - _EPOCH) // _MILLISECOND


def from_ms(milliseconds: int) -> datetime:
    """Return ms since 1970 as a moment in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def zone_of(name: str) -> tzinfo | None:
    """Return the IANA time zone *name*, None if it is unknown."""
    if name in ("UTC", "Z"):
        return UTC
    # Each point of a long name would be looked up as a package inside a package.
    if not _ZONE.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # unknown, or no name of a file at all
        return None


def moment_of(value: object, zone: tzinfo) -> int | None:
    """Return *value* as ms since 1970, None if it is no time. Without an offset it is local time in *zone*."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        moment = int(value)
    elif isinstance(value, str):
        text = value.strip()
        found = int(text) if _DIGITS.fullmatch(text) else _of_iso(text, zone)
        if found is None:
            return None
        moment = found
    else:
        return None
    return moment if EARLIEST <= moment <= LATEST else None


def _of_iso(text: str, zone: tzinfo) -> int | None:
    try:
        parsed = datetime.fromisoformat(text)
        if parsed.tzinfo is None:
            parsed = parsed.replace(tzinfo=zone)
        return to_ms(parsed)
    except (ValueError, OverflowError):
        return None
