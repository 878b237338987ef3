"""Ids as people and models write them: `72`, `#72`, `b#72`, ranges; nothing is ever mined out of prose."""

import re
from dataclasses import dataclass

LARGEST_ID = 9_223_372_036_854_775_807

_SEPARATORS = re.compile(r"[,;\s]+")
_ITEM = re.compile(r"(?:(?:(?P<name>[^\W_][\w.-]*))?#)?(?P<number>[1-9][0-9]*)")
_RANGE = re.compile(
    r"(?:(?:(?P<name>[^\W_][\w.-]*))?#)?(?P<first>[1-9][0-9]*)[-\u2013]"
    r"(?:(?:(?P<name2>[^\W_][\w.-]*))?#)?(?P<last>[1-9][0-9]*)",
)


@dataclass(frozen=True)
class IdSpan:
    """The ids *first* to *last*, both included, with the memory's name as written ("" = none)."""

    first: int
    last: int
    name: str = ""

    def __len__(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class ParsedIds:
    """What stands in an id parameter: the spans in order, and the items that are no ids."""

    spans: tuple[IdSpan, ...]
    rejected: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many ids the spans name, repeats included."""
        return sum(last - first + 1 for first, last in ((span.first, span.last) for span in self.spans))


def parse_ids(text: str) -> ParsedIds:
    """Read ids from *text*: items apart by commas, semicolons or white space, one outer pair of `[ ]` ignored."""
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        stripped = stripped[1:-1]
    spans: list[IdSpan] = []
    rejected: list[str] = []
    for item in _SEPARATORS.split(stripped):
        if not item:
            continue
        span = _read_item(item)
        if span is None:
            rejected.append(item)
        else:
            spans.append(span)
    return ParsedIds(tuple(spans), tuple(rejected))


def _read_item(item: str) -> IdSpan | None:
    if match := _ITEM.fullmatch(item):
        number = _number(match["number"])
        return IdSpan(number, number, match["name"] or "") if number else None
    if match := _RANGE.fullmatch(item):
        first, last = _number(match["first"]), _number(match["last"])
        names = {name.casefold() for name in (match["name"], match["name2"]) if name}
        if first and last and first <= last and len(names) <= 1:
            return IdSpan(first, last, match["name"] or match["name2"] or "")
    return None


def _number(digits: str) -> int:
    """Return the number, 0 if it is no id; twenty digits are never converted (the length may be hostile)."""
    if len(digits) > 19:
        return 0
    number = int(digits)
    return number if number <= LARGEST_ID else 0


def expand(spans: tuple[IdSpan, ...]) -> tuple[int, ...]:
    """Return the ids of *spans* in order, repeats dropped. The caller has checked their number."""
    seen: dict[int, None] = {}
    for span in spans:
        seen.update(dict.fromkeys(range(span.first, span.last + 1)))
    return tuple(seen)


def as_ranges(ids: tuple[int, ...] | list[int], *, prefix: str = "", between: str = ",") -> str:
    """Write *ids* in their order, runs of three or more that ascend by one as ranges: `3,7-9`."""
    parts: list[str] = []
    index = 0
    while index < len(ids):
        end = index
        while end + 1 < len(ids) and ids[end + 1] == ids[end] + 1:
            end += 1
        if end - index >= 2:
            parts.append(f"{prefix}{ids[index]}-{prefix}{ids[end]}")
        else:
            parts.extend(f"{prefix}{number}" for number in ids[index : end + 1])
        index = end + 1
    return between.join(parts)
