"""How strictly a text answers a query: labels for hits that any word may find. They describe, and never order.

    all         every term stands there as a word (of the same stem) or as one run
    all-prefix  every term as a word, or from two characters on as a part of one: sqlite in sqlite3
    any         at least one term as a word, or two-character pieces of a run
    any-prefix  only parts of words, or spellings that are near

A term is a word, an identifier (`/etc/nginx`: its parts in a row), or a run of a script written without spaces. Words
are taken as they are read, not as the index cuts them: `getUserById` is one word, and `userById` a part of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from frugal.search.explicit import Node, Phrase, Prefix, Word, leaves, parse_explicit
from frugal.text.normalise import bare, compose, spelled_out
from frugal.text.stem import stem
from frugal.text.stopwords import STOP_WORDS
from frugal.text.tokenise import classes_of

ALL = "all"
ALL_PREFIX = "all-prefix"
ANY = "any"
ANY_PREFIX = "any-prefix"
TIERS = (ALL, ALL_PREFIX, ANY, ANY_PREFIX)
"""From the strictest to the most relaxed."""
RELAXED = frozenset({ANY, ANY_PREFIX})

LEAST_PART = 2
"""Characters from which a term counts as a part of a word."""
LONGEST_WORD = 64
TERM_LIMIT = 64

_UNIT = re.compile(r"(?P<word>[aA0][aA0m]*(?:\+\+|#)?(?![aA0]))|(?P<piece>[aA0][aA0m]*)|c[cm]*|t[tm]*")
_BETWEEN = re.compile(r"[.,\-_/:@&+#'\\]+")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that was asked for: *parts* are words in a row; a run has itself as its only part."""

    parts: tuple[str, ...]
    is_run: bool = False

    @property
    def pieces(self) -> tuple[str, ...]:
        """The two-character pieces of a run; a single character is its own."""
        text = self.parts[0]
        return tuple(dict.fromkeys(text[place : place + 2] for place in range(len(text) - 1))) or (text,)


@dataclass(frozen=True, slots=True)
class Grade:
    """The tier of one text and which share of the terms it has; 1.0 in the two strictest tiers."""

    tier: str
    coverage: float

    @property
    def is_relaxed(self) -> bool:
        """Whether some term is missing, or in pieces only."""
        return self.tier in RELAXED


def units(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the words and runs of composed *text*: start, end, folded spelling, whether it is a run."""
    for found in _UNIT.finditer(classes_of(text)):
        start, end = found.span()
        is_run = found["word"] is None and found["piece"] is None
        yield start, end, bare(text[start:end]), is_run


@lru_cache(maxsize=1 << 16)
def forms(word: str) -> frozenset[str]:
    """Return what a word (as written or folded) is compared by: its stem, with umlauts spelled out and without."""
    return frozenset((stem(spelled_out(word[:LONGEST_WORD])), stem(bare(word[:LONGEST_WORD]))))


def terms_of(query: str) -> tuple[Term, ...]:
    """Return the distinct terms of *query*; stop words and lone letters only where nothing else is left."""
    node = parse_explicit(query).node
    found = list(_of_node(node)) if node is not None else list(_of_text(query))
    counted = [term for term in found if not _is_stop(term)] or found
    return tuple(dict.fromkeys(counted))[:TERM_LIMIT]


def _of_node(node: Node) -> Iterator[Term]:
    for leaf in leaves(node):
        if isinstance(leaf, Phrase):
            parts = [word for _, _, word, is_run in units(compose(leaf.text)) if not is_run]
            runs = [word for _, _, word, is_run in units(compose(leaf.text)) if is_run]
            yield from ([Term(tuple(parts))] if parts else [])
            yield from (Term((run,), is_run=True) for run in runs)
        elif isinstance(leaf, Word | Prefix):
            yield from _of_text(leaf.text)


def _of_text(text: str) -> Iterator[Term]:
    for chunk in text.split():
        yield from _of_chunk(compose(chunk))


def _of_chunk(chunk: str) -> Iterator[Term]:
    parts: list[str] = []
    last = -1
    for start, end, word, is_run in units(chunk):
        is_joined = bool(parts) and not is_run and _BETWEEN.fullmatch(chunk[last:start]) is not None
        if parts and not is_joined:
            yield Term(tuple(parts))
            parts = []
        if is_run:
            yield Term((word,), is_run=True)
        else:
            parts.append(_as_written(chunk[start:end]))
            last = end
    if parts:
        yield Term(tuple(parts))


def _as_written(word: str) -> str:
    """Keep the umlauts of a word, which its two forms differ by; case does not matter."""
    return word.casefold()


def _is_stop(term: Term) -> bool:
    word = spelled_out(term.parts[0])
    return (
        not term.is_run
        and len(term.parts) == 1
        and (word in STOP_WORDS or (len(word) == 1 and not word.isdecimal()))
    )


@dataclass(frozen=True)
class _Text:
    """A text taken apart: its words in order ("" between two fields), where each form stands, its runs."""

    words: list[str]
    places: dict[str, list[int]] = field(default_factory=dict)
    runs: list[str] = field(default_factory=list)


def _taken_apart(fields: Iterable[str]) -> _Text:
    text = _Text([])
    for part in fields:
        composed = compose(part)
        for start, end, word, is_run in units(composed):
            if is_run:
                text.runs.append(word)
                continue
            place = len(text.words)
            text.words.append(word)
            for form in forms(word if composed.isascii() else composed[start:end]):
                text.places.setdefault(form, []).append(place)
        text.words.append("")
    return text


class Grader:
    """Grades texts by one query."""

    def __init__(self, query: str) -> None:
        self.terms = terms_of(query)

    def grade(self, fields: Sequence[str]) -> Grade:
        """Return how strictly a document with these *fields* (title, tags, body) answers the query."""
        text = _taken_apart(fields)
        words = parts = 0
        shares: list[float] = []
        has_piece = False
        for term in self.terms:
            is_word = _has_word(text, term)
            is_part = is_word or _has_part(text, term)
            share = 1.0 if is_part else _share(text, term)
            words += is_word
            parts += is_part
            has_piece = has_piece or (term.is_run and share > 0)
            shares.append(share)
        count = len(self.terms)
        if count and words == count:
            return Grade(ALL, 1.0)
        if count and parts == count:
            return Grade(ALL_PREFIX, 1.0)
        coverage = round(sum(shares) / count, 4) if count else 0.0
        return Grade(ANY if words or has_piece else ANY_PREFIX, coverage)


def _has_word(text: _Text, term: Term) -> bool:
    if term.is_run:
        return any(term.parts[0] in run for run in text.runs)
    return any(True for _ in _rows(text, term.parts))


def _rows(text: _Text, parts: Sequence[str]) -> Iterator[int]:
    """Yield the places at which the words *parts* stand in a row."""
    first = {place for form in forms(parts[0]) for place in text.places.get(form, ())}
    for place in sorted(first):
        following = text.words[place + 1 : place + len(parts)]
        if len(following) == len(parts) - 1 and all(
            word and not forms(word).isdisjoint(forms(part))
            for word, part in zip(following, parts[1:], strict=True)
        ):
            yield place


def _has_part(text: _Text, term: Term) -> bool:
    """Tell whether the term lies inside words: at their end, over whole ones, at the beginning of the last."""
    if term.is_run or sum(map(len, term.parts)) < LEAST_PART:
        return False
    folded = [bare(part) for part in term.parts]
    if len(folded) == 1:
        return any(folded[0] in word for word in text.words)
    count = len(folded)
    for place in range(len(text.words) - count + 1):
        row = text.words[place : place + count]
        if row[0].endswith(folded[0]) and row[-1].startswith(folded[-1]) and row[1:-1] == folded[1:-1]:
            return True
    return False


def _share(text: _Text, term: Term) -> float:
    """Return the share of a run's pieces that are there; of a word, nothing."""
    if not term.is_run:
        return 0.0
    pieces = term.pieces
    return sum(any(piece in run for run in text.runs) for piece in pieces) / len(pieces)


def strictest(tiers: Iterable[str]) -> str:
    """Return the strictest of *tiers*, "" of none."""
    return min(tiers, key=TIERS.index, default="")
