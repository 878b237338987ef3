"""Markdown bodies as blocks: the stretches between blank lines, code fences kept whole.

A fence is what CommonMark takes for one. Inside a list item, or indented, it counts only if it is closed, so that a
stray mark does not swallow the rest of a file.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_GAP = re.compile(r"\n(?:[^\S\r\n]*+\n)++")
_GAP_OF_ANY_LINE_ENDS = re.compile(r"(?>\r\n?|\n)(?:[^\S\r\n]*+(?>\r\n?|\n))++")
_LINE = re.compile(r"[^\r\n]*+(?>\r\n?|\n|\Z)")
_MARK = re.compile("```|~~~")
_OPENING = re.compile(
    r"(?P<prefix>[ \t]*+(?:(?:>|[-*+][ \t]|[0-9]{1,9}[.)][ \t])[ \t]*+)*+)"
    r"(?:(?P<ticks>`{3,}+)[^`\r\n]*+(?=[\r\n]|\Z)|(?P<tildes>~{3,}+))"
)
_CLOSING = re.compile(r"(?P<prefix>[ \t>]*+)(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?=[\r\n]|\Z)")
_MOST_INDENTED = 3


Span = tuple[int, int]


class Block(NamedTuple):
    """Lines *start* to *end* of a body without blank ones outside; *fences* are the places of its fences."""

    start: int
    end: int
    fences: tuple[Span, ...] = ()


def blocks(body: str) -> Iterator[Block]:
    """Yield the blocks of *body* in order; every non-space character lies in exactly one."""
    fences = list(_fences(body)) if _MARK.search(body) else []
    start = known = 0
    for gap in (_GAP_OF_ANY_LINE_ENDS if "\r" in body else _GAP).finditer(body):
        while known < len(fences) and fences[known][1] <= gap.start():
            known += 1
        if known < len(fences) and fences[known][0] <= gap.start():
            continue
        yield from _trimmed(body, start, gap.start(), fences)
        start = gap.end()
    yield from _trimmed(body, start, len(body), fences)


def line_start(body: str, index: int, floor: int = 0) -> int:
    """Return where the line of *index* begins, at least *floor*."""
    return max(body.rfind("\n", floor, index), body.rfind("\r", floor, index), floor - 1) + 1


def _trimmed(body: str, start: int, end: int, fences: Sequence[Span]) -> Iterator[Block]:
    """Yield the block without blank lines before it and space behind it, nothing if all is blank."""
    stretch = body[start:end].rstrip()
    if not stretch:
        return
    end = start + len(stretch)
    if stretch[0].isspace():
        start = line_start(body, end - len(stretch.lstrip()), start)
    inside = fences[bisect_left(fences, (start, 0)) : bisect_left(fences, (end, 0))] if fences else ()
    yield Block(start, end, tuple(inside))


def _fences(body: str) -> Iterator[Span]:
    """Yield where fences begin and end: from the line of the opening mark to the closing mark."""
    lines = [line.span() for line in _LINE.finditer(body)]
    closings = _Closings(body, lines)
    number = 0
    while number < len(lines):
        opening = _OPENING.match(body, *lines[number])
        last = _last_line(body, lines, number, opening, closings) if opening else number - 1
        if last >= number:
            start, end = lines[number][0], lines[last][1]
            yield start, start + len(body[start:end].rstrip("\r\n"))
        number = max(last, number) + 1


def _last_line(
    body: str, lines: Sequence[Span], number: int, opening: re.Match[str], closings: "_Closings"
) -> int:
    """Return the number of the last line of the fence that *opening* begins, -1 if it begins none."""
    prefix, marks = opening["prefix"], opening["ticks"] or opening["tildes"]
    closing = closings.after(number, marks=marks, indent=len(prefix))
    if ">" in prefix:
        last = number
        while (
            last != closing
            and last + 1 < len(lines)
            and body[slice(*lines[last + 1])].lstrip().startswith(">")
        ):
            last += 1
        return last
    if closing is not None:
        return closing
    is_certain = not prefix.strip() and len(prefix) <= _MOST_INDENTED
    return len(lines) - 1 if is_certain else -1


class _Closings:
    """The lines of a body that can close a fence."""

    def __init__(self, body: str, lines: Sequence[Span]) -> None:
        self._found: dict[str, list[tuple[int, int, int]]] = {"`": [], "~": []}
        self._missing: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
        for number, line in enumerate(lines):
            if closing := _CLOSING.match(body, *line):
                marks = closing["marks"]
                self._found[marks[0]].append((number, len(marks), len(closing["prefix"])))

    def after(self, number: int, *, marks: str, indent: int) -> int | None:
        """Return the first line after *number* that closes a fence with these *marks*."""
        missing = self._missing[marks[0]]
        if any(len(marks) >= least and indent <= most for least, most in missing):
            return None
        found = self._found[marks[0]]
        for index in range(bisect_left(found, (number + 1, 0, 0)), len(found)):
            line, length, prefix = found[index]
            if length >= len(marks) and prefix <= indent + _MOST_INDENTED:
                return line
        missing.append((len(marks), indent))
        return None
