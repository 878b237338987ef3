"""Numbers in running text that refer to an entry: `see #123`, but not an issue's number, a colour or code.

Markdown is read as CommonMark has it, as far as code and links go: what stands inside them is left alone.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from frugal.ids import LARGEST_ID
from frugal.text.blocks import Block, Span, blocks


class Reference(NamedTuple):
    """`#123` at *start* to *end* of a text."""

    start: int
    end: int
    number: int


_MARKED = re.compile(r"#[0-9]")
_CANDIDATE = re.compile(r"(?<![\w#&/\\])#([1-9][0-9]{0,18})(?![\w#]|\.[0-9])")
_TRACKER = re.compile(
    r"(?<!\w)(?:issues?|prs?|pull[ -]requests?|bugs?|tickets?|mrs?|fehlern?|vorg(?:a|ä|ae)nge?n?s?)[\s:(*_]{0,3}\Z",
    re.IGNORECASE,
)
_TRACKER_CHARACTERS = 20


def references(text: str) -> list[Reference]:
    """Return the numbers of *text* that may be ids, in order.

    Left out: a number after a word character, `#`, `&` or `/`; after issue, PR, bug, ticket and the like; inside code
    spans, code blocks and links.
    """
    if not _MARKED.search(text):
        return []
    found = [
        Reference(*match.span(), int(match[1]))
        for match in _CANDIDATE.finditer(text)
        if int(match[1]) <= LARGEST_ID
        and not _TRACKER.search(text, max(match.start() - _TRACKER_CHARACTERS, 0), match.start())
    ]
    if not found:
        return []
    is_kept = _outside(list(_protected(text)))
    return [item for item in found if is_kept(item.start)]


def _outside(spans: list[Span]) -> Callable[[int], bool]:
    """Return a test whether a place lies outside all *spans*."""
    spans.sort()
    starts = [start for start, _ in spans]
    reach: list[int] = []
    for _, end in spans:
        reach.append(max(end, reach[-1]) if reach else end)

    def is_outside(place: int) -> bool:
        before = bisect_left(starts, place + 1)
        return not before or reach[before - 1] <= place

    return is_outside


# Blocks


_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")
_NEW_LEAF = re.compile(r"^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]|#{1,6}[ \t]|\|)", re.MULTILINE)
_LINE = re.compile(r"[^\n]*\n?")
_TAB = 4


def _protected(text: str) -> Iterator[Span]:
    """Yield the stretches in which a number means no entry."""
    defined = frozenset(match[1].casefold() for match in _DEFINITION.finditer(text))
    content_column = 0
    for block in blocks(text):
        first = _LINE.match(text, block.start, block.end)
        line = first[0] if first else ""
        indent = _column_of(line)
        item = _LIST_ITEM.match(line)
        if not content_column and indent >= _TAB and not item:
            yield block.start, block.end
            continue
        if content_column and indent >= content_column + _TAB:
            yield block.start, block.end
            continue
        if not item and indent < content_column:
            content_column = 0
        content_column = _content_column(text[block.start : block.end]) or content_column
        yield from block.fences
        for start, end in _leaves(text, block):
            yield from _inline(text[start:end], start, defined)


def _column_of(line: str) -> int:
    """Return at which column the text of *line* begins."""
    return len(line.expandtabs(_TAB)) - len(line.expandtabs(_TAB).lstrip(" "))


def _content_column(block: str) -> int:
    """Return at which column the text of the last list item of *block* begins, 0 without one."""
    column = 0
    for line in block.splitlines():
        if item := _LIST_ITEM.match(line):
            column = len(item[0].expandtabs(_TAB))
    return column


def _leaves(text: str, block: Block) -> Iterator[Span]:
    """Yield the stretches of a block that are read by themselves: list items, headings, rows, between the fences."""
    at = block.start
    for start, end in (*block.fences, (block.end, block.end)):
        edges = [at, *(match.start() for match in _NEW_LEAF.finditer(text, at + 1, start)), start]
        yield from ((one, other) for one, other in pairwise(edges) if one < other)
        at = end


# Inside a paragraph


_TICKS = re.compile(r"`+")
_BRACKETED = r"(?:[^\[\]\\]|\\.|\[[^\[\]]{0,1000}\]){0,2000}"
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]]{1,200})\]:[ \t]*\S[^\n]*", re.MULTILINE)
_LINKS = (
    re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s]{0,2000}>"),
    re.compile(
        r"(?:(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://|(?<![A-Za-z0-9])www\.|mailto:)[^\s<>]{1,2000}"
    ),
    re.compile(
        rf"\[{_BRACKETED}\](?:\((?:[^()\\]|\\.|\([^()]{{0,1000}}\)){{0,2000}}\)|\[[^\[\]]{{1,200}}\])",
        re.DOTALL,
    ),
    re.compile(r"\[\[[^\[\]]{1,1000}\]\]"),
    re.compile(r"<a\s[^<>]{0,2000}>.{0,2000}?</a\s*>", re.IGNORECASE | re.DOTALL),
    re.compile(
        r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:\s+[\w:.-]{1,100}\s*=\s*(?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^\s\"'=<>`]{1,2000}))+\s*/?>"
    ),
    _DEFINITION,
)
_SHORTCUT = re.compile(r"\[([^\[\]]{1,200})\](?:\[\])?")


def _inline(text: str, offset: int, defined: frozenset[str]) -> Iterator[Span]:
    """Yield the code spans and links of one paragraph that begins at *offset*."""
    codes = list(_code_spans(text))
    for start, end in codes:
        yield offset + start, offset + end
    plain = _blanked(text, codes)
    for pattern in _LINKS:
        for match in pattern.finditer(plain):
            yield offset + match.start(), offset + match.end()
    if defined:
        for match in _SHORTCUT.finditer(plain):
            if match[1].casefold() in defined:
                yield offset + match.start(), offset + match.end()


def _code_spans(text: str) -> Iterator[Span]:
    """Yield the code spans: from a run of backticks to the next run of the same length."""
    runs = [match.span() for match in _TICKS.finditer(text)]
    places: dict[int, list[int]] = {}
    for start, end in runs:
        places.setdefault(end - start, []).append(start)
    at = 0
    for start, end in runs:
        if start < at:
            continue
        is_escaped = (
            (start - len(text[:start].rstrip("\\"))) % 2 == 1 if text[start - 1 : start] == "\\" else False
        )
        begin = start + 1 if is_escaped else start
        length = end - begin
        later = places.get(length, ())
        index = bisect_left(later, end)
        if length and index < len(later):
            at = later[index] + length
            yield begin, at


def _blanked(text: str, spans: Sequence[Span]) -> str:
    """Return *text* with letters that mean nothing in the place of each span."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += [text[at:start], "x" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])
