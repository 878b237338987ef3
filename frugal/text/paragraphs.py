"""Markdown bodies as blocks: stretches between blank lines, code fences kept whole.

A fence is what CommonMark takes for one, also inside list items and quotes; there, and where it is indented, only if
it is closed, so that a stray mark does not swallow the rest of the file.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_GAP = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*+(?:\r\n?|\n))+[^\S\r\n]*+\Z|(?:\r\n?|\n)(?:[^\S\r\n]*+(?:\r\n?|\n))+")
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_MARK = re.compile(r"```|~~~")
_OPENING = re.compile(
    r"(?P<prefix>[ \t]*+(?:(?:>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])[ \t]*+)*+)(?:(?P<ticks>`{3,}+)[^`\r\n]*+|(?P<tildes>~{3,}+).*+)(?:[\r\n]|\Z)"
)
_CLOSING = re.compile(r"[ \t>]*+(?P<marks>`{3,}+|~{3,}+)\s*+\Z")
_MOST_INDENTED = 3


class Block(NamedTuple):
    """Lines *start* to *end* of a body, no blank one at either side; *fences* are the places of fences in it."""

    start: int
    end: int
    fences: tuple[tuple[int, int], ...] = ()


def blocks(body: str) -> Iterator[Block]:
    """Yield the blocks of *body* in order; every non-space character lies in exactly one."""
    if _MARK.search(body):
        yield from _fenced(body)
    else:
        yield from _plain(body, 0, len(body))


def _plain(body: str, start: int, end: int) -> Iterator[Block]:
    """Yield the blocks of a stretch without fences."""
    for gap in _GAP.finditer(body, start, end):
        yield from _trimmed(body, start, gap.start())
        start = gap.end()
    yield from _trimmed(body, start, end)


def _trimmed(body: str, start: int, end: int, fences: tuple[tuple[int, int], ...] = ()) -> Iterator[Block]:
    """Yield the block without blank lines before it and space behind it, nothing if it is blank."""
    stretch = body[start:end].rstrip()
    if stretch:
        first = len(stretch) - len(stretch.lstrip())
        line_start = max(stretch.rfind("\n", 0, first), stretch.rfind("\r", 0, first)) + 1
        yield Block(start + line_start, start + len(stretch), fences)
