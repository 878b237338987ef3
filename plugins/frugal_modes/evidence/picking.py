"""The chosen messages with the lines that may stand around them: what an answer is made of, before it is fitted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from frugal.api import Connection
from frugal_modes.evidence.budgets import size_of
from frugal_modes.evidence.choice import Chosen
from frugal_modes.evidence.items import TEXT_CHARACTERS, Quoting
from frugal_modes.evidence.packing import Line, Pick, Worth
from frugal_modes.evidence.ranked import Found
from frugal_modes.evidence.rows import Row, after, before, rows_of

SPARE = 20
"""So many more than may be items are looked at: where it is tight, short ones may stand for long ones."""


@dataclass(frozen=True)
class _Around:
    """A chosen message and its timeline: *earlier* and *later* messages, the nearest first, one earlier than shown."""

    chosen: Chosen
    row: Row
    earlier: Sequence[Row]
    later: Sequence[Row]

    def lines(self, context: int) -> list[tuple[int, Row, Row | None]]:
        """Return distance, message and the message before it of what may be shown, the nearest first of each side."""
        ahead = (*self.earlier[1:], None)
        found = [(-place, row, ahead[place - 1]) for place, row in enumerate(self.earlier[:context], 1)]
        behind = (self.row, *self.later)
        return found + [(place, row, behind[place - 1]) for place, row in enumerate(self.later, 1)]


def picks_of(
    db: Connection, found: Found, chosen: Iterable[Chosen], quoting: Quoting, *, limit: int, context: int
) -> list[Pick]:
    """Return the first of *chosen*, some more than *limit*, with the *context* lines of each side."""
    around = [_around(db, found, pick, context) for pick in islice(chosen, limit + SPARE)]
    near = {row.number for item in around for row in (item.row, *item.earlier, *item.later)}
    places = {item.row.number: place for place, item in enumerate(around)}
    worth = Worth(found.shares_beside(db, near), found.sittings, places)
    matching = near.intersection(found.numbers)
    picks: list[Pick] = []
    for item in around:
        lines = [
            Line(
                distance,
                row,
                worth.of(row, ahead, item.row),
                size_of(quoting.line(row, is_hit=row.number in matching)),
            )
            for distance, row, ahead in item.lines(context)
        ]
        value = worth.of(item.row, item.earlier[0] if item.earlier else None, item.row)
        picks.append(
            Pick(item.chosen, item.row, value, size_of(quoting.item(item.row, TEXT_CHARACTERS)), lines)
        )
    return picks


def _around(db: Connection, found: Found, pick: Chosen, context: int) -> _Around:
    number = found.numbers[pick.row]
    row = rows_of(db, [number])[number]
    return _Around(pick, row, before(db, row, context + 1), after(db, row, context))


def within(picks: Sequence[Pick], limit: int) -> list[Pick]:
    """Return the picks that are among the first *limit* items or a line of one; what comes behind is over the limit."""
    seen: set[int] = set()
    items = 0
    for place, pick in enumerate(picks):
        if pick.row.number in seen:
            continue
        if items == limit:
            return list(picks[:place])
        items += 1
        seen |= {pick.row.number, *(line.row.number for line in pick.lines)}
    return list(picks)
