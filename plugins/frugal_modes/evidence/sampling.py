"""Which messages a sample takes: a fixed shuffle by seed, fair to every stratum, the same whatever the scan order."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Drawable(NamedTuple):
    """A message that may be drawn: *row* is its place in the population, *key* that of its text."""

    row: int
    ref: str
    stratum: str
    key: int


def draw(items: Sequence[Drawable], *, strategy: str, seed: int, is_distinct: bool) -> Iterator[Drawable]:
    """Yield *items* in the order in which they are drawn: in a stratum by hash, the strata by hash and in turn.

    With *is_distinct* one message a text.
    """
    strata: dict[str, list[tuple[bytes, Drawable]]] = {}
    for item in items:
        lot = _lot(seed, strategy, item.ref)
        strata.setdefault(item.stratum, []).append((lot, item))
    order = sorted(strata, key=lambda stratum: (_lot(seed, strategy, stratum), stratum))
    queues = [iter(sorted(strata[stratum], key=lambda pair: (pair[0], pair[1].ref))) for stratum in order]
    seen: set[int] = set()
    while queues:
        left: list[Iterator[tuple[bytes, Drawable]]] = []
        for queue in queues:
            for _, item in queue:
                if is_distinct and item.key in seen:
                    continue
                seen.add(item.key)
                yield item
                left.append(queue)
                break
        queues = left


def _lot(seed: int, strategy: str, name: str) -> bytes:
    return hashlib.blake2b(f"{seed}\0{strategy}\0{name}".encode(), digest_size=8).digest()
