"""Stamps: stored in UTC to the minute, shown in the server's local time under one offset."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

STAMP = "%Y-%m-%d %H:%M"
_DAY_S = 86_400


def to_minute(moment: datetime) -> str:
    """Return *moment* as it is stored: `YYYY-MM-DD HH:MM`, UTC."""
    return moment.astimezone(UTC).strftime(STAMP)


def parse(stamp: str) -> datetime:
    """Return the moment of a stored stamp."""
    return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)


@dataclass(frozen=True)
class Moments:
    """How stamps are shown: *now*, and the zone. One offset for a whole answer, the present one."""

    now: datetime
    zone: tzinfo = UTC

    def shown(self, stamp: str) -> str:
        """Return a stored stamp in this zone, to the minute."""
        return parse(stamp).astimezone(self.zone).strftime(STAMP)

    def day(self, stamp: str) -> str:
        """Return the date of a stored stamp in this zone."""
        return self.shown(stamp)[:10]

    def today(self) -> date:
        """Return the present date in this zone."""
        return self.now.astimezone(self.zone).date()

    def days_since(self, stamp: str) -> int:
        """Return the whole days from a stored stamp until now."""
        return int((self.now - parse(stamp)).total_seconds() // _DAY_S)

    def before(self, days: int) -> str:
        """Return the stored stamp of *days* days ago."""
        return to_minute(self.now - timedelta(days=days))

    @property
    def offset(self) -> str:
        """The offset by name: `UTC+02:00`, `UTC`."""
        total = self.now.astimezone(self.zone).utcoffset() or timedelta(0)
        minutes = int(total.total_seconds() // 60)
        if not minutes:
            return "UTC"
        sign = "+" if minutes > 0 else "-"
        return f"UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def local_moments(now: datetime) -> Moments:
    """Return moments in the zone of this machine, under the offset that holds *now*."""
    offset = now.astimezone().utcoffset() or timedelta(0)
    return Moments(now, timezone(offset))
