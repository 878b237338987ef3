"""What an answer that is too large gives up first: what is least likely to be what was asked for, byte for byte.

How likely a message answers, in shares of the first one, was fitted on conversations with known evidence (logistic
regression over items and lines, figures and method in docs/decisions/0009).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from frugal_modes.evidence.choice import Chosen
from frugal_modes.evidence.ranking import ends_in_question
from frugal_modes.evidence.rows import Row

FALL = 0.85
"""Power of the place by which an item is worth less."""
SCORE = 2.7
"""Logarithm of what the score of the best message is worth against none."""
ASKING_ITEM = 0.5
"""What is left of an item that ends in a question."""
LINE = 0.1
"""A line of context that matches nothing, in shares of the item it stands beside."""
OWN = 1.6
"""Logarithm of what a line gains by the score of the best message."""
ANSWER = 6.0
"""How many times more the line is worth that follows an item that ends in a question."""
ASKING_LINE = 0.4
"""What is left of a line that ends in a question."""


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


class Worth:
    """How likely messages are to be what was asked for. *shares*: scores by message number, in shares of the best."""

    def __init__(self, shares: Mapping[int, float]) -> None:
        self._shares = shares

    def item(self, place: int, row: Row) -> float:
        """Return the worth of the item at *place*, the first one 0."""
        return self._at(place, row) * (ASKING_ITEM if ends_in_question(row.text) else 1.0)

    def line(self, place: int, row: Row, distance: int, line: Row) -> float:
        """Return the worth of a line *distance* messages from the item at *place*."""
        is_answer = distance == 1 and ends_in_question(row.text)
        worth = self._at(place, row) * LINE * math.exp(OWN * self._shares.get(line.number, 0.0))
        return worth * (ANSWER if is_answer else 1.0) * (ASKING_LINE if ends_in_question(line.text) else 1.0)

    def _at(self, place: int, row: Row) -> float:
        return math.exp(SCORE * self._shares.get(row.number, 0.0)) / math.pow(place + 1, FALL)


def least_worth(shown: Sequence[Shown]) -> tuple[Pick, Line | None] | None:
    """Return the line or the last item that is worth least a byte; of two equal ones that of the later item."""
    if not shown:
        return None
    last = shown[-1]
    found: list[tuple[float, Pick, Line | None]] = []
    if len(shown) > 1:
        worth = last.pick.worth + sum(line.worth for line in last.lines)
        found.append((worth / (last.pick.size + sum(line.size for line in last.lines)), last.pick, None))
    for item in reversed(shown):
        ordered = sorted(item.lines, key=lambda line: (abs(line.distance), line.distance), reverse=True)
        found += [(line.worth / line.size, item.pick, line) for line in ordered]
    if not found:
        return None
    _, pick, line = min(found, key=lambda entry: entry[0])
    return pick, line


def lowest_first(shown: Sequence[Shown]) -> tuple[Pick, Line | None] | None:
    """Return the farthest line of the last item, of two equally far the later one, or the item if it has none."""
    if not shown:
        return None
    pick, lines = shown[-1]
    if lines:
        return pick, max(lines, key=lambda line: (abs(line.distance), line.distance))
    return (pick, None) if len(shown) > 1 else None
