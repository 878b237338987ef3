"""What an answer costs on the wire, and how much of it fits.

Costs are counted twice, in characters (code points) and in bytes of the result as minified UTF-8 JSON, where a
newline or a quote takes two bytes and a control character six. Both counts add up over concatenation.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple, Self

from frugal.model import Cap

FRAME_BYTES = 192
"""Bytes of a result around its text: content list, type, error mark, result type, name and version of the server."""


class Cost(NamedTuple):
    """Characters and bytes of a piece of text."""

    characters: int = 0
    size_bytes: int = 0

    def plus(self, other: "Cost") -> "Cost":
        """Return the cost of both together."""
        return Cost(self.characters + other.characters, self.size_bytes + other.size_bytes)


def cost(text: str) -> Cost:
    """Return what *text* costs inside a JSON string; a lone surrogate counts as its six-byte escape."""
    size = len(json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace")) - 2
    return Cost(len(text), size)


LINE_END = Cost(1, 2)


class Room:
    """The room of one answer: lines are taken while they fit."""

    def __init__(self, cap: Cap, *, frame_bytes: int = FRAME_BYTES) -> None:
        self.characters = cap.characters
        self.size_bytes = cap.size_bytes - frame_bytes

    def fits(self, spent: Cost) -> bool:
        """Tell whether *spent* stays inside."""
        return spent.characters <= self.characters and spent.size_bytes <= self.size_bytes

    def less(self, spent: Cost) -> Self:
        """Return the room that is left after *spent*."""
        left = type(self)(Cap(self.characters, self.size_bytes), frame_bytes=0)
        left.characters -= spent.characters
        left.size_bytes -= spent.size_bytes
        return left


def total(texts: Iterable[str]) -> Cost:
    """Return the cost of *texts* joined by line ends."""
    spent = Cost()
    for index, text in enumerate(texts):
        spent = spent.plus(cost(text))
        if index:
            spent = spent.plus(LINE_END)
    return spent


def cut(text: str, room: Room) -> str:
    """Return the longest start of *text* that fits, by code points."""
    if room.fits(cost(text)):
        return text
    low, high = 0, min(len(text), max(room.characters, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if room.fits(cost(text[:middle])):
            low = middle
        else:
            high = middle - 1
    return text[:low]
