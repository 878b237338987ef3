"""Drawn numbers that are the same on every platform and in every version of the language."""

import random
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")


class Draws:
    """A stream of numbers named by *parts*. Of the generator only `getrandbits` is used: the rest has changed before."""

    def __init__(self, *parts: object) -> None:
        whole = "\x1f".join(map(str, parts)).encode()
        self._random = random.Random(int.from_bytes(blake2b(whole, digest_size=16).digest(), "big"))

    def below(self, bound: int) -> int:
        """Return a number from 0 to *bound* - 1, each as likely."""
        bits = bound.bit_length()
        while (found := self._random.getrandbits(bits)) >= bound:
            pass
        return found

    def between(self, least: int, most: int) -> int:
        """Return a number from *least* to *most*."""
        return least + self.below(most - least + 1)

    def percent(self, share: int) -> bool:
        """Return true in *share* of a hundred cases."""
        return self.below(100) < share

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of *items*."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return *items* in a drawn order."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    def places(self, count: int, among: int) -> list[int]:
        """Return *count* different numbers below *among*, in a drawn order."""
        taken: set[int] = set()
        for last in range(among - count, among):
            found = self.below(last + 1)
            taken.add(last if found in taken else found)
        return self.shuffled(sorted(taken))
