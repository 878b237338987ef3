"""What of a long text is transmitted: windows around the matches, cut where a reader sees no character torn apart."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from frugal.api import is_boundary

JOINT = " … "
MOST_WINDOWS = 3
MOST_HITS = 8
NAME_CHARACTERS = 80
HITS_LOOKED_AT = 512
"""Of a text with more matches the first ones; the rest of it is told by `clipped`."""

_WORD_EDGE_REACH = 24
# Control characters but tab and line ends, bidi embeddings, overrides and isolates, the tag block.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_REPLACEMENT = "\ufffd"


class Hit(NamedTuple):
    """One match: code points *start* to *end* of a text, and the number of its clause."""

    start: int
    end: int
    clause: int


@dataclass(frozen=True)
class Cut:
    """What is transmitted of a text: *hits* are offsets into *text*; *is_cleaned* says that unsafe characters went."""

    text: str
    hits: tuple[Hit, ...] = ()
    is_clipped: bool = False
    is_cleaned: bool = False

    @property
    def extras(self) -> dict[str, object]:
        """The fields that tell of it, where there is something to tell."""
        told = {"clipped": self.is_clipped, "cleaned": self.is_cleaned}
        return {name: value for name, value in told.items() if value}


@dataclass
class _Window:
    start: int
    end: int


def cleaned(text: str) -> str:
    """Return *text* with what could steer a terminal or reorder a line as U+FFFD, one for one."""
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub(_REPLACEMENT, text)


def name_for_client(name: str) -> str:
    """Return the name of a sender or a conversation as it is transmitted: one line of at most 80 characters."""
    return head(" ".join(cleaned(name).split()), NAME_CHARACTERS)


def head(text: str, limit: int) -> str:
    """Return the start of *text*, at most *limit* characters."""
    return text if len(text) <= limit else text[: _boundary_before(text, limit)]


def cut(text: str, hits: Iterable[Hit], limit: int) -> Cut:
    """Return at most *limit* characters of *text*: whole, or up to three windows with the most distinct clauses."""
    safe = cleaned(text)
    is_cleaned = safe != text
    found = sorted(hits)[:HITS_LOOKED_AT]
    if len(safe) <= limit:
        return Cut(safe, _told(found), is_cleaned=is_cleaned)
    windows = _edged(safe, _padded(safe, _cores(safe, found, limit), limit))
    pieces: list[str] = []
    kept: list[Hit] = []
    length = 0
    for window in windows:
        kept += [
            Hit(hit.start - window.start + length, hit.end - window.start + length, hit.clause)
            for hit in found
            if window.start <= hit.start and hit.end <= window.end
        ]
        pieces.append(safe[window.start : window.end])
        length += window.end - window.start + len(JOINT)
    return Cut(JOINT.join(pieces), _told(kept), is_clipped=True, is_cleaned=is_cleaned)


def _told(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits that are transmitted: the first of every clause, then the first of all, in order."""
    seen: dict[int, Hit] = {}
    for hit in hits:
        seen.setdefault(hit.clause, hit)
    firsts = list(seen.values())[:MOST_HITS]
    rest = [hit for hit in hits if hit not in firsts][: MOST_HITS - len(firsts)]
    return tuple(sorted([*firsts, *rest]))


def _cores(text: str, hits: Sequence[Hit], limit: int) -> list[_Window]:
    """Return the stretches that must be shown: hits of as many distinct clauses as fit, then further hits."""
    cores: list[_Window] = []
    for hit in _by_importance(hits, limit):
        start, end = hit.start, hit.end
        while not is_boundary(text, start):
            start -= 1
        while not is_boundary(text, end) and end - start <= limit:
            end += 1
        if end - start <= limit:
            _take(cores, _Window(start, end), limit)
    first = hits[0].start if hits else 0  # a match longer than the room: at least where it begins
    while not is_boundary(text, first):
        first -= 1
    return cores or [_Window(first, first)]


def _by_importance(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return *hits*: the tightest company of distinct clauses, the first hit of each other clause, then the rest."""
    company = _best_company(hits, limit)
    seen = {hit.clause for hit in company}
    firsts: list[Hit] = []
    for hit in hits:
        if hit.clause not in seen:
            seen.add(hit.clause)
            firsts.append(hit)
    chosen = {*company, *firsts}
    rest = [hit for hit in hits if hit not in chosen]
    return [*company, *firsts, *rest[: MOST_HITS * 4]]


def _best_company(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """Return one hit a clause from the first stretch of *limit* characters that has the most distinct clauses."""
    best: list[Hit] = []
    first = 0
    for last, hit in enumerate(hits):
        while hits[first].start < hit.end - limit and first < last:
            first += 1
        nearest = {item.clause: item for item in hits[first : last + 1]}
        if len(nearest) > len(best):
            best = sorted(nearest.values())
    return best


def _take(cores: list[_Window], hit: _Window, limit: int) -> None:
    """Add *hit* to *cores* where it costs least, if everything still fits."""
    if any(core.start <= hit.start and hit.end <= core.end for core in cores):
        return
    options: list[list[_Window]] = []
    for index, core in enumerate(cores):
        wider = _Window(min(core.start, hit.start), max(core.end, hit.end))
        options.append(_merged([*cores[:index], wider, *cores[index + 1 :]]))
    options.append(_merged([*cores, hit]))
    fitting = [item for item in options if len(item) <= MOST_WINDOWS and _length(item) <= limit]
    if fitting:
        cores[:] = min(fitting, key=_length)


def _merged(windows: Sequence[_Window]) -> list[_Window]:
    """Return *windows* in order, those joined that a joint would not make shorter."""
    merged: list[_Window] = []
    for window in sorted(windows, key=lambda item: item.start):
        if merged and window.start - merged[-1].end <= len(JOINT):
            merged[-1] = _Window(merged[-1].start, max(merged[-1].end, window.end))
        else:
            merged.append(_Window(window.start, window.end))
    return merged


def _length(windows: Iterable[_Window]) -> int:
    return sum(window.end - window.start + len(JOINT) for window in windows) - len(JOINT)


def _padded(text: str, cores: list[_Window], limit: int) -> list[tuple[_Window, _Window]]:
    """Return each core with the stretch around it: the room that is left is shared among them."""
    wide = [_Window(core.start, core.end) for core in cores]
    for _ in range(MOST_WINDOWS + 1):
        room = limit - _length(wide)
        if room <= 0:
            break
        share = max(room // (2 * len(wide)), 1)
        for index, window in enumerate(wide):
            floor = wide[index - 1].end if index else 0
            ceiling = wide[index + 1].start if index + 1 < len(wide) else len(text)
            left = min(share, window.start - floor, max(limit - _length(wide), 0))
            window.start -= left
            window.end += min(share, ceiling - window.end, max(limit - _length(wide), 0))
        wide = _merged(wide)
    return [
        (window, _Window(min(inside, key=lambda c: c.start).start, max(core.end for core in inside)))
        for window in wide
        if (inside := [core for core in cores if window.start <= core.start and core.end <= window.end])
    ]


def _edged(text: str, windows: Sequence[tuple[_Window, _Window]]) -> list[_Window]:
    """Return the windows with their edges moved inwards to words, else to characters, never into the core."""
    edged: list[_Window] = []
    for window, core in windows:
        start = window.start if window.start == 0 else _start(text, window.start, core.start)
        end = window.end if window.end >= len(text) else _end(text, window.end, max(core.end, start))
        edged.append(_Window(start, end))
    return edged


def _start(text: str, index: int, most: int) -> int:
    """Return where a window may begin: behind a blank within reach, else at the next boundary, at *most* there."""
    for place in range(index, min(most, index + _WORD_EDGE_REACH) + 1):
        if text[place - 1].isspace() and not text[place].isspace() and is_boundary(text, place):
            return place
    place = index
    while place < most and not is_boundary(text, place):
        place += 1
    return place


def _end(text: str, index: int, least: int) -> int:
    """Return where a window may end: before a blank within reach, else at the last boundary, not before *least*."""
    for place in range(index, max(least, index - _WORD_EDGE_REACH), -1):
        if text[place].isspace() and not text[place - 1].isspace() and is_boundary(text, place):
            return place
    place = index
    while place > least and not is_boundary(text, place):
        place -= 1
    return place


def _boundary_before(text: str, index: int) -> int:
    while index > 0 and not is_boundary(text, index):
        index -= 1
    return index
