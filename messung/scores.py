"""Scores of ranked answers, and how far they would move with other questions of the same kind."""

import math
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

DEPTH = 10
RESAMPLES = 400
TIE = 0.10
"""Under this relative difference two systems are called equal; set before the first comparison was run."""


@dataclass(frozen=True)
class Judged:
    """One answered question: what was relevant, what each hit covered, what the answer and its reading cost.

    *sight_bytes*: bytes read until an evidence passage stood there, None if it never did or was not followed.
    """

    relevant: frozenset[str]
    hits: tuple[frozenset[str], ...]
    answer_bytes: int = 0
    group: str = ""
    sight_bytes: int | None = None
    seconds: float = 0.0


def recall_at(judged: Judged, k: int) -> float:
    """Return the share of the relevant that the first *k* hits cover."""
    found = frozenset().union(*judged.hits[:k])
    return len(judged.relevant & found) / len(judged.relevant)


def hit_at(judged: Judged, k: int) -> float:
    """Return 1 if one of the first *k* hits covers something relevant, else 0."""
    return float(any(hit & judged.relevant for hit in judged.hits[:k]))


def reciprocal_rank(judged: Judged) -> float:
    """Return 1 / rank of the first relevant hit within the first 10, else 0."""
    for rank, hit in enumerate(judged.hits[:DEPTH], start=1):
        if hit & judged.relevant:
            return 1 / rank
    return 0.0


def ndcg(judged: Judged) -> float:
    """Return nDCG@10 with equal gains (Järvelin and Kekäläinen 2002, log base 2)."""
    gained = sum(
        1 / math.log2(rank + 1)
        for rank, hit in enumerate(judged.hits[:DEPTH], start=1)
        if hit & judged.relevant
    )
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(judged.relevant)) + 1))
    return gained / ideal


Score = Callable[[Judged], float]

SCORES: dict[str, Score] = {
    "recall@1": lambda item: recall_at(item, 1),
    "recall@5": lambda item: recall_at(item, 5),
    "recall@8": lambda item: recall_at(item, 8),
    "recall@10": lambda item: recall_at(item, 10),
    "hit@1": lambda item: hit_at(item, 1),
    "hit@5": lambda item: hit_at(item, 5),
    "hit@8": lambda item: hit_at(item, 8),
    "hit@10": lambda item: hit_at(item, 10),
    "MRR": reciprocal_rank,
    "nDCG@10": ndcg,
}
"""Every score by name; those with an @k before the k are shares, printed in percent."""

FRACTIONS = ("MRR", "nDCG@10")


def mean_score(judged: Sequence[Judged], name: str) -> float:
    """Return the mean of the score called *name*."""
    return statistics.fmean(map(SCORES[name], judged))


def shown(name: str, value: float) -> str:
    """Return *value* as the reports print it: shares in percent, MRR and nDCG with three digits."""
    return f"{value:.3f}" if name in FRACTIONS else f"{100 * value:.1f}"


def half_width(judged: Sequence[Judged], name: str, *, seed: int = 1) -> float:
    """Return half the width of the central 95 % of the mean over resampled questions (percentile bootstrap)."""
    return _half_width([SCORES[name](item) for item in judged], seed)


def difference_half_width(
    first: Sequence[Judged], second: Sequence[Judged], name: str, *, seed: int = 1
) -> float:
    """Return the same for the mean difference of two systems over the same questions in the same order."""
    score = SCORES[name]
    return _half_width([score(a) - score(b) for a, b in zip(first, second, strict=True)], seed)


def _half_width(values: Sequence[float], seed: int) -> float:
    generator = random.Random(seed)
    means = sorted(statistics.fmean(generator.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return (means[int(0.975 * RESAMPLES) - 1] - means[int(0.025 * RESAMPLES)]) / 2


def is_tie(first: float, second: float) -> bool:
    """Tell whether two figures differ by less than a tenth of the larger one."""
    larger = max(abs(first), abs(second))
    return larger == 0 or abs(first - second) / larger < TIE


@dataclass(frozen=True)
class Sight:
    """How much had to be read until evidence stood there: the median over the questions that got there (bytes),
    and the share of all questions within each of the limits (bytes).
    """

    median_bytes: float
    within: tuple[float, ...]


SIGHT_LIMITS = (2000, 4000, 8000)


def sight(judged: Sequence[Judged]) -> Sight | None:
    """Return the reading cost over *judged*, None if no question got to its evidence."""
    costs = [item.sight_bytes for item in judged if item.sight_bytes is not None]
    if not costs:
        return None
    shares = tuple(sum(cost <= limit for cost in costs) / len(judged) for limit in SIGHT_LIMITS)
    return Sight(statistics.median(costs), shares)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest of *values* that at least *share* of them do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
