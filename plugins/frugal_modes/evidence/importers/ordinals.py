"""Numbers among equals: which of several records with the same key a record is, in a few bytes a record."""

from array import array
from hashlib import blake2b

SMALLEST = 1 << 12
_WORD = 8


class Ordinals:
    """Counts equal keys. A key is kept as 64 bits in an open table: a million take 16 MiB, in a dict seven times that."""

    def __init__(self) -> None:
        self._slots = array("Q", bytes(SMALLEST * _WORD))
        self._used = 0
        self._repeats: dict[int, int] = {}

    def next(self, *parts: str) -> int:
        """Return how often these parts came before: 0 for the first time."""
        digest = blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=_WORD).digest()
        key = int.from_bytes(digest, "big") or 1  # 0 marks a free slot
        if not self._add(key):
            return 0
        self._repeats[key] = self._repeats.get(key, 0) + 1
        return self._repeats[key]

    def _add(self, key: int) -> bool:
        """Add *key* and tell whether it was there."""
        mask = len(self._slots) - 1
        at = key & mask
        while found := self._slots[at]:
            if found == key:
                return True
            at = (at + 1) & mask
        self._slots[at] = key
        self._used += 1
        if self._used * 2 > len(self._slots):
            self._grow()
        return False

    def _grow(self) -> None:
        old = self._slots
        self._slots = array("Q", bytes(len(old) * 2 * _WORD))
        mask = len(self._slots) - 1
        for key in old:
            if key:
                at = key & mask
                while self._slots[at]:
                    at = (at + 1) & mask
                self._slots[at] = key
