"""The stretch of a text that speaks for it: the window with most distinct terms of a query, on one line."""

from bisect import bisect_right
from collections.abc import Sequence

from frugal.search.tiers import Term, forms, units
from frugal.text.graphemes import boundary_before
from frugal.text.normalise import bare, compose

WINDOW_CHARACTERS = 160
LEAD_CHARACTERS = 32
"""How far before its first term a window may begin."""
LONGEST_SEARCHED = 200_000
"""Characters of a text that are looked at; a window further behind is not found."""
ELLIPSIS = "…"


def snippet(text: str, terms: Sequence[Term], width: int = WINDOW_CHARACTERS) -> str:
    """Return at most *width* characters of *text*, spaces collapsed, around most distinct *terms*; the earliest wins.

    Cuts are marked by ellipses and part no character. Without any term: the beginning.
    """
    line = " ".join(text[:LONGEST_SEARCHED].split())
    composed = compose(line)
    if len(composed) != len(line):
        line = composed  # decomposed letters: places in the one are not places in the other
    if len(line) <= width and len(text) <= LONGEST_SEARCHED:
        return line
    room = width - 2 * len(ELLIPSIS)
    first, last = _densest(_matches(line, terms), room)
    start = _start(line, first, last, room)
    end = len(line) if len(line) - start <= room + len(ELLIPSIS) else _end(line, start + room)
    shown = line[start:end].strip()
    return (ELLIPSIS if start else "") + shown + (ELLIPSIS if end < len(line) else "")


def _matches(line: str, terms: Sequence[Term]) -> list[tuple[int, int, int]]:
    """Return start, end and term of every match, in order; a word counts for an identifier whose part it is."""
    wanted: dict[str, set[int]] = {}
    parts: list[tuple[str, int]] = []
    for number, term in enumerate(terms):
        for part in term.parts:
            if not term.is_run:
                for form in forms(part):
                    wanted.setdefault(form, set()).add(number)
                parts.append((bare(part), number))
    found: list[tuple[int, int, int]] = []
    for start, end, word, is_run in units(compose(line)):
        if is_run:
            found += _in_run(start, word, terms)
            continue
        numbers = {number for form in forms(word) for number in wanted.get(form, ())}
        numbers |= {number for part, number in parts if len(part) > 1 and part in word}
        found += [(start, end, number) for number in sorted(numbers)]
    return found


def _in_run(start: int, run: str, terms: Sequence[Term]) -> list[tuple[int, int, int]]:
    """Return where the runs that were asked for lie in *run*: whole, else their pieces."""
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(terms):
        if not term.is_run:
            continue
        whole = term.parts[0]
        for piece in (whole,) if whole in run else term.pieces:
            place = run.find(piece)
            while place >= 0:
                found.append((start + place, start + place + len(piece), number))
                place = run.find(piece, place + len(piece))
    return sorted(found)


def _densest(matches: Sequence[tuple[int, int, int]], room: int) -> tuple[int, int]:
    """Return start of the first and end of the last match of the best window of *room* characters, (0, 0) of none."""
    best, span = 0, (0, 0)
    starts = [start for start, _, _ in matches]
    for place, (start, _, _) in enumerate(matches):
        inside = matches[place : bisect_right(starts, start + room)]
        fitting = [item for item in inside if item[1] <= start + room] or list(inside[:1])
        count = len({number for _, _, number in fitting})
        if count > best:
            best, span = count, (start, max(end for _, end, _ in fitting))
    return span


def _start(line: str, first: int, last: int, room: int) -> int:
    """Return where the window begins: a little before its first match, at a word, with room for the last match."""
    if last <= room:
        return 0
    earliest = max(first - LEAD_CHARACTERS, last - room, 0)
    space = line.find(" ", max(earliest - 1, 0), first)
    if space >= 0:
        return space + 1
    place = boundary_before(line, min(earliest, first))
    return place if place >= last - room else first


def _end(line: str, end: int) -> int:
    """Return where the window ends: behind a word if one ends in its last third, never inside a character."""
    if line[end : end + 1] in ("", " "):
        return end
    space = line.rfind(" ", end - LEAD_CHARACTERS, end)
    return space if space > 0 else boundary_before(line, end)
