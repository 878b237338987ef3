"""Counts over time: the finest unit of the calendar that needs few enough buckets, zero-filled, nothing dropped."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from typing import NamedTuple

from frugal_modes.evidence.moments import from_ms, to_ms

MEASURE_BUCKETS = 31
DISCOVER_BUCKETS = 12


class Unit(NamedTuple):
    """A unit of the calendar, *step* of it a bucket."""

    name: str
    step: int


UNITS = (
    *(Unit(name, 1) for name in ("hour", "day", "week", "month", "quarter")),
    *(Unit("year", step) for step in (1, 2, 5, 10, 100, 1000)),
)
"""From fine to coarse. A week begins on Monday (ISO); the last two steps are for corpora over 310 years."""


@dataclass(frozen=True)
class Buckets:
    """*counts* of consecutive buckets; the first begins at *start*, ISO 8601 with the offset of the time zone."""

    unit: Unit
    start: str
    counts: tuple[int, ...]
    edges: tuple[int, ...]
    """Where each bucket begins, ms since 1970."""

    def as_body(self) -> dict[str, object]:
        """Return the buckets as they are transmitted."""
        unit, step = self.unit
        return {"unit": unit, "step": step, "start": self.start, "counts": list(self.counts)}

    def index(self, sent_at: int) -> int:
        """Return the number of the bucket of a moment within the range."""
        return max(bisect_left(self.edges, sent_at + 1) - 1, 0)


def bucketed(
    times: Sequence[int], zone: tzinfo, most: int, *, coarser_than: Unit | None = None
) -> Buckets | None:
    """Return the finest buckets that cover the ascending *times* (ms) with at most *most*; None without times.

    With *coarser_than* only coarser units count; None if there is no coarser one.
    """
    first_unit = UNITS.index(coarser_than) + 1 if coarser_than else 0
    if not len(times):
        return None
    for unit in UNITS[first_unit:]:
        edges = _edges(unit, times[0], times[-1], zone, most)
        if edges is not None:
            places = [bisect_left(times, edge) for edge in edges] + [len(times)]
            places[0] = 0
            counts = tuple(after - before for before, after in pairwise(places))
            return Buckets(unit, _moment(edges[0], zone).isoformat(timespec="minutes"), counts, edges)
    return None


def _edges(unit: Unit, first: int, last: int, zone: tzinfo, most: int) -> tuple[int, ...] | None:
    """Return where the buckets from *first* to *last* begin, None if there are more than *most*."""
    edges: list[int] = []
    for edge in _starts(unit, _moment(first, zone), zone):
        if edge > last and edges:
            return tuple(edges)
        if len(edges) == most:
            return None
        edges.append(edge)
    return tuple(edges)


def _starts(unit: Unit, moment: datetime, zone: tzinfo) -> Iterator[int]:
    """Yield where the bucket around *moment* begins, then the following ones, as far as the calendar goes."""
    if unit.name == "hour":
        # Hours follow each other in time, not on the clock, which repeats one or leaves one out.
        start = to_ms(moment.replace(minute=0, second=0, microsecond=0))
        while True:
            yield start
            start += 3_600_000
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0, tzinfo=None)
    floor, following = _CALENDAR[unit.name]
    start_day = floor(day, unit.step)
    while True:
        yield to_ms(start_day.replace(tzinfo=zone))
        try:
            start_day = following(start_day, unit.step)
        except (OverflowError, ValueError):  # past the last year of the calendar
            return


def _moment(milliseconds: int, zone: tzinfo) -> datetime:
    return from_ms(milliseconds).astimezone(zone)


def _same_day(day: datetime, _step: int) -> datetime:
    return day


def _next_day(day: datetime, step: int) -> datetime:
    return day + timedelta(days=step)


def _monday(day: datetime, _step: int) -> datetime:
    return day - timedelta(days=min(day.weekday(), (day - datetime.min).days))


def _next_week(day: datetime, step: int) -> datetime:
    return _monday(day, step) + timedelta(days=7 * step)


def _month(day: datetime, _step: int) -> datetime:
    return day.replace(day=1)


def _next_month(day: datetime, step: int) -> datetime:
    month = day.month - 1 + step
    return day.replace(year=day.year + month // 12, month=month % 12 + 1)


def _quarter(day: datetime, _step: int) -> datetime:
    return day.replace(month=day.month - (day.month - 1) % 3, day=1)


def _next_quarter(day: datetime, step: int) -> datetime:
    return _next_month(day, 3 * step)


def _year(day: datetime, step: int) -> datetime:
    return day.replace(year=max(day.year - day.year % step, 1), month=1, day=1)


def _next_year(day: datetime, step: int) -> datetime:
    return day.replace(year=day.year - day.year % step + step)


_CALENDAR: dict[str, tuple[Callable[[datetime, int], datetime], Callable[[datetime, int], datetime]]] = {
    "day": (_same_day, _next_day),
    "week": (_monday, _next_week),
    "month": (_month, _next_month),
    "quarter": (_quarter, _next_quarter),
    "year": (_year, _next_year),
}
