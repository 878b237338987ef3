"""What may stand in an answer and what of it is likely to be what was asked for.

How likely a message answers was fitted on conversations with known evidence (logistic regression over every message
that can be shown, then rounded; figures and method in docs/decisions/0009).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from frugal_modes.evidence.choice import Chosen
from frugal_modes.evidence.ranking import ends_in_question
from frugal_modes.evidence.rows import Row
from frugal_modes.evidence.support import SITTING_MS

SCORE = 5.0
"""Logarithm of what the score of the best message is worth against none."""
SITTING = 2.0
"""The same for the best score of what was said in one sitting with it."""
FALL = 0.15
"""Power of the place by which a message is worth less."""
LAST_PLACE = 60
"""The place of a message that was not chosen."""
MATCH = 1.75
"""How many times more a message is worth that matches."""
ANSWER = 1.25
"""How many times more a message is worth that stands behind a question."""
ASKING = 0.4
"""What is left of a message that ends in a question."""
TERSE = 0.2
"""Power of the length of the message before it: what follows few words says more by itself."""
_LENGTHS = (20, 400)
"""Shorter and longer messages before it are taken for one of that many characters."""
_LENGTH = 120
"""Characters that the first message of all is taken to have before it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of context: its *distance* from the item in messages, negative before it, and its *size* in bytes."""

    distance: int
    row: Row
    worth: float
    size: int


@dataclass
class Pick:
    """One chosen message with what may stand around it; *size* is that of the item alone, in bytes."""

    chosen: Chosen
    row: Row
    worth: float
    size: int
    lines: list[Line]


class Shown(NamedTuple):
    """A pick that is an item of the answer, and those of its lines that stand nowhere before it."""

    pick: Pick
    lines: Sequence[Line]


Weakest = Callable[[Sequence[Shown]], tuple[Pick, Line | None] | None]
"""What goes first of what is shown: a line, or the last pick with its lines; None where one bare item is left."""


@dataclass(frozen=True)
class Worth:
    """How likely messages are to be what was asked for, by message number.

    *shares* are scores in shares of the best one, *sittings* the best share in the sitting of a matching message,
    *places* the places of the chosen ones, the first one 0.
    """

    shares: Mapping[int, float]
    sittings: Mapping[int, float]
    places: Mapping[int, int]

    def of(self, row: Row, before: Row | None, pick: Row) -> float:
        """Return the worth of *row*, which is *pick* or stands near it; *before* is the message before it."""
        number = row.number
        power = SCORE * self.shares.get(number, 0.0) + SITTING * self._sitting(row, pick)
        power -= FALL * math.log(1 + self.places.get(number, LAST_PLACE))
        factor = MATCH if number in self.sittings else 1.0
        if ends_in_question(row.text):
            factor *= ASKING
        few, many = _LENGTHS
        power -= TERSE * math.log(min(max(len(before.text), few), many) if before else _LENGTH)
        if before and ends_in_question(before.text) and _is_one_sitting(before, row):
            factor *= ANSWER
        return math.exp(power) * factor

    def _sitting(self, row: Row, pick: Row) -> float:
        if row.number in self.sittings:
            return self.sittings[row.number]
        return self.sittings.get(pick.number, 0.0) if _is_one_sitting(row, pick) else 0.0


def _is_one_sitting(one: Row, other: Row) -> bool:
    return bool(one.thread) or abs(one.sent_at - other.sent_at) <= SITTING_MS


def lowest_first(shown: Sequence[Shown]) -> tuple[Pick, Line | None] | None:
    """Return the farthest line of the last item, of two equally far the later one, or the item if it has none."""
    if not shown:
        return None
    pick, lines = shown[-1]
    if lines:
        return pick, max(lines, key=lambda line: (abs(line.distance), line.distance))
    return (pick, None) if len(shown) > 1 else None
