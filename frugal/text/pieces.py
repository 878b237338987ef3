"""Notes cut into pieces that are worth an entry each (operations.md section 3).

Pieces are verbatim slices of the body: every non-space character lies in exactly one, in order.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from frugal.text.blocks import Block, Span, blocks, line_start
from frugal.text.cuts import SHORTEST, stretches

INDEX_TAG = "index"

_CLOSING_BRACKETS = frozenset(")]}）］｝〕〉》」』】〗")
_CLOSING_MARKS = "*_`\"'”’»" + "".join(_CLOSING_BRACKETS)
_FINAL_PUNCTUATION = frozenset(".!?:;…。！？：；｡؟؛۔।")


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
    """Return the pieces of *body*, which is a note without its front matter."""
    return _chained(body, _paragraphs(_joined(blocks(body)), body))
