"""What an answer costs, and how much it may cost.

Counted is the result as a client gets it, `{content, structuredContent, isError}` as minified UTF-8 JSON, both copies.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

KIB = 1024
CAPS = {
    "measure_messages": 4 * KIB,
    "discover_messages": 16 * KIB,
    "sample_messages": 16 * KIB,
    "expand_message_context": 12 * KIB,
    "export_messages": 16 * KIB,
}
ERROR_BYTES = 2 * KIB
ACCOUNT_BYTES = 48 * KIB
GUEST_TOTAL_BYTES = 196_608
LEAST_BYTES = 1_536
"""The lowest cap that a call may ask for."""

FRAME_BYTES = 192
"""How much lower caps are applied: the SDK adds a result type, and the name and version of the server."""

BRIEF_BYTES = 200
_ROUNDS = 8
_MOST_PADDING = 32

Body = Mapping[str, object]


class Settled(NamedTuple):
    """An answer that knows its own size."""

    structured: Body
    text: str
    size_bytes: int


class Room(NamedTuple):
    """How many counted bytes an answer may have, and which limit says so: a stop reason."""

    size_bytes: int
    limit: str


@dataclass(frozen=True)
class Purse:
    """What is left when an answer is built: of its account (None: it has none) and of the investigation (None: off)."""

    query_left: int | None = None
    total_left: int | None = None

    def room(self, cap: int) -> Room:
        """Return the narrowest of *cap* (already lowered), the account and the investigation, in this order if equal."""
        rooms = [Room(cap, "response_bytes")]
        if self.query_left is not None:
            rooms.append(Room(self.query_left, "query_budget"))
        if self.total_left is not None:
            rooms.append(Room(self.total_left, "total_budget"))
        return min(rooms, key=lambda room: room.size_bytes)

    def after(self, size_bytes: int) -> dict[str, object]:
        """Return the fields that tell the size of an answer and what is left behind it."""
        told: dict[str, object] = {"response_bytes": size_bytes}
        if self.query_left is not None:
            told["query_left"] = max(self.query_left - size_bytes, 0)
        if self.total_left is not None:
            told["total_left"] = max(self.total_left - size_bytes, 0)
        return told

    def after_error(self, size_bytes: int) -> dict[str, object]:
        """Return the same for an error, which the account does not pay."""
        told = Purse(None, self.total_left).after(size_bytes)
        if self.query_left is not None:
            told["query_left"] = max(self.query_left, 0)
        return told


def cap_of(tool: str, max_bytes: int | None) -> int:
    """Return the counted bytes that an answer of *tool* may have when the call asks for at most *max_bytes*."""
    return (max_bytes or CAPS[tool]) - FRAME_BYTES


def minified(value: object) -> str:
    """Return *value* as JSON without white space and ASCII escapes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def size_of(value: object) -> int:
    """Return the bytes of *value* as it is transmitted once."""
    return len(minified(value).encode("utf-8", "backslashreplace"))


def counted(structured: Body, text: str, *, is_error: bool = False) -> int:
    """Return the counted size of a result in bytes."""
    content = [{"type": "text", "text": text}]
    result = {"content": content, "structuredContent": structured, "isError": is_error}
    return size_of(result)


def settle(with_size: Callable[[int], Body], *, brief: str = "", is_error: bool = False) -> Settled:
    """Return the answer of *with_size* whose own figure is exactly its size.

    *brief* replaces the JSON in the text. Where the digits of what is left chase those of the size, blanks behind the
    text end it.
    """
    size = 0
    for padding in range(_MOST_PADDING):
        for _ in range(_ROUNDS):
            structured = with_size(size)
            text = (brief or minified(structured)) + " " * padding
            found = counted(structured, text, is_error=is_error)
            if found == size:
                return Settled(structured, text, size)
            size = found
    raise AssertionError(size)


def brief_line(text: str) -> str:
    """Return *text* as the one line of the text block under `EVIDENCE_TEXT=brief`, with room for the blanks behind it."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return line.encode("utf-8", "replace")[: BRIEF_BYTES - _MOST_PADDING].decode("utf-8", "ignore")
