"""Pages of lines: at most so many, at most so many bytes; together they show every line once."""

from collections.abc import Sequence
from dataclasses import dataclass

from frugal.api import LINE_END, Cap, Room, cost, total

ANSWER_BYTES = 16 * 1024
ANSWER_CAP = Cap(ANSWER_BYTES, ANSWER_BYTES)
LINES = 40


@dataclass(frozen=True)
class Page:
    """The lines *start* to *end* (exclusive) of a longer list."""

    start: int
    end: int

    @property
    def is_empty(self) -> bool:
        """Whether the list ends before this page."""
        return self.start >= self.end


def page_of(lines: Sequence[str], number: int, *, frame: Sequence[str]) -> Page:
    """Return page *number* of *lines*; *frame* is what surrounds a page, as long as it can get.

    *lines* need to reach to the end of that page only. A line that alone is too long has a page of its own.
    """
    room = Room(ANSWER_CAP).less(total(frame)).less(LINE_END)
    start = 0
    for page in range(1, number + 1):
        end = fill(lines, start, room, LINES)
        if page == number:
            return Page(start, end)
        start = end
    raise AssertionError  # pages count from 1


def fill(lines: Sequence[str], start: int, room: Room, most: int) -> int:
    """Return where a page ends that begins at *start*."""
    end = start
    left = room
    while end < len(lines) and end - start < most:
        after = left.less(cost(lines[end])).less(LINE_END)
        if (after.size_bytes < 0 or after.characters < 0) and end > start:
            break
        left = after
        end += 1
    return end
