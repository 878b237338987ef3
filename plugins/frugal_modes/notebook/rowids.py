"""Ids of recipes, measurements and results: `r3`, `m3,m4`, `m3-m9`, with the notebook's name in front for guests."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from frugal.api import LARGEST_ID, Surface, as_ranges

RECIPE, MEASUREMENT, RESULT, EVENT = "r", "m", "e", "h"
LETTER_OF_EVENT = {"recipe": RECIPE, "measurements": MEASUREMENT, "result": RESULT}
"""By the type of an event: what rows it writes."""

_SEPARATORS = re.compile(r"[,;\s]+")
_NAME = r"(?:(?P<{0}>[^\W_][\w.-]*)\#)?"
_ITEM = re.compile(
    _NAME.format("name")
    + r"(?P<letter>[rmeh])(?P<first>[1-9][0-9]{0,18})"
    + r"(?:[-–]"
    + _NAME.format("name2")
    + r"(?P<letter2>[rmeh])(?P<last>[1-9][0-9]{0,18}))?",
    re.IGNORECASE,
)


class RowSpan(NamedTuple):
    """The rows *first* to *last* of one letter, and the notebook's name as written ("" = none)."""

    letter: str
    first: int
    last: int
    name: str = ""

    def __str__(self) -> str:
        start = f"{self.letter}{self.first}"
        return start if self.first == self.last else f"{start}-{self.letter}{self.last}"


class ParsedRows(NamedTuple):
    """What stands in a field of row ids: spans in order, and the items that are none."""

    spans: tuple[RowSpan, ...]
    rejected: tuple[str, ...]


def parse_row_ids(text: str) -> ParsedRows:
    """Read row ids from *text*, apart by commas, semicolons or white space; any case, every id of a span."""
    spans: list[RowSpan] = []
    rejected: list[str] = []
    for item in _SEPARATORS.split(text.strip()):
        if not item:
            continue
        span = _read(item)
        if span is None:
            rejected.append(item)
        else:
            spans.append(span)
    return ParsedRows(tuple(spans), tuple(rejected))


def _read(item: str) -> RowSpan | None:
    match = _ITEM.fullmatch(item)
    if match is None:
        return None
    letter, first = match["letter"].lower(), int(match["first"])
    last = int(match["last"] or first)
    names = {name.casefold() for name in (match["name"], match["name2"]) if name}
    if (match["letter2"] or letter).lower() != letter or len(names) > 1 or not first <= last <= LARGEST_ID:
        return None
    return RowSpan(letter, first, last, match["name"] or match["name2"] or "")


def row_list(letter: str, numbers: Sequence[int], prefix: str = "") -> str:
    """Write ascending row numbers as our answers do: three or more in a run as a span, `m13-m24, m30`."""
    return as_ranges(list(numbers), prefix=f"{prefix}{letter}", between=", ")


def row_prefix(surface: Surface) -> str:
    """Return what stands before row ids: the notebook's name, for guests."""
    return f"{surface.name}#" if surface.prints_names else ""
