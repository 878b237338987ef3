"""Times of cards: UTC to the millisecond, or a bare date, which stays a day.

A zone of None is that of this machine.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo

MILLISECONDS_FROM = 1e11
"""Numbers above count milliseconds since 1970, up to here seconds."""

_EPOCH = re.compile(r"-?[0-9]{9,14}(?:\.[0-9]{1,9})?", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_LOOSE = re.compile(
    r"""(?P<year>[0-9]{4}) (?P<mark>[-/.]) (?P<month>[0-9]{1,2}) (?P=mark) (?P<day>[0-9]{1,2})
    (?: (?:[Tt]|[ \t]+) (?P<time>[0-9]{1,2}:[0-9]{2}.*) )?""",
    re.VERBOSE | re.ASCII,
)
_TIME = re.compile(
    r"""(?P<hour>[0-9]{1,2}) : (?P<minute>[0-9]{2}) (?: : (?P<second>[0-9]{2}) (?: [.,] (?P<fraction>[0-9]{1,9}) )? )?
    [ \t]* (?P<zone> [Zz] | UTC | GMT | [+-][0-9]{1,2} (?: :?[0-9]{2} )? )?""",
    re.VERBOSE | re.ASCII,
)
_OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>[0-9]{1,2}):?(?P<minutes>[0-9]{2})?", re.ASCII)


def to_stamp(moment: datetime) -> str:
    """Return *moment* as it is written: `2026-11-30T06:14:00.000Z`, cut to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def is_date(stamp: str) -> bool:
    """Tell whether *stamp* is a bare date."""
    return _DATE.fullmatch(stamp) is not None


def read_stamp(text: str, zone: tzinfo | None = None) -> str:
    """Return *text* as a stamp or a bare date, "" if it is neither; a time without a zone is taken in *zone*."""
    text = text.strip()
    try:
        if _EPOCH.fullmatch(text):
            number = float(text)
            return to_stamp(datetime.fromtimestamp(number / (1000 if number > MILLISECONDS_FROM else 1), UTC))
        match = _LOOSE.fullmatch(text)
        if match is None:
            return ""
        day = date(int(match["year"]), int(match["month"]), int(match["day"]))
        if match["time"] is None:
            return day.isoformat()
        moment = _moment(day, match["time"], zone)
        return to_stamp(moment) if moment else ""
    except (ValueError, OverflowError, OSError):  # 31 February; a time outside the calendar of this machine
        return ""


def has_zone(text: str) -> bool:
    """Tell whether *text* is a time that names its zone."""
    match = _LOOSE.fullmatch(text.strip())
    found = _TIME.fullmatch(match["time"]) if match and match["time"] else None
    return found is not None and found["zone"] is not None


def _moment(day: date, text: str, zone: tzinfo | None) -> datetime | None:
    match = _TIME.fullmatch(text.strip())
    if match is None:
        return None
    fraction = (match["fraction"] or "").ljust(6, "0")[:6]
    clock = time(int(match["hour"]), int(match["minute"]), int(match["second"] or 0), int(fraction))
    naive = datetime.combine(day, clock)
    if match["zone"] is None:
        return in_zone(naive, zone)
    return naive.replace(tzinfo=UTC) - _offset(match["zone"])


def _offset(text: str) -> timedelta:
    match = _OFFSET.fullmatch(text)
    if match is None:
        return timedelta()
    offset = timedelta(hours=int(match["hours"]), minutes=int(match["minutes"] or 0))
    return -offset if match["sign"] == "-" else offset


def in_zone(naive: datetime, zone: tzinfo | None) -> datetime:
    """Return *naive* as a moment of *zone*, in UTC."""
    return (naive.replace(tzinfo=zone) if zone else naive.astimezone()).astimezone(UTC)


def start_of(stamp: str, zone: tzinfo | None = None) -> datetime | None:
    """Return the moment of a stamp; of a bare date the first of that day in *zone*; None if it is neither."""
    try:
        if is_date(stamp):
            return in_zone(datetime.combine(date.fromisoformat(stamp), time()), zone)
        return datetime.fromisoformat(stamp).astimezone(UTC) if stamp else None
    except (ValueError, OverflowError, OSError):
        return None


def end_of(stamp: str, zone: tzinfo | None = None) -> datetime | None:
    """Return the moment of a stamp; of a bare date the first of the next day in *zone*; None if it is neither."""
    if not is_date(stamp):
        return start_of(stamp, zone)
    try:
        return start_of((date.fromisoformat(stamp) + timedelta(days=1)).isoformat(), zone)
    except (ValueError, OverflowError):
        return None
