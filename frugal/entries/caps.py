"""What each answer of the entry tools may cost, in characters and in bytes on the wire."""

from frugal.model import Cap

HEADER = Cap(320, 640)
"""The first line of a recall or a topics answer, without the frame of the result."""

ECHO_CHARACTERS = 60
EMPTY_CHARACTERS = 1_200

PAGE = Cap(6_000, 12 * 1024)
"""Entry text, search words included, in one answer of show or of recall with `full`."""
WHOLE = Cap(16 * 1024, 16 * 1024)
"""The answer around that text."""
COMPLETE = Cap(640 * 1024, 640 * 1024)
"""show with `full`, topics with `all`."""

REMEMBER = Cap(2_400, 6 * 1024)
TOPICS = Cap(12_000, 16 * 1024)
CHANGE = Cap(2_000, 4 * 1024)
"""forget and classify."""
CONSOLIDATE = Cap(8_000, 16 * 1024)
CHECK = Cap(4_000, 8 * 1024)
SHELL = Cap(1 << 26, 1 << 28)
"""Commands that no client of the protocol is offered: nobody pays by the token."""


def preview(limit: int) -> Cap:
    """Return the cap of a recall preview of *limit* hits: 440 + 137 characters a hit, twice as many bytes."""
    characters = 440 + 137 * limit
    return Cap(characters, 2 * characters)


def empty(limit: int) -> Cap:
    """Return the cap of a recall without hits: that of the preview asked for, and 1,200 characters."""
    cap = preview(limit)
    return Cap(min(EMPTY_CHARACTERS, cap.characters), cap.size_bytes)
