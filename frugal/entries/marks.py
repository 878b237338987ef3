"""The state of every entry in one byte each, so that filters and counts need not read their rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from frugal.store import Connection

BLOCK = 4_000
"""Entries a block; the schema says the same."""
SPREAD = 8
"""A file whose ids need so many times the blocks that it has is asked row by row instead."""

BLOCKS = "SELECT block, marks FROM entry_mark ORDER BY block"
KINDS = "SELECT kind, mark FROM kind_mark"


@dataclass(frozen=True)
class States:
    """The byte of every entry, that of id 1 first, and the number of each stored kind.

    *is_part*: some entries have the byte 0 as if they were not there.
    """

    marks: bytes
    kinds: Mapping[str, int]
    is_part: bool = False

    @cached_property
    def present(self) -> bytes:
        """The bytes that entries have."""
        codes = (2 * number + live for number in sorted(self.kinds.values()) for live in (0, 1))
        there = bytes(code for code in codes if code in self.marks)
        return b"\0" + there if self.is_part else there

    def bytes_of(self, kinds: Iterable[str], *, with_superseded: bool) -> bytes:
        """Return the bytes that live entries of the stored *kinds* have, and superseded ones if asked for."""
        numbers = sorted(self.kinds[kind] for kind in kinds if kind in self.kinds)
        states = (0, 1) if with_superseded else (1,)
        return bytes(2 * number + live for number in numbers for live in states)

    def only(self, ids: Iterable[int]) -> "States":
        """Return the states of the entries *ids* alone."""
        mask = bytearray(len(self.marks))
        for number in ids:
            mask[number - 1] = 0xFF
        both = int.from_bytes(mask, "big") & int.from_bytes(self.marks, "big")
        return States(both.to_bytes(len(mask), "big"), self.kinds, is_part=True)


def read_states(db: Connection) -> States | None:
    """Return the states of all entries, None for a file without entries or with ids that lie far apart."""
    blocks = db.execute(BLOCKS).fetchall()
    if not blocks or blocks[-1][0] >= SPREAD * len(blocks):
        return None
    marks = bytearray(BLOCK * (blocks[-1][0] + 1))
    for block, part in blocks:
        marks[block * BLOCK : (block + 1) * BLOCK] = part
    return States(bytes(marks), dict(db.execute(KINDS).fetchall()))
