"""The first texts tell what the others are about: words that they have in common reorder those behind them.

Rocchio, Relevance Feedback in Information Retrieval (1971), without its risk: the first two stay where they are.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from frugal_modes.evidence.choice import Wording

WEIGHT = 0.3
"""What all telling words together are worth, in shares of the best score."""

_FIRST = 5
_WORDS = 12
_KEPT = 2
_REORDERED = 100
_LEAST_TEXTS = 2


def lifted(ranked: Sequence[Wording]) -> list[Wording]:
    """Return *ranked* (best first), those lifted that share telling words with the first ones, none above the second.

    Where one thing is asked for, there is nothing that the others could be about instead: leave it out there.
    """
    telling = _telling(ranked)
    whole = sum(telling.values())
    if len(ranked) <= _KEPT + 1 or not whole:
        return list(ranked)
    worth = WEIGHT * ranked[0].score / whole
    scores = [
        wording.score + worth * sum(telling[stem] for stem in sorted(wording.profile.stems & telling.keys()))
        for wording in ranked[_KEPT:_REORDERED]
    ]
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    ceiling = ranked[_KEPT - 1].score
    moved = [replace(ranked[_KEPT + place], score=min(scores[place], ceiling)) for place in order]
    return [*ranked[:_KEPT], *moved, *ranked[_REORDERED:]]


def _telling(ranked: Sequence[Wording]) -> Mapping[str, float]:
    """Return the words of the first texts that weigh most, frequency there times rarity in all of them."""
    counts: dict[str, float] = {}
    for wording in ranked[:_FIRST]:
        for stem in sorted(wording.profile.stems):
            counts[stem] = counts.get(stem, 0.0) + wording.score / (ranked[0].score or 1.0)
    texts = Counter(stem for wording in ranked for stem in wording.profile.stems & counts.keys())
    weights = {
        stem: count * math.log(1 + (len(ranked) - texts[stem] + 0.5) / (texts[stem] + 0.5))
        for stem, count in counts.items()
        if texts[stem] >= _LEAST_TEXTS
    }
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_WORDS])
