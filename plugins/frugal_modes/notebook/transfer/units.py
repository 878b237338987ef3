"""Which event of two notebooks is the same, and which row: an event counts with all that it recorded.

Numbers differ between notebooks and say nothing; stamps, texts and codes do. A text that was erased in one of them is a
stub there, and agrees with any.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from frugal_modes.notebook.erase import is_stub
from frugal_modes.notebook.old_rows import ZONE_NOTE
from frugal_modes.notebook.transfer.rows import (
    CriterionRow,
    EventRow,
    LinkRow,
    Parts,
    PlanRow,
    Row,
    SeriesRow,
)

Item = TypeVar("Item")

NUMBERED = frozenset({"row", "first", "last", "supersedes", "version"})


@dataclass(frozen=True)
class Unit:
    """One event and what it recorded."""

    event: EventRow
    criterion: CriterionRow | None
    plan: PlanRow | None
    rows: tuple[Row, ...]

    @property
    def fixed(self) -> tuple[str, ...]:
        """What cannot have been erased: stamp, type and codes, and how many rows of which sort.

        How an older file's stamps were read is one note, whenever the file was taken over: each merge does that anew.
        """
        is_zone = self.event.type == "text" and self.event.text.startswith(ZONE_NOTE)
        at = "" if is_zone else self.event.at
        codes = [
            f"{name}={value}" for name, value in sorted(self.event.details.items()) if name not in NUMBERED
        ]
        return (at, self.event.type, *codes, "".join(row.letter for row in self.rows))

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text, in a fixed order."""
        own = (self.event.text, self.event.reason)
        versions = tuple(version.text for version in (self.criterion, self.plan) if version)
        return (*own, *versions, *(text for row in self.rows for text in row.texts))


@dataclass(frozen=True)
class Book:
    """One series with everything of it, in the order of record."""

    series: SeriesRow
    units: tuple[Unit, ...]
    links: tuple[LinkRow, ...]

    @property
    def criterion(self) -> str | None:
        """The text of the current criterion, None without one."""
        versions = [(unit.event.at, unit.criterion) for unit in self.units if unit.criterion]
        return max(versions, key=lambda pair: (pair[0], pair[1].version))[1].text if versions else None

    @property
    def rows(self) -> tuple[Row, ...]:
        """Every recipe, measurement and result."""
        return tuple(row for unit in self.units for row in unit.rows)

    def since(self, kind: str) -> str:
        """Return the stamp of the newest event of type *kind*, "" if there is none."""
        return max((unit.event.at for unit in self.units if unit.event.type == kind), default="")


def books_of(parts: Parts) -> dict[str, Book]:
    """Return the series of *parts* by folded key."""
    criteria = {row.number: row for row in parts.criteria}
    plans = {row.number: row for row in parts.plans}
    rows: dict[int, list[Row]] = {}
    for row in parts.rows:
        rows.setdefault(row.event, []).append(row)
    units: dict[int, list[Unit]] = {}
    for event in parts.events:
        unit = Unit(
            event, criteria.get(event.number), plans.get(event.number), tuple(rows.get(event.number, ()))
        )
        units.setdefault(event.series, []).append(unit)
    links: dict[int, list[LinkRow]] = {}
    for link in parts.links:
        links.setdefault(link.series, []).append(link)
    return {
        one.folded: Book(one, tuple(units.get(one.number, ())), tuple(links.get(one.number, ())))
        for one in parts.series
    }


@dataclass(frozen=True)
class Matched:
    """What both have: by their number the number here; rows by letter and number."""

    events: Mapping[int, int]
    rows: Mapping[tuple[str, int], Row]


def match(theirs: Book, ours: Book) -> Matched:
    """Return which events and rows of *theirs* are here: whole events first, then single rows by fields and stamp."""
    units = pair(theirs.units, ours.units, lambda unit: unit.fixed, lambda unit: unit.texts)
    rows = {
        (row.letter, row.number): own
        for unit, other in units
        for row, own in zip(unit.rows, other.rows, strict=True)
    }
    taken = {(row.letter, row.number) for row in rows.values()}
    stamps = {unit.event.number: unit.event.at for unit in theirs.units}
    own_stamps = {unit.event.number: unit.event.at for unit in ours.units}
    single = pair(
        [row for row in theirs.rows if (row.letter, row.number) not in rows],
        [row for row in ours.rows if (row.letter, row.number) not in taken],
        lambda row: (row.letter, stamps[row.event]),
        lambda row: row.texts,
        lambda row: (row.letter, own_stamps[row.event]),
    )
    rows |= {(row.letter, row.number): own for row, own in single}
    events = {unit.event.number: other.event.number for unit, other in units}
    return Matched(events, rows)


def pair(
    theirs: Iterable[Item],
    ours: Iterable[Item],
    fixed: Callable[[Item], tuple[str, ...]],
    texts: Callable[[Item], tuple[str, ...]],
    own_fixed: Callable[[Item], tuple[str, ...]] | None = None,
) -> list[tuple[Item, Item]]:
    """Return pairs that agree, each item once: equal ones first, then those that differ in stubs alone."""
    free: dict[tuple[str, ...], list[Item]] = {}
    for item in ours:
        free.setdefault((own_fixed or fixed)(item), []).append(item)
    pairs: list[tuple[Item, Item]] = []
    rest = list(theirs)
    for agrees in (_is_equal, _is_equal_but_for_stubs):
        waiting, rest = rest, []
        for item in waiting:
            candidates = free.get(fixed(item), [])
            found = next((own for own in candidates if agrees(texts(item), texts(own))), None)
            if found is None:
                rest.append(item)
            else:
                candidates.remove(found)
                pairs.append((item, found))
    return pairs


def _is_equal(theirs: Sequence[str], ours: Sequence[str]) -> bool:
    return theirs == ours


def _is_equal_but_for_stubs(theirs: Sequence[str], ours: Sequence[str]) -> bool:
    return len(theirs) == len(ours) and all(map(agree, theirs, ours))


def agree(theirs: str, ours: str) -> bool:
    """Tell whether two texts are one, or one of them was erased."""
    return theirs == ours or is_stub(theirs) or is_stub(ours)
