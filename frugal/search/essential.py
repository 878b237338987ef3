"""Which words of a query have to be asked: the frequent ones cannot bring in a document that the rare ones missed.

MaxScore (Turtle and Flood 1995) over whole words: a document with none but the words left out scores less than a bound;
once the last hit reaches it, asking for them could not change the hits. They still count in every document scored.
"""

from collections.abc import Sequence
from heapq import nlargest

from frugal.search.groups import Group
from frugal.search.neighbours import Rated
from frugal.search.scoring import Scorer
from frugal.search.tuning import Tuning


class Essential:
    """The rarest words of a query, as many as are needed."""

    def __init__(
        self, groups: Sequence[Group], scorer: Scorer, tuning: Tuning, *, at_least: float = 0.0
    ) -> None:
        self._groups = groups
        self._scorer = scorer
        self._at_least = at_least
        known = [number for number, group in enumerate(groups) if group.every_term]
        self._by_rarity = sorted(known, key=lambda number: (groups[number].df, number))
        self._count = len(known)
        if sum(groups[number].df for number in known) > tuning.postings:
            self._shrink(max(at_least, tuning.expected * scorer.weight(known)))

    @property
    def chosen(self) -> list[Group]:
        """The words to ask for."""
        return [self._groups[number] for number in self._by_rarity[: self._count]]

    def suffices(self, last: float) -> bool:
        """Whether no document without the chosen words can reach *last*, the score of the last hit (0: too few)."""
        rest = self._by_rarity[self._count :]
        return not rest or (last > 0 and self._scorer.most(rest) <= last)

    def outweighs_others(self, rated: Sequence[Rated], needed: int) -> bool:
        """Whether *needed* of the documents *rated* score more than any without the chosen words can.

        Such a document may have words left out, and others in place of each word of the query.
        """
        if len(rated) < needed:
            return False
        last = max(nlargest(needed, (item.score.value for item in rated))[-1], self._at_least)
        return self._scorer.most(self._by_rarity[self._count :]) + self._scorer.most_of_others() <= last

    def extend(self, last: float) -> None:
        """Choose as many words as *last* proves enough; more of them only raise it."""
        self._count = len(self._by_rarity)
        self._shrink(last)

    def _shrink(self, last: float) -> None:
        while self._count > 1 and self._scorer.most(self._by_rarity[self._count - 1 :]) <= last:
            self._count -= 1
