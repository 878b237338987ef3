"""The explicit query language: "phrase", prefix*, AND, OR, NOT, brackets. Parsing only; `matching.py` evaluates it.

NOT binds before AND before OR, neighbours mean AND. A query is explicit if it holds a closed phrase, a prefix, or an
operator in upper case beside a term; one that then does not parse is read as plain words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

LEAST_PREFIX = 2
_DEEPEST = 50
"""Brackets nested deeper than this are no query a person wrote; such a query is read as plain words."""


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word: matches by stem."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words as written, consecutive; case and accents do not count."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """The beginning of a word as written."""

    text: str


@dataclass(frozen=True, slots=True)
class All:
    """Every part matches, and none of *without*."""

    parts: "tuple[Node, ...]"
    without: "tuple[Node, ...]" = ()


@dataclass(frozen=True, slots=True)
class Any:
    """At least one part matches."""

    parts: "tuple[Node, ...]"


Node = Word | Phrase | Prefix | All | Any


class Parsed(NamedTuple):
    """*node* is None for a plain query; *is_malformed*: it has operators that do not make sense."""

    node: Node | None
    is_malformed: bool = False


class _Sign(Enum):
    AND = "AND"
    OR = "OR"
    NOT = "NOT"
    OPEN = "("
    CLOSE = ")"


_Item = Word | Phrase | Prefix | _Sign
_PIECES = re.compile(r'(?<!\S)(\(*)"([^"]*)"(\)*)(?!\S)|(\S+)')


def parse_explicit(query: str) -> Parsed:
    """Return the tree of an explicit query; see `Parsed`."""
    items = list(_items(query))
    if not _is_explicit(items):
        return Parsed(None)
    try:
        parser = _Parser(items)
        node = parser.alternatives(0)
        if parser.rest:
            raise _MalformedError
    except _MalformedError:
        return Parsed(None, is_malformed=True)
    return Parsed(node)


def leaves(node: Node) -> Iterator[Word | Phrase | Prefix]:
    """Yield the words, phrases and prefixes that a match may have, those under NOT left out."""
    if isinstance(node, Word | Phrase | Prefix):
        yield node
    else:
        for part in node.parts:
            yield from leaves(part)


def _items(query: str) -> Iterator[_Item]:
    for match in _PIECES.finditer(query):
        if match[4] is None:
            yield from _signs(match[1])
            if _has_word(match[2]):
                yield Phrase(match[2])
            yield from _signs(match[3])
        else:
            yield from _word_items(match[4])


def _word_items(chunk: str) -> Iterator[_Item]:
    """Brackets around a word group, brackets that belong to it (`main()`, `NEAR(`) do not."""
    stripped = chunk.lstrip("(")
    yield from _signs(chunk[: len(chunk) - len(stripped)])
    bare = stripped.rstrip(")")
    own = max(bare.count("(") - bare.count(")"), 0)
    word = stripped[: len(bare) + own]
    if word:
        yield from _bare(word)
    yield from _signs(stripped[len(word) :])


def _signs(brackets: str) -> Iterator[_Sign]:
    for bracket in brackets:
        yield _Sign(bracket)


def _bare(word: str) -> Iterator[_Item]:
    if word in ("AND", "OR", "NOT"):
        yield _Sign(word)
    elif word.endswith("*") and len(word.rstrip("*")) >= LEAST_PREFIX and _has_word(word):
        yield Prefix(word.rstrip("*"))
    elif _has_word(word):
        yield Word(word)


def _has_word(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _is_explicit(items: list[_Item]) -> bool:
    terms = [not isinstance(item, _Sign) for item in items]
    if any(isinstance(item, Phrase | Prefix) for item in items):
        return True
    for place, item in enumerate(items):
        if item in (_Sign.AND, _Sign.OR) and any(terms[:place]):
            return True
        if item is _Sign.NOT and any(terms):
            return True
    return False


class _MalformedError(Exception):
    """The query has operators or brackets that do not make sense."""


class _Parser:
    """Recursive descent over the items of one query."""

    def __init__(self, items: list[_Item]) -> None:
        self.rest = list(reversed(items))

    def alternatives(self, depth: int) -> Node:
        """Parse terms joined by OR."""
        if depth > _DEEPEST:
            raise _MalformedError
        parts = [self._together(depth)]
        while self._take(_Sign.OR):
            parts.append(self._together(depth))
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def _together(self, depth: int) -> Node:
        """Parse neighbours and terms joined by AND; a NOT needs something before it to be taken from."""
        parts = [self._single(depth)]
        without: list[Node] = []
        while self.rest and self.rest[-1] not in (_Sign.OR, _Sign.CLOSE):
            self._take(_Sign.AND)
            (without if self._take(_Sign.NOT) else parts).append(self._single(depth))
        return parts[0] if len(parts) == 1 and not without else All(tuple(parts), tuple(without))

    def _single(self, depth: int) -> Node:
        if not self.rest:
            raise _MalformedError
        item = self.rest.pop()
        if item is _Sign.OPEN:
            node = self.alternatives(depth + 1)
            if not self._take(_Sign.CLOSE):
                raise _MalformedError
            return node
        if isinstance(item, _Sign):
            raise _MalformedError
        return item

    def _take(self, sign: _Sign) -> bool:
        if self.rest and self.rest[-1] is sign:
            self.rest.pop()
            return True
        return False
