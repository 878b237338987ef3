"""The figures of a bench: pure functions of what was shown and what is acceptable."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2

LOWER_IS_WORSE = ("first_ok", "mrr", "ndcg@10", "precision@5", "precision@10")
HIGHER_IS_WORSE = ("noise@5", "answered", "answered_all")
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Shown:
    """What one query came to: the cards of each hit (a group of duplicates), and what is right.

    *grades* are those of the acceptable cards by number; *is_rightly_empty*: nothing should be found.
    """

    group: str
    hits: Sequence[Sequence[int]]
    grades: Mapping[int, int]
    is_rightly_empty: bool
    label: str
    size_bytes: int
    ms: float

    @property
    def gains(self) -> list[int]:
        """The grade of each hit: that of its best member, 0 = not acceptable."""
        return [max((self.grades.get(number, 0) for number in members), default=0) for members in self.hits]


@dataclass(frozen=True)
class Figures:
    """The figures of some queries."""

    values: Mapping[str, float]
    labels: Mapping[str, int] = field(default_factory=dict)


def figures_of(queries: Iterable[Shown]) -> Figures:
    """Return every figure of *queries*; precision is summed above and below, rightly empty ones count apart."""
    every = list(queries)
    asked = [item for item in every if not item.is_rightly_empty]
    empty = [item for item in every if item.is_rightly_empty]
    values: dict[str, float] = {"n": len(asked)}
    if asked:
        values["first_ok"] = _mean(float(bool(item.gains[:1] and item.gains[0])) for item in asked)
        values["mrr"] = _mean(_reciprocal_rank(item.gains) for item in asked)
        values["ndcg@10"] = _mean(_ndcg(item) for item in asked)
        values["precision@5"] = _capped_precision(asked, 5)
        values["precision@10"] = _capped_precision(asked, 10)
        values["noise@5"] = _noise(asked)
    values["n_empty"] = len(empty)
    if empty:
        values["answered"] = sum(bool(item.hits) for item in empty)
        values["answered_all"] = sum(item.label.startswith("all") for item in empty)
    if every:
        values["bytes"] = _mean(float(item.size_bytes) for item in every)
        values["ms"] = _mean(item.ms for item in every)
    return Figures(values, Counter(item.label or "none" for item in every))


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found)


def _reciprocal_rank(gains: Sequence[int]) -> float:
    return next((1 / rank for rank, gain in enumerate(gains, 1) if gain), 0.0)


def _ndcg(item: Shown) -> float:
    """Normalised discounted cumulative gain of the first 10, gain 2^grade - 1 (Burges et al. 2005)."""
    ideal = _dcg(sorted(_distinct(item), reverse=True)[:10])
    return _dcg(item.gains[:10]) / ideal if ideal else 0.0


def _distinct(item: Shown) -> list[int]:
    """Return the grades of the acceptable cards, of those in one hit only the best."""
    inside = [number for members in item.hits for number in members if number in item.grades]
    alone = [grade for number, grade in item.grades.items() if number not in inside]
    return [gain for gain in item.gains if gain] + alone


def _dcg(gains: Sequence[int]) -> float:
    return sum(((1 << gain) - 1) / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _capped_precision(asked: Sequence[Shown], most: int) -> float:
    found = sum(sum(1 for gain in item.gains[:most] if gain) for item in asked)
    possible = sum(min(most, len(_distinct(item))) for item in asked)
    return found / possible if possible else 0.0


def _noise(asked: Sequence[Shown]) -> float:
    shown = sum(len(item.gains[:5]) for item in asked)
    wrong = sum(sum(1 for gain in item.gains[:5] if not gain) for item in asked)
    return wrong / shown if shown else 0.0


def by_group(queries: Sequence[Shown]) -> dict[str, Figures]:
    """Return the figures of all queries as `total`, and of each group."""
    groups = sorted({item.group for item in queries})
    found = {"total": figures_of(queries)}
    if len(groups) > 1 or groups != ["-"]:
        found |= {
            name: figures_of([item for item in queries if item.group == name])
            for name in groups
            if name != "total"
        }
    return found


def worse(now: Mapping[str, float], before: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """Return the figures that got worse: name, before, now."""
    found: list[tuple[str, float, float]] = []
    for name in (*LOWER_IS_WORSE, *HIGHER_IS_WORSE):
        if name not in before:
            continue
        old, new = before[name], now.get(name, 0.0)
        is_worse = new < old - TOLERANCE if name in LOWER_IS_WORSE else new > old + TOLERANCE
        if is_worse:
            found.append((name, old, new))
    return found
