"""Relevance of the matching messages: BM25 over the clauses, lifted where the words stand as asked and close together.

Robertson and Zaragoza, The Probabilistic Relevance Framework (2009). The statistics are those of the population. What
a row needs is kept in arrays, so that a population of a million takes tens of megabytes.
"""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from frugal_modes.evidence.matching import Hit

K1 = 0.9
B = 0.4
_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")


def ends_in_question(text: str) -> bool:
    """Tell whether the last sign of *text* is a question mark, of whatever script."""
    return text.rstrip().endswith(_QUESTION_MARKS)


@dataclass(frozen=True)
class Weights:
    """What lifts a message: *exact* the share of a match written exactly as asked, *close* two clauses side by side."""

    exact: float = 0.25
    close: float = 0.6
    reach: int = 60
    """Characters between two clauses at which half of the lift is left."""


class Scores:
    """Collects what ranks each matching row, in the order of the scan. Clauses of one of *concepts* count as one term."""

    def __init__(
        self, wordings: Sequence[str], weights: Weights | None = None, concepts: Sequence[int] | None = None
    ) -> None:
        self._wordings = [wording.casefold() for wording in wordings]
        self._concepts = list(range(len(wordings)) if concepts is None else concepts)
        self._weights = weights or Weights()
        self._shapes: dict[tuple[float, ...], int] = {}
        self._shape = array("L")
        self._length = array("L")
        self._closeness = array("d")

    @property
    def concepts(self) -> int:
        """How many different things are asked for."""
        return len(set(self._concepts))

    def add(self, text: str, hits: Sequence[Hit]) -> None:
        """Note one row."""
        frequencies = [0.0] * len(self._wordings)
        for start, end, clause in hits:
            is_exact = text[start:end].casefold() == self._wordings[clause]
            frequencies[self._concepts[clause]] += 1 + self._weights.exact if is_exact else 1
        shape = tuple(frequencies)
        self._shape.append(self._shapes.setdefault(shape, len(self._shapes)))
        self._length.append(len(text))
        self._closeness.append(_closeness(hits, self._weights.reach))

    def totals(self) -> list[float]:
        """Return the score of each row, in the order in which they came."""
        return list(self._totals)

    @cached_property
    def _totals(self) -> list[float]:
        close, found = self._weights.close, self._statistics
        shapes, rarity, average = found.shapes, found.rarity, found.average
        return [
            sum(_bm25(shapes[shape], rarity, 1 - B + B * length / average)) * (1 + close * closeness)
            for shape, length, closeness in zip(self._shape, self._length, self._closeness, strict=True)
        ]

    def parts(self, place: int) -> Sequence[float]:
        """Return what each concept has in the score of a row; a row without it has nothing."""
        found = self._statistics
        norm = 1 - B + B * self._length[place] / found.average
        return _bm25(found.shapes[self._shape[place]], found.rarity, norm)

    @cached_property
    def _statistics(self) -> "_Statistics":
        rows = len(self._shape)
        shapes = list(self._shapes)
        found = [0] * len(self._wordings)
        counts = Counter(self._shape)
        for shape, frequencies in enumerate(shapes):
            for clause, frequency in enumerate(frequencies):
                found[clause] += counts[shape] if frequency else 0
        rarity = [math.log(1 + (rows - having + 0.5) / (having + 0.5)) for having in found]
        return _Statistics(shapes, rarity, sum(self._length) / rows if rows else 1.0)


class _Statistics(NamedTuple):
    """What is known when every row was seen."""

    shapes: Sequence[tuple[float, ...]]
    rarity: Sequence[float]
    average: float
    """Length of a row in characters."""


def _bm25(frequencies: Sequence[float], rarity: Sequence[float], norm: float) -> list[float]:
    return [
        weight * frequency * (K1 + 1) / (frequency + K1 * norm) if frequency else 0.0
        for frequency, weight in zip(frequencies, rarity, strict=True)
    ]


def _closeness(hits: Sequence[Hit], reach: int) -> float:
    """Return 1 for two clauses side by side, less with the distance of the nearest two, 0 with one clause only."""
    nearest = -1
    for (_, end, one), (start, _, other) in pairwise(hits):
        if one != other:
            gap = max(start - end, 0)
            nearest = gap if nearest < 0 else min(nearest, gap)
    return 0.0 if nearest < 0 else reach / (reach + nearest)
