"""Notes cut into pieces that are worth an entry each.

Pieces are verbatim slices of the body: every non-space character lies in exactly one, in order.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from frugal.text.blocks import Block, Span, blocks
from frugal.text.cuts import LONGEST, SHORTEST, stretches

INDEX_TAG = "index"

_CLOSING_BRACKETS = frozenset(")]}）］｝〕〉》」』】〗")
_FINAL_PUNCTUATION = frozenset(".!?:;…。！？：；｡؟؛۔।")
_BEHIND_PUNCTUATION = "*_`\"'”’»“‘«›‹ \t\r\n" + "".join(_CLOSING_BRACKETS)
_TAIL = 32

_LIST_LINE = re.compile(r"(?:(?<=[\r\n])|\A)[ \t]*+(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?=\S)")
_LINK = re.compile(
    r"\[[^\]\n]{0,400}\]\([ \t]*(?:<(?P<angled>[^>\n]{0,400})>|(?P<target>[^)\n]{0,400}))|\[\[(?P<wiki>[^\]|#\n]{1,400})"
)
_LINK_TITLE = re.compile(r"""[ \t]+["'(].*\Z""")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SUFFIX = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)
_NO_TAG_CHARACTERS = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """`body[start:end]`; pieces of one memo have the same *chain*, counted from 1, others None.

    *tag* is set for the pieces of an index file.
    """

    text: str
    start: int
    end: int
    chain: int | None = None
    tag: str = ""


def split(body: str) -> tuple[Piece, ...]:
    """Return the pieces of *body*, a note without its front matter."""
    spans: list[Span] = []
    links: list[bool] = []
    for block in _joined(blocks(body)):
        links.append(bool(spans) and _goes_on(body, spans[-1], block.start))
        _append_cut(body, block, spans, links)
    return tuple(
        Piece(body[start:end], start, end, chain)
        for (start, end), chain in zip(spans, _chains(links), strict=True)
    )


def index_pieces(text: str) -> tuple[Piece, ...]:
    """Return one piece for each list line of *text*, a MEMORY.md, with its continuation lines.

    Its tag is the linked file's, without a link to a file INDEX_TAG. Other text is joined to the list line behind it
    if it is short, else it is a piece of its own; only an over-long one makes a chain.
    """
    spans: list[Span] = []
    links: list[bool] = []
    tags: list[str] = []
    for block, tag in _index_blocks(text):
        links.append(False)
        _append_cut(text, block, spans, links)
        tags += [tag] * (len(spans) - len(tags))
    return tuple(
        Piece(text[start:end], start, end, chain, tag)
        for (start, end), chain, tag in zip(spans, _chains(links), tags, strict=True)
    )


def tag_of_file(name: str) -> str:
    """Return the tag that entries of the note *name* (a path with `/`) get: its stem, blanks as hyphens."""
    return _NO_TAG_CHARACTERS.sub("-", _SUFFIX.sub("", name.rpartition("/")[2]).strip())


def _append_cut(body: str, block: Block, spans: list[Span], links: list[bool]) -> None:
    """Add *block* to *spans*, cut if it is too long; the caller has added the link of its first piece."""
    if block.end - block.start <= LONGEST:
        spans.append((block.start, block.end))
        return
    before = len(spans)
    spans.extend(stretches(body, block))
    links.extend([True] * (len(spans) - before - 1))


def _joined(found: Iterable[Block]) -> list[Block]:
    """Join what is too short for an entry to the next block, the last one to the one before."""
    joined: list[Block] = []
    short: Block | None = None
    for block in found:
        whole = block if short is None else _union(short, block)
        short = whole if whole.end - whole.start < SHORTEST else None
        if short is None:
            joined.append(whole)
    if short is not None:
        joined.append(_union(joined.pop(), short) if joined else short)
    return joined


def _union(first: Block, second: Block) -> Block:
    return Block(first.start, second.end, first.fences + second.fences)


def goes_on(before: str, after: str) -> bool:
    """Tell whether two entries look like neighbours of one note: the sentence of *before* goes on in *after*."""
    return bool(after) and _goes_on(before + after, (0, len(before)), len(before))


def _goes_on(body: str, before: Span, start: int) -> bool:
    """Tell whether the sentence of the piece *before* goes on at *start*."""
    first = body[start]
    if first.isspace():
        first = body[start : start + LONGEST].lstrip()[:1]
    if not (first.islower() or first in _CLOSING_BRACKETS):
        return False
    tail = body[max(before[0], before[1] - _TAIL) : before[1]].rstrip(_BEHIND_PUNCTUATION)
    return tail[-1:] not in _FINAL_PUNCTUATION


def _chains(links: list[bool]) -> Iterator[int | None]:
    """Yield the chain of each piece from whether it is linked to the one before."""
    chain = 0
    for is_linked, is_next_linked in zip(links, [*links, False][1:], strict=True):
        if is_next_linked and not is_linked:
            chain += 1
        yield chain if is_linked or is_next_linked else None


# The index file


def _index_blocks(text: str) -> Iterator[tuple[Block, str]]:
    """Yield list lines and other text, each with its tag."""
    short: Block | None = None
    last: tuple[Block, str] | None = None
    for block, is_item in _index_lines(text):
        whole = block if short is None else _union(short, block)
        short = None
        if not is_item and whole.end - whole.start < SHORTEST:
            short = whole
            continue
        if last is not None:
            yield last
        last = whole, _link_tag(text[block.start : block.end]) if is_item else INDEX_TAG
    if short is not None:
        last = (short, INDEX_TAG) if last is None else (_union(last[0], short), last[1])
    if last is not None:
        yield last


def _index_lines(text: str) -> Iterator[tuple[Block, bool]]:
    """Yield each list line with its continuation lines, and what stands between, told apart by the second value."""
    for block in blocks(text):
        items = {
            line.start()
            for line in _LIST_LINE.finditer(text, block.start, block.end)
            if not any(first < line.start() < last for first, last in block.fences)
        }
        for start, end in pairwise(sorted({block.start, *items, block.end})):
            fences = tuple(fence for fence in block.fences if start <= fence[0] < end)
            yield Block(start, start + len(text[start:end].rstrip()), fences), start in items


def _link_tag(item: str) -> str:
    from urllib.parse import unquote

    link = _LINK.search(item)
    if link is None:
        return INDEX_TAG
    target = link["wiki"] or link["angled"] or _LINK_TITLE.sub("", link["target"] or "")
    if _SCHEME.match(target):
        return INDEX_TAG
    return tag_of_file(unquote(target.partition("#")[0])) or INDEX_TAG
