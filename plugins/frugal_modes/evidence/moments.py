"""Points in time as a query gives them: epoch milliseconds, ISO 8601, or a date, which is midnight in its zone."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DIGITS = re.compile(r"-?\d{1,15}")
_ZONE = re.compile(r"[A-Za-z0-9_+-]{1,32}(/[A-Za-z0-9_+-]{1,32}){0,3}")
_LEAST, _MOST = -62_135_596_800_000, 253_402_300_799_999  # years 1 to 9999


def zone_of(name: str) -> tzinfo | None:
    """Return the IANA time zone *name*, None if it is unknown."""
    if name in ("UTC", "Z"):
        return UTC
    if not _ZONE.fullmatch(
        name
    ):  # a long name with points is looked up as packages inside packages, without end
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
    return moment if _LEAST <= moment <= _MOST else None


def _of_iso(text: str, zone: tzinfo) -> int | None:
    try:
        parsed = datetime.fromisoformat(text)
        if parsed.tzinfo is None:
            parsed = parsed.replace(tzinfo=zone)
        return (parsed - _EPOCH) // _MILLISECOND
    except (ValueError, OverflowError):
        return None
