"""Months and days that a query names: what was sent then is meant, though it seldom says so itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from types import MappingProxyType

from frugal_modes.evidence.moments import from_ms

MONTH = 0.8
"""What a message has of a date of which it shares the month; the whole of it on the day."""

_NAMES = (
    ("january", "januar"), ("february", "februar"), ("march", "märz"), ("april",), ("may", "mai"), ("june", "juni"),
    ("july", "juli"), ("august",), ("september",), ("october", "oktober"), ("november",), ("december", "dezember"),
)  # fmt: skip
_MONTHS: Mapping[str, int] = MappingProxyType(
    {name: number for number, names in enumerate(_NAMES, 1) for name in names}
)
_VERBS = frozenset(["may", "march"])
"""Months only if written as names, or with a day or a year."""
_LAST_DAY = 31
_YEARS = range(1900, 2100)
_ORDINALS = ("st", "nd", "rd", "th", ".")


@dataclass(frozen=True)
class Named:
    """The months, days and years that a query names. Without a month, numbers are no dates."""

    months: frozenset[int]
    days: frozenset[int]
    years: frozenset[int]

    def share(self, sent_at: int, zone: tzinfo) -> float:
        """Return how well a moment in milliseconds agrees, 0 to 1."""
        if not self.months:
            return 0.0
        try:
            when = from_ms(sent_at).astimezone(zone)
        except OverflowError:  # in that zone it lies outside the calendar
            return 0.0
        if when.month not in self.months or (self.years and when.year not in self.years):
            return 0.0
        return 1.0 if when.day in self.days else MONTH


def named_dates(texts: Iterable[str]) -> Named:
    """Return what the words of *texts* name."""
    written = [word.strip(",;:!?()") for text in texts for word in text.split()]
    numbers = {number for word in written if (number := _number(word.casefold()))}
    names = {word.casefold() for word in written if word.istitle() or numbers or word not in _VERBS}
    return Named(
        frozenset(number for name, number in _MONTHS.items() if name in names),
        frozenset(number for number in numbers if number <= _LAST_DAY),
        frozenset(number for number in numbers if number in _YEARS),
    )


def _number(word: str) -> int:
    """Return the number that a word is, as an ordinal too; 0 if it is none."""
    for ending in _ORDINALS:
        word = word.removesuffix(ending)
    return int(word) if word.isascii() and word.isdigit() and len(word) <= len("2000") else 0
