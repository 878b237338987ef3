"""When a card may be seen: pure rules over its dates. A zone of None is that of this machine.

Visible at T = created at or before T, not invalid at T, not expired at T, and not put away by its status.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from frugal_modes.vault.moments import end_of, has_zone, is_date, read_stamp, start_of, to_stamp

BAD_TTL = "bad_ttl"
LOWEST_PRIORITY, HIGHEST_PRIORITY = -100, 100
HIDDEN_STATUSES = frozenset({"archived", "rejected"})

_NEVER = frozenset({"", "none", "never", "-"})
_DURATION = re.compile(r"(?:[0-9]{1,6}[ ]*[wdhm][ ]*)+", re.IGNORECASE | re.ASCII)
_PART = re.compile(r"([0-9]+)[ ]*([wdhm])", re.IGNORECASE | re.ASCII)
_UNITS_S = {"w": 7 * 86_400, "d": 86_400, "h": 3_600, "m": 60}


@dataclass(frozen=True)
class Dates:
    """What the validity of a card hangs on: stamps, bare dates or "". *expires* is what `expiry` gives."""

    created: str = ""
    invalid_at: str = ""
    expires: str = ""
    status: str = ""
    has_successor: bool = False


def duration(text: str) -> timedelta | None:
    """Return the span of `30d`, `1d12h` (w d h m), None if *text* is none."""
    text = text.strip()
    if not _DURATION.fullmatch(text):
        return None
    return timedelta(seconds=sum(int(count) * _UNITS_S[unit.lower()] for count, unit in _PART.findall(text)))


def is_never(ttl: str) -> bool:
    """Tell whether *ttl* says that nothing expires."""
    return ttl.strip().lower() in _NEVER


def expiry(ttl: str, created: str, zone: tzinfo | None = None) -> str | None:
    """Return when a card expires: a stamp, a date (through that day), "" = never, None = *ttl* cannot be read.

    A duration counts from *created*; without that, it cannot be read.
    """
    if is_never(ttl):
        return ""
    span = duration(ttl)
    if span is None:
        return read_stamp(ttl, zone) or None
    start = start_of(created, zone)
    try:
        return to_stamp(start + span) if start else None
    except OverflowError:
        return None


def fixed_ttl(ttl: str, now: datetime) -> str | None:
    """Return *ttl* as an update writes it: a duration as the moment it ends, counted from *now*; else as `expiry`."""
    return expiry(ttl, to_stamp(now))


def moment_of(as_of: str, zone: tzinfo | None = None) -> datetime | None:
    """Return the moment that *as_of* means: of a date the last of that local day; None for anything without a zone."""
    stamp = read_stamp(as_of, zone)
    if is_date(stamp):
        end = end_of(stamp, zone)
        return end - timedelta(milliseconds=1) if end else None
    return start_of(stamp) if stamp and has_zone(as_of) else None


def hidden_because(dates: Dates, moment: datetime, zone: tzinfo | None = None) -> str:
    """Return why a card is hidden at *moment*, "" if it is not: `future`, `superseded`, `invalid`, `expired`, a status."""
    created, invalid, ends = (
        start_of(dates.created, zone),
        start_of(dates.invalid_at, zone),
        end_of(dates.expires, zone),
    )
    if created is not None and created > moment:
        return "future"
    if invalid is not None and invalid <= moment:
        return "superseded" if dates.has_successor else "invalid"
    if ends is not None and ends <= moment:
        return "expired"
    status = dates.status.strip().lower()
    return status if status in HIDDEN_STATUSES else ""
